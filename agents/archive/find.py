"""Finding (DiscoVerse, section 2.2): hybrid search in each domain.

Filters are applied inside the index.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.archive.answer import SearchedPlace
from agents.archive.tools import ArchiveTools
from agents.archive.values import SubQuery
from retrieval.values import Domain, Filters, Hit, SearchRequest

CHUNKS_PER_QUERY = 12
MOST_CHUNKS = 24
MOST_DOCUMENTS = 150
"""Documents of one molecule and domain that are read at most."""


@dataclass(frozen=True, slots=True)
class PassageRef:
    """A passage, by where it begins."""

    doc_id: str
    start: int


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


async def find(tools: ArchiveTools, queries: tuple[SubQuery, ...]) -> tuple[Found, ...]:
    """Carry out the queries of one question type, molecule by molecule."""
    by_molecule: dict[str, dict[Domain, list[SubQuery]]] = {}
    for query in queries:
        by_molecule.setdefault(query.molecule, {}).setdefault(query.domain, []).append(query)
    found: list[Found] = []
    for molecule, domains in by_molecule.items():
        parts = [await find_in_domain(tools, own) for own in domains.values()]
        found.append(
            Found(
                queries[0].question_type,
                molecule,
                tuple(chunk for chunks, _, _ in parts for chunk in chunks),
                tuple(dict.fromkeys(doc_id for _, doc_ids, _ in parts for doc_id in doc_ids)),
                tuple(place for _, _, place in parts),
            )
        )
    return tuple(found)


async def find_in_domain(
    tools: ArchiveTools, queries: Sequence[SubQuery]
) -> tuple[tuple[FoundChunk, ...], tuple[str, ...], SearchedPlace]:
    """The best chunks of one domain, the documents to be read there, and what was searched."""
    domain, molecule = queries[0].domain, queries[0].molecule
    filters = Filters(molecules=(molecule,), stages=(domain,))
    records = await tools.index.records(filters)
    reads_all = tools.model is None and len(records) <= MOST_DOCUMENTS
    searches = queries if records and not reads_all else ()
    chunks = best(
        [await tools.retriever.search(SearchRequest(q.text, filters, CHUNKS_PER_QUERY)) for q in searches]
    )
    ranked = (chunk.doc_id for chunk in chunks)
    doc_ids = tuple(dict.fromkeys((*ranked, *(record.doc_id for record in records))))[:MOST_DOCUMENTS]
    return chunks, doc_ids, SearchedPlace("; ".join(q.text for q in queries), domain, len(doc_ids))


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
