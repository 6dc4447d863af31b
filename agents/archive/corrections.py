"""Corrections: which document of the archive corrects which other, found and told with what it corrects."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from agents.archive.answer import Answer
from agents.archive.find import FoundChunk, best
from agents.archive.tools import ArchiveTools
from retrieval.ingest.self_description import is_correction
from retrieval.molecules.codes import code_key
from retrieval.values import DocumentRecord, Filters, SearchRequest

LOOKED_AT = 6
"""Documents, best first, whose corrections are looked for."""
CHUNKS = 2
"""Chunks of a correction that are read: most are of one page."""
SHORTEST_TITLE = 20


def corrected_by(record: DocumentRecord, others: Iterable[DocumentRecord]) -> tuple[str, ...]:
    """The ids of the documents that a correction is of; () for one that is no correction."""
    if not is_correction(record.title, record.document_type):
        return ()
    return tuple(
        one.doc_id
        for one in others
        if not is_correction(one.title, one.document_type)
        and (_names(record.title, one) or _of_same_study(record, one))
    )


def corrections_of(
    records: Sequence[DocumentRecord], doc_ids: Iterable[str]
) -> dict[str, tuple[DocumentRecord, ...]]:
    """The corrections of each of some documents that has any."""
    wanted = set(doc_ids)
    corrected = [record for record in records if record.doc_id in wanted]
    found: dict[str, tuple[DocumentRecord, ...]] = {}
    for record in records:
        for doc_id in corrected_by(record, corrected):
            found[doc_id] = (*found.get(doc_id, ()), record)
    return found


async def with_corrections(
    tools: ArchiveTools, text: str, chunks: Sequence[FoundChunk]
) -> tuple[FoundChunk, ...]:
    """Chunks, best first, each first one of a document with those of its corrections behind it."""
    first = list(dict.fromkeys(chunk.doc_id for chunk in chunks))[:LOOKED_AT]
    found = corrections_of(await tools.index.records(), first)
    kept: dict[str, FoundChunk] = {}
    for chunk in chunks:
        kept.setdefault(chunk.chunk_id, chunk)
        ids = tuple(record.doc_id for record in found.pop(chunk.doc_id, ()))
        if ids:
            hits = await tools.retriever.search(SearchRequest(text, Filters(doc_ids=ids), CHUNKS))
            for own in best([hits]):
                kept.setdefault(own.chunk_id, replace(own, score=chunk.score))
    return tuple(kept.values())


def with_marks(answer: Answer, records: Sequence[DocumentRecord]) -> Answer:
    """The answer, its citations of corrected documents marked with what corrects them."""
    found = corrections_of(records, (one.doc_id for one in answer.citations))
    marked = tuple(
        replace(one, corrected=", ".join(record.doc_id for record in found.get(one.doc_id, ())))
        for one in answer.citations
    )
    return replace(answer, citations=marked) if found else answer


def _of_same_study(record: DocumentRecord, other: DocumentRecord) -> bool:
    return bool(record.study_id) and code_key(record.study_id) == code_key(other.study_id)


def _names(title: str, record: DocumentRecord) -> bool:
    """Whether a title has a document's title, its id or its study's number, whatever divides the parts."""
    if len(record.title) >= SHORTEST_TITLE and record.title.casefold() in title.casefold():
        return True
    parts = [re.findall(r"[^\W_]+", name) for name in (record.doc_id, record.study_id)]
    dividing = (r"[\W_]*".join(map(re.escape, own)) for own in parts if len(own) > 1)
    return any(re.search(rf"(?i)(?<![^\W_]){name}(?![^\W_])", title) for name in dividing)
