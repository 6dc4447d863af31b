"""What a model reads of a molecule's documents: the passages that the rules cite, those that the searches
rank first, and of what passed review the best of each document, as much as fits.

A passage is shown with what belongs to it: a list or a table whole, or as many of its lines as fit.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from agents.archive.find import Found
from agents.archive.relevance import PassageRef, Reviewed
from agents.archive.tools import LoadedDocument
from agents.archive.values import Draft
from retrieval.captions import CAPTION
from retrieval.markdown import BlockKind, blocks
from retrieval.values import Passage

LONGEST_UNIT = 1_400
"""Characters of a paragraph, list or table that is shown whole; of a longer one what is around a passage."""
AROUND = 2
CHUNKS_SHOWN = 2
"""Chunks that are shown of each domain's searches, whatever the rules make of them."""

Span = tuple[int, int]


class Units:
    """The paragraphs, lists and tables of a document: what is shown together."""

    def __init__(self, document: LoadedDocument) -> None:
        self._document = document
        self._units = list(_units(document.document.text))
        self._starts = [start for start, _ in self._units]
        self._offsets = [passage.start for passage in document.passages]

    def around(self, offset: int) -> Span:
        """What belongs to the passage that begins at an offset."""
        start, end = self._units[max(0, bisect_right(self._starts, offset) - 1)]
        if end - start <= LONGEST_UNIT:
            return start, end
        place = max(0, bisect_right(self._offsets, offset) - 1)
        near = self._document.passages[max(0, place - AROUND) : place + AROUND + 1]
        inside = [passage for passage in near if start <= passage.start and passage.end <= end]
        return (inside[0].start, inside[-1].end) if inside else (start, end)


def _units(text: str) -> Iterator[Span]:
    """Blocks with their marks, the items of a list as one, a heading or caption with what stands below it."""
    opened: Span | None = None
    goes_on: BlockKind | None = None
    for block in blocks(text):
        if opened and (goes_on is BlockKind.HEADING or goes_on is block.kind is BlockKind.ITEM):
            opened = (opened[0], block.end)
        else:
            if opened:
                yield opened
            opened = (text.rfind("\n", 0, block.start) + 1, block.end)
        leads = block.kind is BlockKind.PARAGRAPH and _leads(text[block.start : block.end])
        goes_on = BlockKind.HEADING if leads else block.kind
    if opened:
        yield opened


def _leads(paragraph: str) -> bool:
    """Whether a paragraph announces what stands below it."""
    return bool(CAPTION.match(paragraph)) or paragraph.rstrip("*_ ").endswith(":")


def dossier(
    documents: Mapping[str, LoadedDocument], reviewed: Sequence[Reviewed], drafts: Sequence[Draft], room: int
) -> tuple[Passage, ...]:
    """The passages to show, in the order of documents and text, at most `room` characters of them."""
    units = {doc_id: Units(document) for doc_id, document in documents.items()}
    chosen: dict[str, list[Span]] = {}
    for ref in _ranked(documents, reviewed, drafts):
        if ref.doc_id not in units:
            continue
        span = units[ref.doc_id].around(ref.start)
        spans = chosen.setdefault(ref.doc_id, [])
        if any(start <= span[0] and span[1] <= end for start, end in spans):
            continue
        room -= span[1] - span[0]
        if room < 0:
            break
        spans.append(span)
    return tuple(
        _passage(documents[doc_id], span)
        for doc_id in sorted(chosen, key=lambda one: (documents[one].document.record.date, one))
        for span in _joined(chosen[doc_id])
    )


def _ranked(
    documents: Mapping[str, LoadedDocument], reviewed: Sequence[Reviewed], drafts: Sequence[Draft]
) -> Iterator[PassageRef]:
    """What the rules cite, what the searches rank first, and then what review kept."""
    for draft in drafts:
        for claim in draft.claims:
            yield from (PassageRef(passage.doc_id, passage.start) for passage in claim.passages)
    for one in reviewed:
        yield from _of_chunks(one.found, documents)
    for one in reviewed:
        yield from _in_turns(one.review.retained)


def _of_chunks(found: Found, documents: Mapping[str, LoadedDocument]) -> Iterator[PassageRef]:
    """All passages of the chunks that the search ranked first."""
    for chunk in found.chunks[:CHUNKS_SHOWN]:
        if document := documents.get(chunk.doc_id):
            inside = (p for p in document.passages if chunk.start <= p.start < chunk.end)
            yield from (PassageRef(chunk.doc_id, passage.start) for passage in inside)


def _in_turns(refs: Iterable[PassageRef]) -> Iterator[PassageRef]:
    """The best of each document, then the second best of each, and so on."""
    by_document: dict[str, list[PassageRef]] = {}
    for ref in refs:
        by_document.setdefault(ref.doc_id, []).append(ref)
    for turn in zip_longest(*by_document.values()):
        yield from (ref for ref in turn if ref is not None)


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Spans in order, those that touch or overlap as one."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1] + 2:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _passage(document: LoadedDocument, span: Span) -> Passage:
    """A span as a passage with the place where it begins; a table's heads are its own or given with it."""
    start, end = span
    first = next((p for p in document.passages if p.end > start), None)
    text = document.document.text[start:end]
    if first is None:
        return Passage(document.document.record.doc_id, start, end, text)
    head = None if first.row is None or first.row.cells == first.row.header else first.row
    return Passage(first.doc_id, start, end, text, section=first.section, page=first.page, row=head)
