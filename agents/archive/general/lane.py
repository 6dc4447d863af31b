"""Finding passages for any factual question: search over all documents whatever their domain, and review."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.archive.answer import SearchedPlace
from agents.archive.find import FoundChunk, best
from agents.archive.general.asked import Asked, read_question
from agents.archive.general.candidates import candidates_of
from agents.archive.general.score import Scored, reading, score
from agents.archive.review import PassageRef
from agents.archive.tools import ArchiveTools, ReadDocument
from retrieval.molecules.lookup import mentions
from retrieval.values import Filters, Molecule, Passage, SearchRequest

CHUNKS = 30
RERANKED = 24
KEPT = 8
WHOLE_DOCUMENT_PASSAGES = 4000
"""Documents in which a chunk was found are read whole, best first, up to so many passages."""
FEW_DOCUMENTS = 5


@dataclass(frozen=True, slots=True)
class FoundGenerally:
    """Chunks and documents for a general question. `names` are its words that name documents or molecules."""

    chunks: tuple[FoundChunk, ...]
    doc_ids: tuple[str, ...]
    names: tuple[str, ...]
    molecules: tuple[str, ...]
    searched: SearchedPlace


@dataclass(frozen=True, slots=True)
class ReviewedPassage:
    """A passage and its scores, each in [0, 1]."""

    ref: PassageRef
    score: float
    coverage: float
    rarest: float
    of_kind: bool
    exact: bool
    conditions: float
    rerank: float
    column: int | None


@dataclass(frozen=True, slots=True)
class ReviewedGenerally:
    """The passages that may answer, best first, and how many were looked at."""

    found: FoundGenerally
    passages: tuple[ReviewedPassage, ...]
    looked_at: int


async def search_generally(tools: ArchiveTools, text: str, molecules: tuple[str, ...]) -> FoundGenerally:
    """Hybrid search; a document or study that the question names is searched alone."""
    asked = read_question(text)
    codes, named = await named_documents(tools, asked, molecules)
    filters = Filters(molecules=() if named else molecules, doc_ids=named)
    hits = await tools.retriever.search(SearchRequest(text, filters, CHUNKS))
    chunks = best([hits])
    doc_ids = tuple(dict.fromkeys(chunk.doc_id for chunk in chunks))
    records = await tools.index.records(filters)
    written = [text[start:end] for start, end, _ in mentions(text, await tools.index.molecules())]
    names = tuple(dict.fromkeys((*codes, *(written if molecules else ()))))
    about = () if named else molecules
    return FoundGenerally(chunks, doc_ids, names, about, SearchedPlace(text, None, len(records), 0))


async def named_documents(
    tools: ArchiveTools, asked: Asked, molecules: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Codes of the question that name documents or studies, and the few documents that have all its codes.

    A code that is no molecule's name leads to the documents that write it, be it a study, a lot or an animal.
    """
    called = {code: await documents_called(tools, code) for code in asked.codes if code not in molecules}
    groups = [doc_ids for doc_ids, _ in called.values() if doc_ids]
    chosen = (set.intersection(*groups) or set().union(*groups)) if groups else set()
    names = tuple(code for code, (doc_ids, is_name) in called.items() if doc_ids and is_name)
    return names, tuple(sorted(chosen))


async def documents_called(tools: ArchiveTools, code: str) -> tuple[set[str], bool]:
    """Documents that have a code in their id or title, or else a few that write it; and whether it names a
    study.
    """
    records = await tools.index.records()
    named = {r.doc_id for r in records if code.lower() in f"{r.doc_id} {r.title}".lower()}
    if named:
        return named, True
    hits = await tools.index.lexical(SearchRequest(code, Filters(), CHUNKS))
    chunks = await tools.index.chunks([chunk_id for chunk_id, _ in hits])
    writing = [chunk for chunk in chunks if code.lower() in chunk.text.lower()]
    study = re.compile(
        rf"\b(?:study|protocol|trial|report|project)\W+(?:\w+\W+){{0,3}}{re.escape(code)}\b", re.IGNORECASE
    )
    doc_ids = {chunk.doc_id for chunk in writing}
    few = doc_ids if len(doc_ids) <= FEW_DOCUMENTS else set()
    return few, any(study.search(chunk.text) for chunk in writing)


async def review_generally(tools: ArchiveTools, text: str, found: FoundGenerally) -> ReviewedGenerally:
    """Score passages by words, then the best of them by the reranker; keep the best few."""
    asked = read_question(text, found.names)
    documents = await tools.shelf.open_all(tools.index, found.doc_ids)
    scored, looked_at = await asyncio.to_thread(score_documents, asked, found, documents)
    top = scored[:RERANKED]
    values = await tools.reranker.score(asked.core, [reading(item) for item in top]) if top else ()
    registry = await tools.index.molecules()
    mains = {d.document.record.doc_id: d.document.record.main_molecules for d in documents}
    ranked = [
        replace(item, rerank=float(value))
        for item, value in zip(top, values, strict=True)
        if not is_about_other(item.passage, found.molecules, registry, mains[item.passage.doc_id])
    ]
    ranked.sort(key=lambda item: (-item.score, item.passage.doc_id, item.passage.start))
    searched = replace(found.searched, passages=looked_at)
    return ReviewedGenerally(
        replace(found, searched=searched), tuple(map(reviewed, ranked[:KEPT])), looked_at
    )


def score_documents(
    asked: Asked, found: FoundGenerally, documents: Sequence[ReadDocument]
) -> tuple[list[Scored], int]:
    """Scores of the passages of the documents found, and how many there were."""
    candidates = [candidate for d in documents for candidate in candidates_of(d.document.record, d.passages)]
    within = spans_of(found.chunks)
    chosen = [
        candidate
        for place, candidate in enumerate(candidates)
        if place < WHOLE_DOCUMENT_PASSAGES or is_within(candidate.passage, within)
    ]
    return score(asked, chosen), len(chosen)


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
    passage: Passage, asked: Sequence[str], registry: Sequence[Molecule], main: Sequence[str]
) -> bool:
    """Whether a passage is about other molecules than those asked about.

    That is what it names; a passage that names none is about what its document is about, `main`.
    """
    if not asked:
        return False
    about = {name for _, _, name in mentions(passage.text, registry)} or set(main)
    return bool(about) and about.isdisjoint(asked)


def reviewed(item: Scored) -> ReviewedPassage:
    """A scored passage as it goes into the ledger."""
    ref = PassageRef(item.passage.doc_id, item.passage.start)
    return ReviewedPassage(
        ref,
        item.score,
        item.coverage,
        item.rarest,
        item.of_kind,
        item.exact,
        item.conditions,
        item.rerank,
        item.column,
    )
