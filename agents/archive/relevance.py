"""Relevance review (DiscoVerse, section 2.2): a reranker score over its threshold, and a relevance judgement.

The judgement checks the required evidence of the question type. A language model judges relevance while it
reads (`agents.archive.read`). For exhaustive types the score only orders what is read: leaving a passage out
because it scored low could hide the highest value, and the judgement alone discards (recall first). What is
discarded is counted.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.archive.find import Found, FoundChunk
from agents.archive.library import QuestionType
from agents.archive.tools import ArchiveTools, LoadedDocument
from retrieval.values import Passage, PassageKind

NEIGHBOURS = 1
"""A passage is judged together with this many passages before and after it: a dose and its event may be two
sentences.
"""
RERANKED = 12


@dataclass(frozen=True, slots=True)
class PassageRef:
    """A passage, by where it begins."""

    doc_id: str
    start: int


@dataclass(frozen=True, slots=True)
class RelevanceReview:
    """What a review kept for one type and molecule, most relevant first, and how much it discarded."""

    retained: tuple[PassageRef, ...]
    discarded_by_score: int = 0
    discarded_by_judgement: int = 0


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What was found for one type and molecule, and its review. The two steps keep one of them each."""

    found: Found
    review: RelevanceReview


async def review(tools: ArchiveTools, batch: tuple[Found, ...]) -> tuple[RelevanceReview, ...]:
    """Review everything that one domain found."""
    return tuple([await review_one(tools, found) for found in batch])


async def review_one(tools: ArchiveTools, found: Found) -> RelevanceReview:
    """Keep the relevant passages of one question type and molecule."""
    kind = tools.library[found.question_type]
    documents = await tools.documents.open_all(tools.index, found.doc_ids)
    scores = await chunk_scores(tools, found, documents)
    candidates = [p for document in documents for p in document.passages if p.kind is not PassageKind.HEADING]
    scored = [p for p in candidates if kind.exhaustive or score_of(p, scores) >= tools.reranker.threshold]
    relevant = [p for document in documents for p in judge_by_rules(kind, document.passages)]
    offsets = {(p.doc_id, p.start) for p in scored}
    kept = sorted(
        (p for p in relevant if (p.doc_id, p.start) in offsets),
        key=lambda p: (-score_of(p, scores), found.doc_ids.index(p.doc_id), p.start),
    )
    return RelevanceReview(
        tuple(PassageRef(p.doc_id, p.start) for p in kept),
        len(candidates) - len(scored),
        len(scored) - len(kept),
    )


Scores = dict[str, list[tuple[FoundChunk, float]]]


async def chunk_scores(tools: ArchiveTools, found: Found, documents: Sequence[LoadedDocument]) -> Scores:
    """Reranker scores of the best chunks by document; [0, 1], comparable across questions."""
    texts = {read.document.record.doc_id: read.document.text for read in documents}
    chunks = [chunk for chunk in found.chunks if chunk.doc_id in texts][:RERANKED]
    if not chunks or (tools.model is None and tools.library[found.question_type].exhaustive):
        return {}
    values = await tools.reranker.score(
        found.searched.query, [texts[c.doc_id][c.start : c.end] for c in chunks]
    )
    scores: Scores = {}
    for chunk, value in zip(chunks, values, strict=True):
        scores.setdefault(chunk.doc_id, []).append((chunk, float(value)))
    return scores


def score_of(passage: Passage, scores: Scores) -> float:
    """Score of the best chunk around a passage; 0 where none was scored."""
    around = [value for c, value in scores.get(passage.doc_id, ()) if c.start <= passage.start < c.end]
    return max(around, default=0.0)


def judge_by_rules(kind: QuestionType, passages: Sequence[Passage]) -> list[Passage]:
    """Passages that carry part of the required evidence, and whose neighbourhood carries all of it."""
    texts = [text_in_place(passage) for passage in passages]
    hits = [[bool(group.expression.search(text)) for group in kind.required_evidence] for text in texts]
    kept = []
    for i, passage in enumerate(passages):
        if passage.kind is PassageKind.HEADING or not (any(hits[i]) or not kind.required_evidence):
            continue
        window = hits[max(0, i - NEIGHBOURS) : i + NEIGHBOURS + 1]
        if all(any(column) for column in zip(*window, strict=True)):
            kept.append(passage)
    return kept


def text_in_place(passage: Passage) -> str:
    """A passage as it is understood in its place: under its heading, a row with caption and header."""
    place = " ".join(passage.section[-1:])
    if passage.row is not None:
        place = f"{place} {passage.row.caption} {' '.join(passage.row.header)}"
    return f"{place} {passage.text}"
