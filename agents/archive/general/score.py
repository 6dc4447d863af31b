"""How well a passage answers a factual question, from its words and its place.

The score of the reranker is added to it.

A word counts by its inverse document frequency over the candidates. It counts in full where the passage
itself says it, less where a synonym, the passage before, the heading, the table's caption or the document's
title says it. Of a table row the label and the one column that fits best are read, so that a row is not
credited with what another column is about.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.archive.general.candidates import CandidatePassage, Stems, stem_set
from agents.archive.general.question import AnswerType, FactualQuestion
from agents.archive.general.spans import has_answer_type
from agents.archive.general.tables import LabelledRow
from agents.archive.general.words import LIGHT_STEMS, stem, stems, synonyms
from agents.text.quantities import parse_quantities
from agents.text.quantity import same
from retrieval.values import Passage, PassageKind

OWN, SYNONYM, BEFORE, PLACE, TITLE = 1.0, 0.85, 0.7, 0.8, 0.65
"""What a word is worth by where it is said."""
COVERAGE, RERANK, TYPE, FOCUS = 4.0, 3.0, 2.5, 2.0
RAREST_WORD, CONDITIONS, SEARCH, DOCUMENT = 2.0, 1.3, 1.0, 0.5
"""Weights of what speaks for a passage, learnt on 114 questions over real reports and the demo archive (a
softmax over the passages of the best chunks) and rounded.
"""
HEADING = -1.3
"""A heading alone seldom answers."""
SLOPE, SURE_AT = 0.85, 9.7
"""From score to confidence: a logistic curve, fitted on 140 questions, 26 of them without an answer."""
DIGIT = re.compile(r"\d")
LIGHT_WEIGHT = 0.15
LEAST_RAREST = 0.5
COLUMN_OF_TYPE = 0.05
RAREST = 2
"""So many of the question's rarest words must be told in some way."""
SECTION_NUMBER = re.compile(r"^\W*\d+(?:\.\d+)*\.?\s+")

WIDE = 3
"""A row of more filled cells is not a label with its value."""


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A candidate with its scores, each in [0, 1].

    `coverage` is the share of the question's words, `rarest` the worth of its rarest word, `focus` the share
    of the passage's words that the question asks for, `conditions` the least worth of its numbers, `searched`
    the standing of its chunk in the search. `column` is the cell that answers, of a row.
    """

    passage: Passage
    coverage: float
    focus: float
    rarest: float
    of_answer_type: bool
    rerank: float = 0.0
    document: float = 0.0
    conditions: float = 1.0
    searched: float = 0.0
    row: LabelledRow | None = None
    column: int | None = None

    @property
    def score(self) -> float:
        """All of it together."""
        return (
            COVERAGE * self.coverage
            + RERANK * self.rerank
            + TYPE * self.of_answer_type
            + FOCUS * self.focus
            + RAREST_WORD * self.rarest
            + CONDITIONS * self.conditions
            + SEARCH * self.searched
            + DOCUMENT * self.document
            + HEADING * (self.passage.kind is PassageKind.HEADING and self.row is None)
        )

    @property
    def fits(self) -> bool:
        """Whether it holds something of the kind asked for, beside the rarest words and the numbers."""
        return self.of_answer_type and self.rarest >= LEAST_RAREST and self.conditions > 0

    @property
    def confidence(self) -> float:
        """How likely it is that this passage answers, in [0, 1]."""
        return 1.0 / (1.0 + math.exp(SLOPE * (SURE_AT - self.score)))


def rarity(terms: Sequence[str], candidates: Sequence[CandidatePassage]) -> dict[str, float]:
    """Inverse document frequency of the question's terms over the candidates."""
    counts = Counter(
        term for candidate in candidates for term in terms if term in candidate.own or term in candidate.place
    )
    rare = {term: math.log(1 + len(candidates) / (0.5 + counts[term])) for term in terms}
    return {term: weight * (LIGHT_WEIGHT if term in LIGHT_STEMS else 1.0) for term, weight in rare.items()}


def score(question: FactualQuestion, candidates: Sequence[CandidatePassage]) -> list[ScoredPassage]:
    """Scores without the reranker, best first; a bare label or a repetition of the question says nothing."""
    candidates = [with_acronyms(question, candidate) for candidate in candidates]
    weights = rarity(question.terms, candidates)
    scored = [score_one(question, candidate, weights) for candidate in candidates]
    told = [item for item in scored if says_something(question, item.passage)]
    return sorted(told, key=lambda s: (-s.score, s.passage.doc_id, s.passage.start))


def with_acronyms(question: FactualQuestion, candidate: CandidatePassage) -> CandidatePassage:
    """A candidate that also says the question's short words of which it writes out the initials."""
    told = {stem(short) for short in question.acronyms if short in candidate.initials} - candidate.own
    if not told:
        return candidate
    return replace(candidate, own=candidate.own | told, place=candidate.place | told)


def score_one(
    question: FactualQuestion, candidate: CandidatePassage, weights: dict[str, float]
) -> ScoredPassage:
    """One candidate; of a row in its best column."""
    if candidate.row is None or len(candidate.columns) < 2:
        return score_words(question, candidate, candidate.own, weights, None)
    readings = [
        score_words(question, candidate, words | label_of(candidate, i), weights, i)
        for i, words in enumerate(candidate.columns)
        if candidate.row.cells[i]
    ]
    return max(readings, key=lambda s: (s.coverage + COLUMN_OF_TYPE * s.of_answer_type, -(s.column or 0)))


def label_of(candidate: CandidatePassage, column: int) -> Stems:
    """Stems of the cells left of a column that name the row: its label, a second one, and other words."""
    assert candidate.row is not None
    row = candidate.row
    left = [cell for cell in row.cells[:column] if cell]
    told = [cell for i, cell in enumerate(left) if i < 2 or not DIGIT.search(cell)]
    head = row.heads[0] if column and not row.is_header else ""
    return stem_set(f"{head} {' '.join(told)}")


def score_words(
    question: FactualQuestion,
    candidate: CandidatePassage,
    own: Stems,
    weights: dict[str, float],
    column: int | None,
) -> ScoredPassage:
    """A candidate that is read as saying `own`."""
    answer = kind_text(question, candidate, column)
    of_answer_type = bool(answer) and has_answer_type(answer, question)
    worths = {term: worth(term, own, candidate) for term in question.terms}
    inherited = [term for term in question.terms if term[0].isdigit() and worths[term] and term not in own]
    if inherited and column is None and names_another_amount(question, candidate.passage):
        worths |= dict.fromkeys(inherited, 0.0)
    if of_answer_type:
        worths |= {term: max(worths[term], SYNONYM) for term in question.terms if term in question.type_terms}
    total = sum(weights.values())
    return ScoredPassage(
        candidate.passage,
        sum(weights[term] * worths[term] for term in question.terms) / total if total else 0.0,
        focus(question, candidate, own),
        least_of_rarest(worths, weights),
        of_answer_type,
        document=sum(weights[term] for term in question.terms if term in candidate.title) / total
        if total
        else 0.0,
        conditions=min((worths[term] for term in question.terms if term[0].isdigit()), default=1.0),
        searched=candidate.searched,
        row=candidate.row,
        column=column,
    )


def names_another_amount(question: FactualQuestion, passage: Passage) -> bool:
    """Whether a passage is about an amount of the kind the question names, and not about that one.

    "No findings at 100 mg/kg" says nothing about 1000 mg/kg, though the sentence before it may.
    """
    if not question.amounts:
        return False
    told = parse_quantities(passage.text)
    alike = [(one, other) for one in question.amounts for other in told if one.dimension == other.dimension]
    return bool(alike) and not any(same(one, other) for one, other in alike)


def least_of_rarest(worths: dict[str, float], weights: dict[str, float]) -> float:
    """The least worth among the rarest words that say something."""
    telling = [term for term in worths if term not in LIGHT_STEMS] or list(worths)
    rarest = sorted(telling, key=lambda term: -weights[term])[:RAREST]
    return min((worths[term] for term in rarest), default=0.0)


def kind_text(question: FactualQuestion, candidate: CandidatePassage, column: int | None) -> str:
    """Where the thing asked for may stand: in the passage, in the cell of a row, or beside it."""
    if candidate.row is None or column is None:
        return SECTION_NUMBER.sub("", candidate.passage.text)
    filled = [cell for cell in candidate.row.cells if cell]
    if question.answer_type is AnswerType.TEXT and len(filled) > WIDE:
        return ""
    numeric = question.answer_type in (AnswerType.QUANTITY, AnswerType.COUNT) and len(filled) > 2
    return candidate.row.cells[column] if numeric else " | ".join(filled)


def focus(question: FactualQuestion, candidate: CandidatePassage, own: Stems) -> float:
    """The share of what is said that the question asks for; of a row, the share of its label."""
    wanted = {other for term in question.terms for other in synonyms(term)}
    shares = [len(words & wanted) / len(words) for words in (candidate.label, own) if words]
    wide = candidate.row is not None and len([cell for cell in candidate.row.cells if cell]) > WIDE
    return min(max(shares, default=0.0), 0.5 if wide else 1.0)


def worth(term: str, own: Stems, candidate: CandidatePassage) -> float:
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


def text_for_reranker(item: ScoredPassage) -> str:
    """The text that the reranker gets: a sentence under its heading, a cell with label, head and caption."""
    if item.row is None or item.column is None:
        return f"{' '.join(item.passage.section[-1:])} {item.passage.text}"
    head = "" if item.row.is_header else item.row.heads[item.column]
    filled = [cell for cell in item.row.cells if cell]
    told = f"{head} {item.row.cells[item.column]}" if len(filled) > WIDE else " ".join(filled)
    return f"{item.row.caption} {item.row.label_above} {item.row.label}: {told}"


def says_something(question: FactualQuestion, passage: Passage) -> bool:
    """Whether a passage says more than the question: a bare heading or a label without a value does not."""
    known = {other for term in question.terms for other in synonyms(term)}
    text = SECTION_NUMBER.sub("", passage.text) if passage.kind is PassageKind.HEADING else passage.text
    return any(word not in known for word in stems(text)) and not text.rstrip().endswith((":", "："))
