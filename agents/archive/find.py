"""Finding (DiscoVerse, section 2.2): a typed question is decomposed into the searches that its file has for
each domain. Filters are applied inside the index.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.archive.answer import SearchedPlace
from agents.archive.library import QuestionType
from agents.archive.tools import ArchiveTools
from retrieval.values import Chunk, Domain, Filters, Hit, SearchRequest

CHUNKS_PER_QUERY = 12
MOST_CHUNKS = 24
MOST_DOCUMENTS = 150
"""Documents of one molecule and domain that are read at most."""
CHUNKS_OF_A_NAME = 30


@dataclass(frozen=True, slots=True)
class FoundChunk:
    """Where a chunk lies, and its fused score."""

    chunk_id: str
    doc_id: str
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class Found:
    """What the searches found for one question type and molecule, over all its domains.

    `doc_ids` are the documents to be read, best hits first: all of the molecule's documents (recall before
    precision: a highest value may stand in a document no search ranks high). Where rules alone read those,
    nothing is searched, and there are no `chunks`.
    """

    question_type: str
    molecule: str
    chunks: tuple[FoundChunk, ...]
    doc_ids: tuple[str, ...]
    searched: tuple[SearchedPlace, ...]


async def find(tools: ArchiveTools, question_type: str, molecules: tuple[str, ...]) -> tuple[Found, ...]:
    """What is found for each molecule by the searches that the question type's file has for each domain."""
    return tuple([await find_molecule(tools, tools.library[question_type], one) for one in molecules])


async def find_molecule(tools: ArchiveTools, kind: QuestionType, molecule: str) -> Found:
    """The searches of all domains for one molecule."""
    chunks, doc_ids, places = list[FoundChunk](), dict[str, None](), list[SearchedPlace]()
    for domain in (domain for domain in Domain if domain in kind.queries):
        asked = [search.replace("{molecule}", molecule) for search in kind.queries[domain]]
        filters = Filters(molecules=(molecule,), stages=(domain,))
        records = await tools.index.records(filters)
        reads_all = tools.model is None and len(records) <= MOST_DOCUMENTS
        searches = [SearchRequest(text, filters, CHUNKS_PER_QUERY) for text in asked]
        hits = [await tools.retriever.search(one) for one in searches if records and not reads_all]
        own = best(hits)
        ids = dict.fromkeys((*(one.doc_id for one in own), *(record.doc_id for record in records)))
        read = list(ids)[:MOST_DOCUMENTS]
        chunks += own
        doc_ids |= dict.fromkeys(read)
        places.append(SearchedPlace("; ".join(asked), domain, len(read)))
    return Found(kind.id, molecule, tuple(chunks), tuple(doc_ids), tuple(places))


def best(results: Sequence[Sequence[Hit]]) -> tuple[FoundChunk, ...]:
    """Chunks of several searches, each with its best score, best first."""
    scores: dict[str, FoundChunk] = {}
    for hit in (hit for hits in results for hit in hits):
        seen = scores.get(hit.chunk.chunk_id)
        if seen is None or hit.score > seen.score:
            chunk = hit.chunk
            scores[chunk.chunk_id] = FoundChunk(
                chunk.chunk_id, chunk.doc_id, chunk.start, chunk.end, hit.score
            )
    return tuple(sorted(scores.values(), key=lambda chunk: (-chunk.score, chunk.chunk_id))[:MOST_CHUNKS])


async def that_write(tools: ArchiveTools, name: str) -> list[Chunk]:
    """The first chunks that write a name as a word of its own, in text, heads or the id of the document."""
    hits = await tools.index.lexical(SearchRequest(name, Filters(), CHUNKS_OF_A_NAME))
    chunks = await tools.index.chunks([chunk_id for chunk_id, _ in hits])
    written = re.compile(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", re.IGNORECASE)
    return [chunk for chunk in chunks if written.search(f"{chunk.doc_id} {chunk.context} {chunk.text}")]
