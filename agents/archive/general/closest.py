"""What comes closest: the paragraphs and tables that say most of a question, where none surely answers.

A block is judged as a whole, since what is asked about and its value often stand in neighbouring sentences.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from agents.archive.general.blocks import apart, block_around
from agents.archive.general.candidates import CandidatePassage, Stems
from agents.archive.general.question import AnswerType, FactualQuestion
from agents.archive.general.score import ScoredPassage, rarity, with_acronyms, worth
from agents.archive.general.spans import has_answer_type
from agents.archive.tools import LoadedDocument
from retrieval.values import Passage

COVERAGE, SEARCHED, BEST_PASSAGE, TYPE = 6.5, 5.0, 0.4, 1.0
"""Weights of what speaks for a block, learnt on 239 questions over six archives (a softmax over the blocks of
the best chunks) and rounded.
"""
TABLE, TABLE_DECIDES = 2.0, -0.5
"""What speaks for a table; to a question for yes or no a sentence decides."""
BARE, TOO_SHORT = 2.2, 60
"""A block of fewer characters is a title or a label, and costs so much."""
KEPT = 6
UNTYPED = (AnswerType.TEXT, AnswerType.YES_NO)


@dataclass(frozen=True, slots=True)
class NearBlock:
    """A block with the passage that it was grown from, and how near it comes."""

    block: Passage
    passage: Passage
    nearness: float


def closest_passages(
    question: FactualQuestion,
    candidates: Sequence[CandidatePassage],
    scored: Iterable[ScoredPassage],
    documents: Mapping[str, LoadedDocument],
) -> list[Passage]:
    """The passages in the blocks that come closest, best first; blocks do not overlap."""
    scores = {(item.passage.doc_id, item.passage.start): item.score for item in scored}
    told = [with_acronyms(question, candidate) for candidate in candidates]
    weights = rarity(question.terms, told)
    by_document: dict[str, list[CandidatePassage]] = {}
    for candidate in told:
        by_document.setdefault(candidate.passage.doc_id, []).append(candidate)
    near = [
        found
        for doc_id, inside in by_document.items()
        for found in near_blocks(question, inside, scores, weights, documents[doc_id])
    ]
    near.sort(key=lambda found: (-found.nearness, found.block.doc_id, found.block.start))
    kept = apart([found.block for found in near])[:KEPT]
    return [near[place].passage for place in kept]


def near_blocks(
    question: FactualQuestion,
    candidates: Sequence[CandidatePassage],
    scores: Mapping[tuple[str, int], float],
    weights: Mapping[str, float],
    document: LoadedDocument,
) -> Iterable[NearBlock]:
    """The blocks of one document, each under the candidate of its own that answers best."""
    places = {passage.start: place for place, passage in enumerate(document.passages)}
    best: dict[tuple[int, int], tuple[float, CandidatePassage, Passage]] = {}
    for candidate in candidates:
        start = candidate.passage.start
        block = block_around(document, places[start])
        own = scores.get((candidate.passage.doc_id, start), 0.0)
        known = best.get((block.start, block.end))
        if known is None or own > known[0]:
            best[block.start, block.end] = own, candidate, block
    for own, candidate, block in best.values():
        inside = [one for one in candidates if block.start <= one.passage.start < block.end]
        covered = coverage(question, candidate, said_in(inside), weights)
        typed = question.answer_type not in UNTYPED and has_answer_type(block.text, question)
        nearness = (
            COVERAGE * covered
            + SEARCHED * max(one.searched for one in inside)
            + BEST_PASSAGE * max(own, 0.0)
            + TYPE * typed
            + table_worth(question, candidate)
            - BARE * (len(block.text) < TOO_SHORT)
        )
        yield NearBlock(block, candidate.passage, nearness)


def said_in(inside: Iterable[CandidatePassage]) -> Stems:
    """What the passages of a block say, rows with the heads of their columns."""
    return frozenset().union(*(words for one in inside for words in (one.own, *one.columns)))


def table_worth(question: FactualQuestion, candidate: CandidatePassage) -> float:
    """What it is worth that a block is a table: values stand there, and decisions in sentences."""
    if candidate.row is None:
        return 0.0
    return TABLE_DECIDES if question.answer_type is AnswerType.YES_NO else TABLE


def coverage(
    question: FactualQuestion, candidate: CandidatePassage, said: Stems, weights: Mapping[str, float]
) -> float:
    """The share of the question's words that a block says, itself or by its place."""
    total = sum(weights.values())
    alone = replace(candidate, before=frozenset())
    return sum(weights[term] * worth(term, said, alone) for term in question.terms) / total if total else 0.0
