"""What comes closest: the paragraphs and tables that say most of a question, each with its best passage.

A block is judged as a whole, since what is asked about and its value often stand in neighbouring sentences.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from agents.archive.general.blocks import apart, block_around
from agents.archive.general.candidates import CandidatePassage, stem_set
from agents.archive.general.question import FactualQuestion
from agents.archive.general.score import ScoredPassage, rarity, share, worth
from agents.archive.tools import LoadedDocument
from retrieval.values import Passage

COVERAGE, SEARCHED, BEST_PASSAGE = 6.5, 5.0, 0.5
"""Weights of what speaks for a block."""
BARE, TOO_SHORT = 2.2, 60
"""A block of fewer characters names what is told below it; it costs so much."""
MUCH = 0.2
"""Share of a question that a second sentence of a block must add to be told with its best one."""
OLDER = 3.0
"""What it costs to stand in an older version of another document."""
SAME = 0.8
"""Share of their words from which two passages say the same."""
KEPT = 6


@dataclass(frozen=True, slots=True)
class NearBlock:
    """A block with its best passage, and how near it comes."""

    block: Passage
    best: ScoredPassage
    nearness: float


def closest_passages(
    question: FactualQuestion,
    candidates: Sequence[CandidatePassage],
    scored: Iterable[ScoredPassage],
    documents: Mapping[str, LoadedDocument],
) -> list[ScoredPassage]:
    """The passages in the blocks that come closest, best first; blocks do not overlap."""
    weights = rarity(question.terms, candidates)
    by_block: dict[tuple[str, int], list[CandidatePassage]] = {}
    blocks: dict[tuple[str, int], Passage] = {}
    for one in candidates:
        document = documents[one.passage.doc_id]
        block = block_around(document, document.passages.index(one.passage))
        blocks[block.doc_id, block.start] = block
        by_block.setdefault((block.doc_id, block.start), []).append(one)
    scores = {(item.passage.doc_id, item.passage.start): item for item in scored}
    near: list[NearBlock] = []
    for key, inside in by_block.items():
        telling = [one for one in inside if (key[0], one.passage.start) in scores]
        if telling:
            best = max((scores[key[0], one.passage.start] for one in telling), key=lambda item: item.score)
            best = replace(best, beside=beside(telling, best.passage, weights))
            older = OLDER * bool(documents[key[0]].document.record.newest_version)
            close = nearness(question, blocks[key], inside, best, weights)
            near.append(NearBlock(blocks[key], best, close - older))
    near.sort(key=lambda found: (-found.nearness, found.block.doc_id, found.block.start))
    distinct = [near[place].best for place in apart([found.block for found in near])]
    return without_repetitions(distinct)[:KEPT]


def beside(inside: Sequence[CandidatePassage], best: Passage, weights: dict[str, float]) -> Passage | None:
    """The sentence of a block that says most of what its `best` one leaves out, if that is much."""
    said = next(one.own for one in inside if one.passage == best)
    left = {term: weight for term, weight in weights.items() if term not in said}

    def adds(one: CandidatePassage) -> float:
        return sum(weight for term, weight in left.items() if term in one.own)

    most = max(inside, key=adds)
    return most.passage if not best.row and adds(most) > MUCH * sum(weights.values()) else None


def without_repetitions(near: Sequence[ScoredPassage]) -> list[ScoredPassage]:
    """Passages without those that say what one before them says, as a protocol and its report do."""
    kept: list[tuple[frozenset[str], ScoredPassage]] = []
    for one in near:
        words = stem_set(one.passage.text)
        if not any(say_the_same(words, said) for said, _ in kept):
            kept.append((words, one))
    return [one for _, one in kept]


def say_the_same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two passages share most of their words, and all of their numbers."""
    alike = len(one & other) > SAME * len(one | other)
    return alike and not any(map(str.isdigit, "".join(one ^ other)))


def nearness(
    question: FactualQuestion,
    block: Passage,
    inside: Sequence[CandidatePassage],
    best: ScoredPassage,
    weights: dict[str, float],
) -> float:
    """How near a block comes: what its passages say of the question together, and its best one alone."""
    said = frozenset[str]().union(*(words for one in inside for words in (one.own, *one.columns)))
    covered = share({term: worth(term, said, inside[0]) for term in question.terms}, weights)
    return (
        COVERAGE * covered
        + SEARCHED * max(one.searched for one in inside)
        + BEST_PASSAGE * best.score
        - BARE * (len(block.text) < TOO_SHORT)
    )
