"""Finds what a model quotes in the texts that it was shown, and cites the sentences or rows it stands in.

A model copies words and not marks: it leaves out the bars of a table row, changes a dash or joins lines. So a
quote is compared without white space and marks, and what is cited is the document's own text at that place.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from agents.archive.general.blocks import same_table
from agents.archive.tools import LoadedDocument
from agents.archive.values import DraftClaim
from agents.evidence.values import LEFT_OUT
from agents.text.words import stems
from agents.trust.values import Derivation
from retrieval.values import Passage, PassageKind

SHORTEST = 3
"""Letters and digits that a quote must have to be looked for."""
MOST_PLACES = 50
AROUND = 400
"""Characters before and after a passage that tell what it speaks of."""
_ELLIPSIS = re.compile(r"\s*(?:\[\s*)?(?:…|\.{3,})(?:\s*\])?\s*")
_MARKS = frozenset("|*_`\\#<>\"'“”‘’«»„")
_ALIKE = str.maketrans({"–": "-", "—": "-", "−": "-", "‑": "-", "‐": "-", "μ": "µ"})


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a document that was quoted: offsets in its text."""

    doc_id: str
    start: int
    end: int


def places(quote: str, text: str) -> list[tuple[int, int]]:
    """Where a text says a quote; white space, marks, kinds of dashes and case may differ."""
    wanted, _ = _plain(quote)
    if sum(map(str.isalnum, wanted)) < SHORTEST:
        return []
    plain, offsets = _plain(text)
    found: list[tuple[int, int]] = []
    at = plain.find(wanted)
    while at >= 0 and len(found) < MOST_PLACES:
        start, end = offsets[at], offsets[at + len(wanted) - 1] + 1
        if _whole_words(text, start, end):
            found.append((start, end))
        at = plain.find(wanted, at + 1)
    return found


def spans_of(quote: str, shown: Iterable[Passage], about: str) -> list[Span]:
    """Where a quote stands in the passages shown; each part of one that leaves words out.

    Of several places the one is taken whose surroundings share most words with `about`. An empty list says
    that a part of it is nowhere.
    """
    spans = []
    passages = list(shown)
    for part in filter(None, _ELLIPSIS.split(quote.strip())):
        found = [
            Span(passage.doc_id, passage.start + start, passage.start + end)
            for passage in passages
            for start, end in places(part, passage.text)
        ]
        if not found:
            return []
        spans.append(max(found, key=lambda span: _likeness(span, passages, about)))
    return spans


def cited_passages(document: LoadedDocument, span: Span) -> tuple[Passage, ...]:
    """What a span lies in: each row of a table as a passage of its own, sentences and items as one."""
    inside = [p for p in document.passages if p.start < span.end and p.end > span.start]
    rows = tuple(p for p in inside if p.row is not None and p.kind is PassageKind.ROW)
    if rows:
        return rows
    text = document.document.text
    if not inside:
        return (Passage(span.doc_id, span.start, span.end, text[span.start : span.end]),)
    start, end = inside[0].start, inside[-1].end
    return (replace(inside[0], start=start, end=end, text=text[start:end], kind=inside[-1].kind),)


def words_of(document: LoadedDocument, span: Span) -> tuple[str, ...]:
    """The quoted words as the document writes them; of a table whole rows, for cells alone say little."""
    passages = cited_passages(document, span)
    if passages[0].row is not None:
        return tuple(passage.text for passage in passages)
    return (document.document.text[span.start : span.end],)


def claim_of(
    text: str,
    keys: Sequence[str],
    quotes: Sequence[str],
    shown: Mapping[str, Passage],
    documents: Mapping[str, LoadedDocument],
    derived: tuple[Derivation, ...] = (),
) -> DraftClaim:
    """A model's statement over the sentences and rows that it quotes.

    A quote is looked for in each document under the keys given, then under all. Without a quote that stands
    anywhere, the whole passages under the keys are cited. Keys that were not given are dropped.
    """
    under = [shown[key] for key in dict.fromkeys(keys) if key in shown]
    places = [[one for one in under if one.doc_id == doc] for doc in dict.fromkeys(p.doc_id for p in under)]
    spans = dict.fromkeys(
        span
        for quote in quotes
        for span in [one for place in places for one in spans_of(quote, place, text)]
        or spans_of(quote, shown.values(), text)
        if span.doc_id in documents
    )
    passages = [p for span in spans for p in cited_passages(documents[span.doc_id], span)]
    words = [quote for span in spans for quote in words_of(documents[span.doc_id], span)]
    read = [in_place(p, documents[p.doc_id]) if p.doc_id in documents else p for p in passages or under]
    return DraftClaim(text, tuple(dict.fromkeys(read)), derived, tuple(dict.fromkeys(words)))


def in_place(passage: Passage, document: LoadedDocument) -> Passage:
    """The passage with the text around it; a row of a table with that around its table."""
    start, end = passage.start, passage.end
    if passage.row is not None:
        rows = [one for one in document.passages if same_table(one, passage)]
        start, end = min(start, *(p.start for p in rows)), max(end, *(p.end for p in rows))
    text = document.document.text
    before = text[max(0, start - AROUND) : start].partition(" ")[2]
    after = text[end : end + AROUND].rpartition(" ")[0]
    return replace(passage, around=LEFT_OUT.join(filter(None, (before.strip(), after.strip()))))


def missing_quotes(quotes: Iterable[str], shown: Iterable[Passage]) -> list[str]:
    """Quotes that no passage shown says."""
    passages = list(shown)
    return [quote for quote in quotes if quote.strip() and not spans_of(quote, passages, "")]


def _plain(text: str) -> tuple[str, list[int]]:
    """A text without white space and marks, in lower case, and the offset of each character left."""
    kept = [(char, at) for at, char in _characters(text)]
    return "".join(char for char, _ in kept), [at for _, at in kept]


def _characters(text: str) -> Iterator[tuple[int, str]]:
    for at, char in enumerate(text):
        if not char.isspace() and char not in _MARKS:
            lower = char.lower().translate(_ALIKE)
            yield at, lower if len(lower) == 1 else char


def _whole_words(text: str, start: int, end: int) -> bool:
    """Whether a span neither begins nor ends inside a word or a number."""
    opens = start == 0 or not (text[start - 1].isalnum() and text[start].isalnum())
    closes = end == len(text) or not (text[end - 1].isalnum() and text[end].isalnum())
    number_goes_on = re.match(r"[.,]\d", text[end : end + 2]) and text[end - 1].isdigit()
    number_before = re.search(r"\d[.,]\Z", text[max(0, start - 2) : start]) and text[start].isdigit()
    return opens and closes and not number_goes_on and not number_before


def _likeness(span: Span, passages: Sequence[Passage], about: str) -> int:
    around = next(p for p in passages if p.doc_id == span.doc_id and p.start <= span.start < p.end)
    near = around.text[max(0, span.start - around.start - 200) : span.end - around.start + 200]
    return len(stems(near) & stems(about))
