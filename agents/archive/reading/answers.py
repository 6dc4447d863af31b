"""The form in which a language model answers, and what is drafted from it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from pydantic import BaseModel, Field

from agents.archive.reading.quotes import claim_of
from agents.archive.tools import LoadedDocument
from agents.archive.values import Draft, DraftClaim
from agents.evidence.values import Evidence
from agents.text.polarity import negated
from agents.text.rows import row_in_words
from agents.trust.values import COUNT, Derivation
from retrieval.passages import plain
from retrieval.values import Passage, PassageKind

_SAID = r"(?:report(?:ed|s)?|state[ds]?|specif(?:y|ied)|describe[ds]?|mention(?:ed|s)?|available|listed)"
_SILENT = re.compile(
    r"(?:the\s|these\s)?(?:\w+\s)?(?:documents?|passages?|sources?|excerpts?|reports?|archive)\s(?:\w+\s){0,2}"
    rf"(?:do(?:es)?|did)(?:\snot|n't)\s(?:say|give|tell|show|name|{_SAID})\b[^;.]*",
    re.IGNORECASE,
)
_ABSENCE = re.compile(
    r"(?:^|[;,.]\s+(?:and\s+|but\s+|while\s+)?)((?:there\s+(?:is|are|was|were)\s+)?(?:no|nothing|none)\b"
    rf"[^;.]*?\b(?:{_SAID}|given|found|shown)\b[^;.]*|{_SILENT.pattern}"
    rf"|(?:(?!\b(?:which|that|who)\b)[^;.,])*\b(?:is|are|was|were)\snot\s{_SAID}\b[^;.]*)(?=[;.]|$)",
    re.IGNORECASE,
)
"""What a model says it did not find. No passage carries an absence, so it is no claim with a citation."""
_HEADING_MARK = re.compile(r"^\s*#{1,6}\s", re.MULTILINE)
_ENUMERATOR = re.compile(r"\A\s*(?:\(?\d{1,2}[.)]|[-•*–])\s+")
"""The number or mark of an item where a model numbers its statements: no value of the statement."""
LONGEST = 6_000
"""Characters of a line or statement: twelve items of a list take half of that."""


class Computed(BaseModel):
    """A number that no passage states: "38", made as "20 + 18" of stated inputs, or as "count" of them."""

    value: str
    formula: str
    inputs: list[str]


class ModelStatement(BaseModel):
    """A statement with the keys of the passages that carry it, and words copied from them.

    Without a text the words copied are the statement.
    """

    text: str = Field("", max_length=LONGEST)
    keys: list[str]
    quotes: list[str]
    computed: list[Computed] = []


class ModelAnswer(BaseModel):
    """The answer to a question."""

    outcome: Literal["answered", "closest", "nothing"]
    short: str = Field(max_length=LONGEST)
    headline: str = Field("", max_length=LONGEST)
    statements: list[ModelStatement] = []
    missing: str = Field("", max_length=LONGEST)


def without_absences(statements: Sequence[ModelStatement]) -> tuple[list[ModelStatement], list[str]]:
    """The statements without what they say is absent, and that; one that says nothing else is left out."""
    kept: list[ModelStatement] = []
    absences: list[str] = []
    for one in statements:
        rest, absent = absences_apart(one.text, one.quotes)
        absences += absent
        if rest or not absent:
            kept.append(one.model_copy(update={"text": rest}))
    return kept, absences


def draft_claims(
    statements: Sequence[ModelStatement],
    shown: Mapping[str, Passage],
    documents: Mapping[str, LoadedDocument],
) -> tuple[DraftClaim, ...]:
    """The statements that cite something that was shown; one without a text says what it quotes."""
    claims: list[DraftClaim] = []
    for one in statements:
        derived = tuple(item for item in derivations(one) if item.formula != COUNT)
        about = _ENUMERATOR.sub("", one.text) or " ".join(one.quotes)
        claim = claim_of(about, one.keys, one.quotes, shown, documents, derived)
        if one.text.strip() or not claim.quotes:
            claims.append(claim)
        else:
            claims += as_quoted(claim)
    return tuple(dict.fromkeys(claim for claim in claims if claim.passages))


def as_quoted(claim: DraftClaim) -> list[DraftClaim]:
    """Each passage as a statement of its own: what it says word for word needs no judge, and computes
    nothing. What was computed of several is the answer's (`all_derived`). A heading or row of heads states
    nothing, so it is cited with the passage that it heads.
    """
    told: list[DraftClaim] = []
    heads: tuple[Passage, ...] = ()
    for passage in claim.passages:
        if _is_head(passage):
            heads += (passage,)
            continue
        cited = (passage, *heads)
        told.append(DraftClaim(render_quoted(passage), cited, (), tuple(one.text for one in cited)))
        heads = ()
    return told + [DraftClaim(render_quoted(one), (one,), (), (one.text,)) for one in heads]


def _is_head(passage: Passage) -> bool:
    """Whether a passage is a heading, or a row of its table's heads."""
    row = passage.row
    return passage.kind is PassageKind.HEADING or (row is not None and row.cells == row.header)


def as_passages(draft: Draft) -> Draft:
    """The draft; one that comes only closest as its passages, without a word that a model wrote of them."""
    if not draft.closest:
        return draft
    claims = dict.fromkeys(quoted for claim in draft.claims for quoted in as_quoted(claim))
    return replace(draft, short="", headline="", claims=tuple(claims), derived=())


def render_quoted(passage: Passage) -> str:
    """A sentence as it stands; a row's cells behind their heads."""
    if passage.row is None or not passage.row.cells:
        return plain(_HEADING_MARK.sub(" ", passage.text)).lstrip("-• ")
    return row_in_words(passage.row.header, passage.row.cells)


def whole_line(short: str, headline: str) -> str:
    """The line that answers: the short answer, then what the headline adds to it."""
    if not short or short.casefold().strip(". ") in headline.casefold():
        return headline or short
    ended = short if short.endswith((".", "!", "?")) else f"{short}."
    return f"{ended[:1].upper()}{ended[1:]} {headline}".strip()


def derivations(statement: ModelStatement) -> tuple[Derivation, ...]:
    """Computed numbers; they are recomputed later, from the passages cited."""
    return tuple(Derivation(one.value, one.formula, tuple(one.inputs), ()) for one in statement.computed)


def all_derived(statements: Sequence[ModelStatement]) -> tuple[Derivation, ...]:
    """What all statements compute or count, for the texts of the answer as a whole."""
    return tuple(dict.fromkeys(one for statement in statements for one in derivations(statement)))


def shown_passages(evidence: Sequence[Evidence]) -> dict[str, Passage]:
    """Pieces of evidence as passages, by their keys."""
    return {
        item.key: Passage(item.doc_id, item.start, item.end, item.text, section=item.section, page=item.page)
        for item in evidence
    }


def absences_apart(text: str, quotes: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """A statement without what it says is absent, and that; an absence that a quote states stays in it."""
    stated = any(map(negated, quotes)), any(map(_SILENT.search, quotes))
    absent = tuple(one.strip() for one in _ABSENCE.findall(text) if not stated[bool(_SILENT.match(one))])
    left = _ABSENCE.sub(lambda one: "" if one[1].strip() in absent else one[0], text)
    rest = left.lstrip(" ;,.").rstrip(" ;,")
    return (rest if re.search(r"\w", rest) else ""), absent


def not_found(missing: str, absences: Sequence[str]) -> str:
    """The note on what was not found; "" where nothing was missed."""
    said = [one.rstrip(".") for one in (missing.strip(), *absences) if one]
    return f"Not found in what was read: {'; '.join(dict.fromkeys(said))}." if said else ""
