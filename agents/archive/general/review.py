"""Review for a factual question: the passages that may answer it, best first."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.archive.find import FoundChunk
from agents.archive.general.candidates import candidates_of
from agents.archive.general.question import FactualQuestion, analyse_question
from agents.archive.general.score import ScoredPassage, score, text_for_reranker
from agents.archive.general.search import FoundGenerally
from agents.archive.review import PassageRef
from agents.archive.tools import ArchiveTools, LoadedDocument
from retrieval.molecules.lookup import mentions
from retrieval.values import Molecule, Passage

RERANKED = 24
KEPT = 8
WHOLE_DOCUMENT_PASSAGES = 4000
"""Documents in which a chunk was found are read whole, best first, up to so many passages."""


@dataclass(frozen=True, slots=True)
class ReviewedPassage:
    """A passage and its scores, each in [0, 1]."""

    ref: PassageRef
    score: float
    coverage: float
    rarest: float
    of_answer_type: bool
    exact: bool
    conditions: float
    rerank: float
    column: int | None


@dataclass(frozen=True, slots=True)
class ReviewedGenerally:
    """The passages that may answer, best first, and how many were looked at."""

    passages: tuple[ReviewedPassage, ...]
    looked_at: int


async def review_generally(tools: ArchiveTools, text: str, found: FoundGenerally) -> ReviewedGenerally:
    """Score passages by words, then the best of them by the reranker; keep the best few."""
    question = analyse_question(text, found.names)
    documents = await tools.documents.open_all(tools.index, found.doc_ids)
    scored, looked_at = await asyncio.to_thread(score_documents, question, found, documents)
    top = scored[:RERANKED]
    values = (
        await tools.reranker.score(question.core, [text_for_reranker(item) for item in top]) if top else ()
    )
    registry = await tools.index.molecules()
    mains = {d.document.record.doc_id: d.document.record.main_molecules for d in documents}
    ranked = [
        replace(item, rerank=float(value))
        for item, value in zip(top, values, strict=True)
        if not is_about_other(item.passage, found.molecules, registry, mains[item.passage.doc_id])
    ]
    ranked.sort(key=lambda item: (-item.score, item.passage.doc_id, item.passage.start))
    return ReviewedGenerally(tuple(map(reviewed, ranked[:KEPT])), looked_at)


def score_documents(
    question: FactualQuestion, found: FoundGenerally, documents: Sequence[LoadedDocument]
) -> tuple[list[ScoredPassage], int]:
    """Scores of the passages of the documents found, and how many there were."""
    candidates = [candidate for d in documents for candidate in candidates_of(d.document.record, d.passages)]
    within = spans_of(found.chunks)
    chosen = [
        candidate
        for place, candidate in enumerate(candidates)
        if place < WHOLE_DOCUMENT_PASSAGES or is_within(candidate.passage, within)
    ]
    return score(question, chosen), len(chosen)


def spans_of(chunks: Sequence[FoundChunk]) -> dict[str, list[tuple[int, int]]]:
    """Where the chunks lie, by document."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for chunk in chunks:
        spans.setdefault(chunk.doc_id, []).append((chunk.start, chunk.end))
    return spans


def is_within(passage: Passage, spans: dict[str, list[tuple[int, int]]]) -> bool:
    """Whether a passage begins inside one of the spans of its document."""
    return any(start <= passage.start < end for start, end in spans.get(passage.doc_id, ()))


def is_about_other(
    passage: Passage, question: Sequence[str], registry: Sequence[Molecule], main: Sequence[str]
) -> bool:
    """Whether a passage is about other molecules than those asked about.

    That is what it names; a passage that names none is about what its document is about, `main`.
    """
    if not question:
        return False
    about = {name for _, _, name in mentions(passage.text, registry)} or set(main)
    return bool(about) and about.isdisjoint(question)


def reviewed(item: ScoredPassage) -> ReviewedPassage:
    """A scored passage as it goes into the ledger."""
    ref = PassageRef(item.passage.doc_id, item.passage.start)
    return ReviewedPassage(
        ref,
        item.score,
        item.coverage,
        item.rarest,
        item.of_answer_type,
        item.exact,
        item.conditions,
        item.rerank,
        item.column,
    )
