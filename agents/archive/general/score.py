"""How well a passage answers a factual question, from its words and its place; the reranker's view is added
to it.

A word counts by its inverse document frequency over the candidates. It counts in full where the passage
itself says it, less where a synonym, the passage before, the heading, the table's caption or the document's
title says it.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from agents.archive.general.asked import Asked, Kind
from agents.archive.general.spans import has_kind
from agents.archive.general.words import LIGHT_STEMS, stems, synonyms
from retrieval.models import DocumentRecord, Passage, PassageKind

OWN, SYNONYM, BEFORE, PLACE, TITLE = 1.0, 0.8, 0.7, 0.75, 0.6
"""What a word is worth by where it is said."""
RERANK_WEIGHT, KIND_WEIGHT, FOCUS_WEIGHT = 0.30, 0.12, 0.10
COVERAGE_WEIGHT = 1.0 - RERANK_WEIGHT - KIND_WEIGHT - FOCUS_WEIGHT


LIGHT_WEIGHT = 0.25
SECTION_NUMBER = re.compile(r"\d+(?:\.\d+)*")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage with the stems it says itself, and those said before it, above it, and in its document's
    title.
    """

    passage: Passage
    own: frozenset[str]
    before: frozenset[str]
    place: frozenset[str]
    title: frozenset[str]

    def worth(self, term: str) -> float:
        """How far the passage says a term, in [0, 1]."""
        if term in self.own:
            return OWN
        others = synonyms(term)
        if not others.isdisjoint(self.own):
            return SYNONYM
        if term in self.place:
            return PLACE
        if term in self.before:
            return BEFORE
        if not others.isdisjoint(self.place) or not others.isdisjoint(self.before):
            return SYNONYM * PLACE
        return TITLE if term in self.title else 0.0


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its scores, each in [0, 1].

    `coverage` is the share of the question's words, `rarest` the worth of its rarest word, `focus` the share
    of the passage's words that the question asks for.
    """

    passage: Passage
    coverage: float
    focus: float
    rarest: float
    of_kind: bool
    rerank: float = 0.0

    @property
    def score(self) -> float:
        """All of it together."""
        return (
            COVERAGE_WEIGHT * self.coverage
            + RERANK_WEIGHT * self.rerank
            + KIND_WEIGHT * self.of_kind
            + FOCUS_WEIGHT * self.focus
        )


def candidates_of(record: DocumentRecord, passages: Sequence[Passage]) -> list[Candidate]:
    """Candidates of a document, headings left out."""
    title = frozenset(stems(f"{record.title} {record.doc_id}"))
    found = []
    before: frozenset[str] = frozenset()
    for passage in passages:
        own = frozenset(stems(passage.text))
        if passage.kind is not PassageKind.HEADING:
            found.append(Candidate(passage, own, before, frozenset(stems(place_of(passage))), title))
        before = own
    return found


def place_of(passage: Passage) -> str:
    """Headings above a passage, and of a table row its caption and column headers."""
    table = f"{passage.row.caption} {' '.join(passage.row.header)}" if passage.row is not None else ""
    return f"{' '.join(passage.section[-2:])} {table}"


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
    total = sum(weights.values())
    scored = [score_one(asked, candidate, weights, total) for candidate in candidates if total]
    return sorted(
        (s for s in scored if s.coverage > 0), key=lambda s: (-s.score, s.passage.doc_id, s.passage.start)
    )


def score_one(asked: Asked, candidate: Candidate, weights: dict[str, float], total: float) -> Scored:
    """One candidate."""
    worths = {term: candidate.worth(term) for term in asked.terms}
    coverage = sum(weights[term] * worth for term, worth in worths.items()) / total
    said = sum(not synonyms(term).isdisjoint(candidate.own) for term in asked.terms)
    rarest = max(asked.terms, key=lambda term: weights[term])
    return Scored(
        candidate.passage,
        coverage,
        said / max(len(candidate.own), len(asked.terms), 1),
        worths[rarest],
        answers_kind(asked, candidate.passage),
    )


def says_something(asked: Asked, passage: Passage) -> bool:
    """Whether a passage says anything beyond the question's words and numbers of sections: a bare heading does not."""
    known = {other for term in asked.terms for other in synonyms(term)}
    new = [word for word in stems(passage.text) if word not in known]
    return any(not SECTION_NUMBER.fullmatch(word) for word in new) or (
        bool(new) and asked.kind is not Kind.TEXT
    )


def answers_kind(asked: Asked, passage: Passage) -> bool:
    """Whether the passage holds something of the kind asked for that the question does not say itself."""
    if asked.kind in (Kind.TEXT, Kind.YES_NO):
        return True
    return has_kind(passage.text, asked.kind)
