"""How well a passage answers a question: from its words, its place, late interaction and the search.

A word counts by its inverse document frequency over the candidates: in full where the passage itself says it,
less where a synonym, a heading, a caption or the title does. Of a row of a table the labels and the column
that fits best are read, so that a row is not credited with another column.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.archive.general.candidates import CandidatePassage, Stems
from agents.archive.general.keys import contradicts, keys_asked
from agents.archive.general.question import FactualQuestion
from agents.archive.general.words import LIGHT_STEMS, SYNONYMS, names_any, stems
from agents.text.rows import label_places, row_in_words
from retrieval.values import Passage, PassageKind

OWN, SYNONYM, PLACE, TITLE = 1.0, 0.85, 0.75, 0.65
"""What a word is worth by where it is said."""
COVERAGE, RERANK, FOCUS, VALUE = 4.0, 3.0, 2.0, 6.0
"""Weights of what speaks for a passage."""
NUMBER = re.compile(r"(?<![\w-])\d")
"""A number that is no part of a code."""
LIGHT_WEIGHT = 0.15


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A candidate with its scores, each in [0, 1].

    `coverage` is the share of the question's words, `focus` the share of the passage's words, or of its
    label's, that the question asks for, `searched` the standing of its chunk in the search. `column` is the
    cell that answers, of a row; `value` says whether a measure that is asked for stands with a number.
    `beside` is a sentence of the same block that says more of the question.
    """

    passage: Passage
    coverage: float
    focus: float = 0.0
    searched: float = 0.0
    column: int | None = None
    value: bool = False
    rerank: float = 0.0
    beside: Passage | None = None

    @property
    def score(self) -> float:
        """All of it together."""
        return COVERAGE * self.coverage + RERANK * self.rerank + FOCUS * self.focus + VALUE * self.value


def rarity(terms: Sequence[str], candidates: Sequence[CandidatePassage]) -> dict[str, float]:
    """Inverse document frequency of the question's terms over the candidates."""
    counts = Counter(
        term for candidate in candidates for term in terms if term in candidate.own or term in candidate.place
    )
    rare = {term: math.log(1 + len(candidates) / (0.5 + counts[term])) for term in terms}
    return {term: weight * (LIGHT_WEIGHT if term in LIGHT_STEMS else 1.0) for term, weight in rare.items()}


def score(question: FactualQuestion, candidates: Sequence[CandidatePassage]) -> list[ScoredPassage]:
    """Scores without the reranker, best first; a bare label or a repetition of the question says
    nothing, and no row answers that is about something else.
    """
    weights = rarity(question.terms, candidates)
    asked = keys_asked(question.core)
    told = [
        one
        for one in candidates
        if says_something(question, one.passage) and not contradicts(asked, one.passage)
    ]
    scored = [score_one(question, candidate, weights) for candidate in told]
    return sorted(scored, key=lambda s: (-s.score, s.passage.doc_id, s.passage.start))


def score_one(
    question: FactualQuestion, candidate: CandidatePassage, weights: dict[str, float]
) -> ScoredPassage:
    """One candidate; of a row in the column that says most, if one alone does."""
    if not candidate.columns:
        return score_words(question, candidate, candidate.own, weights, None)
    scored = [
        score_words(question, candidate, words, weights, column)
        for column, words in enumerate(candidate.columns)
        if words
    ]
    best = max(scored, key=lambda one: one.coverage)
    rivals = [one for one in scored if one.coverage == best.coverage]
    return best if len(rivals) == 1 else replace(best, column=None)


def score_words(
    question: FactualQuestion,
    candidate: CandidatePassage,
    own: Stems,
    weights: dict[str, float],
    column: int | None,
) -> ScoredPassage:
    """A candidate that is read as saying `own`."""
    passage = candidate.passage
    worths = {term: worth(term, own, candidate) for term in question.terms}
    return ScoredPassage(
        passage,
        share(worths, weights),
        focus(question, candidate, own),
        candidate.searched,
        column,
        tells_value(question, passage),
    )


def tells_value(question: FactualQuestion, passage: Passage) -> bool:
    """Whether a measure that the question asks for stands in a passage, or in its heads, with a number."""
    text = " ".join((*(passage.row.header if passage.row else ()), passage.text))
    return bool(NUMBER.search(passage.text)) and any(names_any(text, one) for one in question.measures)


def focus(question: FactualQuestion, candidate: CandidatePassage, own: Stems) -> float:
    """The share of what is said that the question asks for; at best of a label alone, but for a wide row."""
    wanted = frozenset(question.terms).union(*(SYNONYMS.get(term, ()) for term in question.terms))
    shares = [len(words & wanted) / len(words) for words in (candidate.label, own) if words]
    return min(max(shares, default=0.0), 0.5 if candidate.columns else 1.0)


def share(worths: dict[str, float], weights: dict[str, float]) -> float:
    """The share of the question's words that is said, by their weights."""
    total = sum(weights.values())
    return sum(weights[term] * worths[term] for term in worths) / total if total else 0.0


def worth(term: str, own: Stems, candidate: CandidatePassage) -> float:
    """How far a passage says a term, in [0, 1]."""
    if term in own:
        return OWN
    if not own.isdisjoint(SYNONYMS.get(term, ())):
        return SYNONYM
    if term in candidate.place:
        return PLACE
    return TITLE if term in candidate.title else 0.0


def text_for_reranker(item: ScoredPassage) -> str:
    """The text that the reranker gets: a sentence under its heading, a cell with labels, head and caption."""
    row = item.passage.row
    if row is None:
        return f"{' '.join(item.passage.section[-1:])} {item.passage.text}"
    if item.column is None:
        return f"{row.caption} {row_in_words(row.header, row.cells)}"
    labels = " ".join(row.cells[place] for place in label_places(row))
    return f"{row.caption} {labels}: {row.header[item.column]} {row.cells[item.column]}"


def says_something(question: FactualQuestion, passage: Passage) -> bool:
    """Whether a passage says more than the question: a heading or a label without a value does not."""
    if passage.kind is PassageKind.HEADING and passage.row is None:
        return False
    said = set(stems(passage.text)) - set(question.terms)
    return bool(said) and not passage.text.rstrip().endswith((":", "："))
