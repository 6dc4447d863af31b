"""Any factual question: search over all documents whatever their domain, review of passages, and one answer
or none.

This is the deterministic mind: it selects, it does not write. The answer is always a passage as it stands,
with the shortest part of it that answers; where no passage is good enough, the archive does not say.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agents.archive.find import FoundChunk, best
from agents.archive.general.asked import Asked, read_question
from agents.archive.general.extract import Extracted, clean, extract, fields_of
from agents.archive.general.score import Scored, candidates_of, reading, score
from agents.archive.general.tables import ReadRow, read_rows
from agents.archive.investigate import ModelDraft, draft_claim, listed
from agents.archive.models import Draft, DraftClaim
from agents.archive.prompts import load_prompt
from agents.archive.review import PassageRef
from agents.archive.tools import ArchiveTools, ReadDocument
from agents.data_block import data_block
from agents.errors import ModelError
from agents.models import SearchedPlace
from agents.ports import LanguageModel
from retrieval.models import Filters, Passage, SearchRequest, Stage

CHUNKS = 30
RERANKED = 24
KEPT = 8
WHOLE_DOCUMENT_PASSAGES = 4000
"""Documents in which a chunk was found are read whole, best first, up to so many passages."""
ENOUGH_COVERAGE = 0.55
ENOUGH_SCORE = 0.50
LEAST_RAREST = 0.5
ABSENT = "Not stated in the archive."
TOLD = 3
FEW_DOCUMENTS = 5
NEAR = 0.97
"""Share of the best score from which on another passage is told as well."""


@dataclass(frozen=True, slots=True)
class FoundGenerally:
    """Chunks and documents for a general question, and the words of it that name these documents."""

    chunks: tuple[FoundChunk, ...]
    doc_ids: tuple[str, ...]
    names: tuple[str, ...]
    searched: SearchedPlace


@dataclass(frozen=True, slots=True)
class ReviewedPassage:
    """A passage and its scores, each in [0, 1]."""

    ref: PassageRef
    score: float
    coverage: float
    rarest: float
    of_kind: bool
    rerank: float
    column: int | None


@dataclass(frozen=True, slots=True)
class ReviewedGenerally:
    """The passages that may answer, best first, and how many were looked at."""

    found: FoundGenerally
    passages: tuple[ReviewedPassage, ...]
    looked_at: int


@dataclass(frozen=True, slots=True)
class GeneralDraft:
    """The answer to a general question, and the domain of the document it stands in."""

    draft: Draft
    domain: Stage
    searched: SearchedPlace


async def search_generally(tools: ArchiveTools, text: str, molecules: tuple[str, ...]) -> FoundGenerally:
    """Hybrid search; a document or study that the question names is searched alone."""
    asked = read_question(text)
    codes, named = await named_documents(tools, asked, molecules)
    filters = Filters(molecules=() if named else molecules, doc_ids=named)
    hits = await tools.retriever.search(SearchRequest(text, filters, CHUNKS))
    chunks = best([hits])
    doc_ids = tuple(dict.fromkeys(chunk.doc_id for chunk in chunks))
    records = await tools.index.records(filters)
    return FoundGenerally(chunks, doc_ids, codes, SearchedPlace(text, None, len(records), 0))


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
    ranked = [replace(item, rerank=float(value)) for item, value in zip(top, values, strict=True)]
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


def reviewed(item: Scored) -> ReviewedPassage:
    """A scored passage as it goes into the ledger."""
    ref = PassageRef(item.passage.doc_id, item.passage.start)
    return ReviewedPassage(
        ref, item.score, item.coverage, item.rarest, item.of_kind, item.rerank, item.column
    )


async def answer_generally(tools: ArchiveTools, text: str, review: ReviewedGenerally) -> GeneralDraft:
    """The model's answer over the best passages, or the best passage if it is good enough."""
    asked = read_question(text, review.found.names)
    documents = await tools.shelf.open_all(
        tools.index, dict.fromkeys(item.ref.doc_id for item in review.passages)
    )
    passages = [passage_at(documents, item.ref) for item in review.passages]
    rows = {d.document.record.doc_id: read_rows(d.passages) for d in documents}
    draft = await draft_by_model(tools.model, asked, passages)
    draft = draft or draft_by_rules(asked, review, passages, rows)
    if not draft.present:
        return GeneralDraft(draft, Stage.STRATEGIC, review.found.searched)
    first = draft.claims[0].passages[0]
    [record] = await tools.index.records(Filters(doc_ids=(first.doc_id,)))
    return GeneralDraft(draft, record.stages[0] if record.stages else Stage.STRATEGIC, review.found.searched)


async def draft_by_model(
    model: LanguageModel | None, asked: Asked, passages: Sequence[Passage]
) -> Draft | None:
    """The model's draft; None without a model, or when it gives no usable answer."""
    if model is None or not passages:
        return None
    prompt = load_prompt("general")
    keyed = {f"P{number}": passage for number, passage in enumerate(passages, 1)}
    try:
        given = await model.ask(
            prompt.role,
            prompt.render(kind=asked.kind.value),
            f"{data_block(asked.text)}\n\n{listed(keyed)}",
            ModelDraft,
        )
    except ModelError:
        return None
    claims = tuple(claim for said in given.claims if (claim := draft_claim(said, keyed)).passages)
    if not given.present or not claims:
        return Draft(False, "", ABSENT)
    return Draft(
        True, given.short, given.headline, claims, fields_of(Extracted(given.short), claims[0].passages[0])
    )


def draft_by_rules(
    asked: Asked,
    review: ReviewedGenerally,
    passages: Sequence[Passage],
    rows: Mapping[str, Mapping[int, ReadRow]],
) -> Draft:
    """The best passage that is good enough, with those that are as good."""
    good = [
        (item, passage) for item, passage in zip(review.passages, passages, strict=True) if is_enough(item)
    ]
    if not good:
        return Draft(False, "", ABSENT)
    best_item, best_passage = good[0]
    row = rows[best_passage.doc_id].get(best_passage.start)
    extracted = extract(asked, best_passage, row, best_item.column)
    claims = [
        DraftClaim(told(passage, rows), (passage,))
        for item, passage in good
        if item.score >= NEAR * best_item.score
    ]
    return Draft(
        True, extracted.short, headline(extracted), tuple(claims[:TOLD]), fields_of(extracted, best_passage)
    )


def is_enough(item: ReviewedPassage) -> bool:
    """Calibrated on questions with and without an answer in real reports (tests/agents/archive/general)."""
    return (
        item.of_kind
        and item.coverage >= ENOUGH_COVERAGE
        and item.score >= ENOUGH_SCORE
        and item.rarest >= LEAST_RAREST
    )


def passage_at(documents: Sequence[ReadDocument], ref: PassageRef) -> Passage:
    """The passage that begins there."""
    [document] = [d for d in documents if d.document.record.doc_id == ref.doc_id]
    return next(passage for passage in document.passages if passage.start == ref.start)


def headline(extracted: Extracted) -> str:
    """The short answer with its place in a table."""
    place = ", ".join(filter(None, (extracted.row, extracted.column)))
    return f"{extracted.short} ({place})" if place and extracted.column else extracted.short


def told(passage: Passage, rows: Mapping[str, Mapping[int, ReadRow]]) -> str:
    """A passage as a statement: the sentence itself; of a row its cells."""
    row = rows[passage.doc_id].get(passage.start)
    if row is None:
        return clean(passage.text)
    return "; ".join(clean(cell) for cell in row.cells if cell)
