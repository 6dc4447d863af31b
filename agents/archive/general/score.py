"""How well a passage answers a factual question, from its words and its place; the reranker's view is added
to it.

A word counts by its inverse document frequency over the candidates. It counts in full where the passage
itself says it, less where a synonym, the passage before, the heading, the table's caption or the document's
title says it. Of a table row the label and the one column that fits best are read, so that a row is not
credited with what another column is about.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from agents.archive.general.asked import Asked, Kind
from agents.archive.general.candidates import Candidate, Stems, stem_set
from agents.archive.general.spans import has_kind
from agents.archive.general.tables import ReadRow
from agents.archive.general.words import LIGHT_STEMS, stems, synonyms
from agents.trust.quantities import parse_quantities, same
from retrieval.values import Passage, PassageKind

OWN, SYNONYM, BEFORE, PLACE, TITLE = 1.0, 0.85, 0.7, 0.8, 0.65
"""What a word is worth by where it is said."""
RERANK_WEIGHT, KIND_WEIGHT, FOCUS_WEIGHT = 0.25, 0.10, 0.15
COVERAGE_WEIGHT = 1.0 - RERANK_WEIGHT - KIND_WEIGHT - FOCUS_WEIGHT
CELL_BONUS = 0.1
DOCUMENT_BONUS = 0.12
DIGIT = re.compile(r"\d")
LIGHT_WEIGHT = 0.15
COLUMN_OF_KIND = 0.05
RAREST = 2
"""So many of the question's rarest words must be told in some way."""
SECTION_NUMBER = re.compile(r"^\W*\d+(?:\.\d+)*\.?\s+")

WIDE = 3
"""A row of more filled cells is not a label with its value."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its scores, each in [0, 1].

    `coverage` is the share of the question's words, `rarest` the worth of its rarest word, `focus` the share
    of the passage's words that the question asks for. `exact`: a cell at the crossing that all the question's
    numbers name. `column` is the cell that answers, of a row.
    """

    passage: Passage
    coverage: float
    focus: float
    rarest: float
    of_kind: bool
    rerank: float = 0.0
    exact: bool = False
    document: float = 0.0
    conditions: float = 1.0

    row: ReadRow | None = None
    column: int | None = None

    @property
    def score(self) -> float:
        """All of it together."""
        return (
            COVERAGE_WEIGHT * self.coverage
            + RERANK_WEIGHT * self.rerank
            + KIND_WEIGHT * self.of_kind
            + FOCUS_WEIGHT * self.focus
            + CELL_BONUS * self.exact
            + DOCUMENT_BONUS * self.document
        )


def rarity(terms: Sequence[str], candidates: Sequence[Candidate]) -> dict[str, float]:
    """Inverse document frequency of the question's terms over the candidates; a term nobody says is the
    rarest.
    """
    counts = Counter(
        term for candidate in candidates for term in terms if term in candidate.own or term in candidate.place
    )
    rare = {term: math.log(1 + len(candidates) / (0.5 + counts[term])) for term in terms}
    return {term: weight * (LIGHT_WEIGHT if term in LIGHT_STEMS else 1.0) for term, weight in rare.items()}


def score(asked: Asked, candidates: Sequence[Candidate]) -> list[Scored]:
    """Scores by words alone, best first; passages that share no word with the question are left out."""
    weights = rarity(asked.terms, candidates)
    scored = [score_one(asked, candidate, weights) for candidate in candidates if weights]
    told = [item for item in scored if item.coverage > 0 and says_something(asked, item.passage)]
    return sorted(told, key=lambda s: (-s.score, s.passage.doc_id, s.passage.start))


def score_one(asked: Asked, candidate: Candidate, weights: dict[str, float]) -> Scored:
    """One candidate; of a row in its best column."""
    if candidate.row is None or len(candidate.columns) < 2:
        return score_read(asked, candidate, candidate.own, weights, None)
    readings = [
        score_read(asked, candidate, words | label_of(candidate, i), weights, i)
        for i, words in enumerate(candidate.columns)
        if candidate.row.cells[i]
    ]
    return max(readings, key=lambda s: (s.exact, s.coverage + COLUMN_OF_KIND * s.of_kind, -(s.column or 0)))


def label_of(candidate: Candidate, column: int) -> Stems:
    """Stems of the cells left of a column that name the row: its label, a second one, and other words."""
    assert candidate.row is not None
    row = candidate.row
    left = [cell for cell in row.cells[:column] if cell]
    told = [cell for i, cell in enumerate(left) if i < 2 or not DIGIT.search(cell)]
    head = row.heads[0] if column and not row.is_header else ""
    return stem_set(f"{head} {' '.join(told)}")


def score_read(
    asked: Asked, candidate: Candidate, own: Stems, weights: dict[str, float], column: int | None
) -> Scored:
    """A candidate that is read as saying `own`."""
    answer = kind_text(asked, candidate, column)
    of_kind = bool(answer) and has_kind(answer, asked)
    worths = {term: worth(term, own, candidate) for term in asked.terms}
    inherited = [term for term in asked.terms if term[0].isdigit() and worths[term] and term not in own]
    if inherited and column is None and names_another_amount(asked, candidate.passage):
        worths |= dict.fromkeys(inherited, 0.0)
    if of_kind:
        worths |= {term: max(worths[term], SYNONYM) for term in asked.terms if term in asked.type_terms}
    total = sum(weights.values())
    return Scored(
        candidate.passage,
        sum(weights[term] * worths[term] for term in asked.terms) / total if total else 0.0,
        focus(asked, candidate, own),
        least_of_rarest(worths, weights),
        of_kind,
        exact=of_kind and is_crossing(asked, candidate, column),
        document=sum(weights[term] for term in asked.terms if term in candidate.title) / total
        if total
        else 0.0,
        conditions=min((worths[term] for term in asked.terms if term[0].isdigit()), default=1.0),
        row=candidate.row,
        column=column,
    )


def names_another_amount(asked: Asked, passage: Passage) -> bool:
    """Whether a passage is about an amount of the kind the question names, and not about that one.

    "No findings at 100 mg/kg" says nothing about 1000 mg/kg, though the sentence before it may.
    """
    if not asked.amounts:
        return False
    told = parse_quantities(passage.text)
    alike = [(one, other) for one in asked.amounts for other in told if one.dimension == other.dimension]
    return bool(alike) and not any(same(one, other) for one, other in alike)


def least_of_rarest(worths: dict[str, float], weights: dict[str, float]) -> float:
    """The least worth among the rarest words that say something."""
    telling = [term for term in worths if term not in LIGHT_STEMS] or list(worths)
    return min(worths[term] for term in sorted(telling, key=lambda term: -weights[term])[:RAREST])


def kind_text(asked: Asked, candidate: Candidate, column: int | None) -> str:
    """Where the thing asked for may stand: in a passage, in a row's cell, or beside it unless the row is all
    numbers.
    """
    if candidate.row is None or column is None:
        return SECTION_NUMBER.sub("", candidate.passage.text)
    filled = [cell for cell in candidate.row.cells if cell]
    if asked.kind is Kind.TEXT and len(filled) > WIDE:
        return ""
    numeric = asked.kind in (Kind.QUANTITY, Kind.COUNT) and len(filled) > 2
    return candidate.row.cells[column] if numeric else " | ".join(filled)


def is_crossing(asked: Asked, candidate: Candidate, column: int | None) -> bool:
    """Whether a cell lies where a row and a column meet that say all numbers of the question."""
    numbers = {term for term in asked.terms if term[0].isdigit()}
    if candidate.row is None or not column or not numbers:
        return False
    heads = stem_set(f"{candidate.row.heads[column]} {candidate.row.span} {candidate.row.caption}")
    return numbers <= heads | candidate.before | label_of(candidate, column)


def focus(asked: Asked, candidate: Candidate, own: Stems) -> float:
    """The share of what is said, or of the label that names it, that the question asks for; wide rows say
    much else.
    """
    wanted = {other for term in asked.terms for other in synonyms(term)}
    shares = [len(words & wanted) / len(words) for words in (candidate.label, own) if words]
    wide = candidate.row is not None and len([cell for cell in candidate.row.cells if cell]) > WIDE
    return min(max(shares, default=0.0), 0.5 if wide else 1.0)


def worth(term: str, own: Stems, candidate: Candidate) -> float:
    """How far a passage says a term, in [0, 1]."""
    if term in own:
        return OWN
    others = synonyms(term)
    if not others.isdisjoint(own):
        return SYNONYM
    if term in candidate.place:
        return PLACE
    if term in candidate.before:
        return BEFORE
    if not others.isdisjoint(candidate.place) or not others.isdisjoint(candidate.before):
        return SYNONYM * PLACE
    return TITLE if term in candidate.title else 0.0


def reading(item: Scored) -> str:
    """A passage as the reranker reads it: a sentence under its heading, a cell with its label, head and
    caption.
    """
    if item.row is None or item.column is None:
        return f"{' '.join(item.passage.section[-1:])} {item.passage.text}"
    head = "" if item.row.is_header else item.row.heads[item.column]
    filled = [cell for cell in item.row.cells if cell]
    told = f"{head} {item.row.cells[item.column]}" if len(filled) > WIDE else " ".join(filled)
    return f"{item.row.caption} {item.row.label_above} {item.row.label}: {told}"


def says_something(asked: Asked, passage: Passage) -> bool:
    """Whether a passage says anything beyond the question's words: a bare heading or a label without a value
    does not.
    """
    known = {other for term in asked.terms for other in synonyms(term)}
    text = SECTION_NUMBER.sub("", passage.text) if passage.kind is PassageKind.HEADING else passage.text
    return any(word not in known for word in stems(text)) and not text.rstrip().endswith((":", "："))
