"""How well a passage answers a question: from its words, its place, late interaction and the search.

A word counts by its inverse document frequency over the candidates: in full where the passage itself says it
or a synonym, less where a heading, a caption or the title does. Of a row of a table the labels and the column
that fits best are read, so that a row is not credited with another column.
"""

import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from agents.archive.general.candidates import CandidatePassage, Stems
from agents.archive.general.keys import contradicts, keys_asked
from agents.archive.general.question import FactualQuestion
from agents.archive.general.words import LIGHT_STEMS, SYNONYMS
from agents.text.rows import labels_of, row_in_words
from retrieval.values import Passage, PassageKind

ABOVE = 0.7
"""What a word is worth that stands above a passage only."""
COVERAGE, RERANK, FOCUS = 4.0, 3.0, 2.0
"""Weights of what speaks for a passage."""
LIGHT_WEIGHT = 0.15


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A candidate with its scores, each in [0, 1].

    `coverage` is the share of the question's words, `focus` the share of the passage's words that the
    question asks for, `searched` the standing of its chunk in the search. `column` is the cell that answers,
    of a row.
    """

    passage: Passage
    coverage: float
    focus: float = 0.0
    searched: float = 0.0
    column: int | None = None
    rerank: float = 0.0

    @property
    def score(self) -> float:
        """All of it together."""
        return COVERAGE * self.coverage + RERANK * self.rerank + FOCUS * self.focus


def rarity(terms: Sequence[str], candidates: Sequence[CandidatePassage]) -> dict[str, float]:
    """Inverse document frequency of the question's terms over the candidates."""
    counts = Counter(term for one in candidates for term in terms if term in one.own or term in one.place)
    rare = {term: math.log(1 + len(candidates) / (0.5 + counts[term])) for term in terms}
    return {term: weight * (LIGHT_WEIGHT if term in LIGHT_STEMS else 1.0) for term, weight in rare.items()}


def score(question: FactualQuestion, candidates: Sequence[CandidatePassage]) -> list[ScoredPassage]:
    """Scores without the reranker, best first; a heading or a bare label says nothing, and no row answers
    that is about something else.
    """
    asked, weights = keys_asked(question.core), rarity(question.terms, candidates)
    told = [
        one
        for one in candidates
        if (one.passage.row or one.passage.kind is not PassageKind.HEADING)
        and not one.passage.text.rstrip().endswith((":", "："))
        and not contradicts(asked, one.passage)
    ]
    scored = [score_one(candidate, weights) for candidate in told]
    return sorted(scored, key=lambda one: -one.score)


def score_one(candidate: CandidatePassage, weights: dict[str, float]) -> ScoredPassage:
    """One candidate; of a row in the column that says most, if one alone does."""
    read: list[tuple[int | None, Stems]] = [(i, own) for i, own in enumerate(candidate.columns) if own]
    scored = [
        ScoredPassage(
            candidate.passage,
            coverage(candidate, own, weights),
            focus(candidate, own, weights),
            candidate.searched,
            column,
        )
        for column, own in read or [(None, candidate.own)]
    ]
    best = max(scored, key=lambda one: one.coverage)
    rivals = [one for one in scored if one.coverage == best.coverage]
    return best if len(rivals) == 1 else replace(best, column=None)


def coverage(candidate: CandidatePassage, own: Stems, weights: dict[str, float]) -> float:
    """The share of the question's words that a passage says, by their weights; it is read as saying `own`."""
    said = sum(weight * worth(term, own, candidate) for term, weight in weights.items())
    return said / sum(weights.values()) if weights else 0.0


def focus(candidate: CandidatePassage, own: Stems, terms: Collection[str]) -> float:
    """The share of what is said that the question asks for; half at most of a cell, whose row says more."""
    wanted = frozenset(terms).union(*(SYNONYMS.get(term, ()) for term in terms))
    return min(len(own & wanted) / len(own) if own else 0.0, 0.5 if candidate.columns else 1.0)


def worth(term: str, own: Stems, candidate: CandidatePassage) -> float:
    """How far a passage says a term, in [0, 1]."""
    if term in own or not own.isdisjoint(SYNONYMS.get(term, ())):
        return 1.0
    return ABOVE if term in candidate.place or term in candidate.title else 0.0


def text_for_reranker(item: ScoredPassage) -> str:
    """The text that the reranker gets: a sentence under its heading, a cell with labels, head and caption."""
    row = item.passage.row
    if row is None:
        return f"{' '.join(item.passage.section[-1:])} {item.passage.text}"
    if item.column is None:
        return f"{row.caption} {row_in_words(row.header, row.cells)}"
    labels = " ".join(label for _, label in labels_of(row))
    return f"{row.caption} {labels}: {row.header[item.column]} {row.cells[item.column]}"
