"""The index of a whole company's archive, in Elasticsearch."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import numpy as np

from retrieval.index.elastic import rows
from retrieval.index.elastic.lock import StateEntry, WriteLock
from retrieval.index.elastic.mapping import vector_field
from retrieval.index.elastic.prepare import (
    DEFAULT,
    Layout,
    delete_versions,
    stored_versions,
)
from retrieval.index.elastic.queries import (
    Body,
    dense_search,
    entries,
    lexical_search,
)
from retrieval.index.elastic.reader import IndexReader
from retrieval.index.elastic.server import Connection, Server
from retrieval.index.elastic.state import Hidden
from retrieval.index.elastic.view import Hit
from retrieval.index.elastic.writer import ElasticWriter
from retrieval.index.rank import ranked
from retrieval.ports import EVERYTHING, Encoder, Stored, Vectors
from retrieval.values import Candidates, Chunk, Document, DocumentRecord, Filters, Molecule, SearchRequest

NEAREST_LOOKED_AT = 200
"""Windows that a search by meaning looks at in the graph, in each shard (`num_candidates`)."""
WAIT_SECONDS = 45.0
"""How long a writer waits for another one: longer than a killed writer holds the index."""
PAGE = 1000
"""Chunks read in one search."""


class ElasticIndex:
    """`Index` behind the alias `layout.alias` on `server`, made when first used if there is none.

    `candidates` is how many windows a search by meaning looks at (more: slower, and nearer to exact),
    `wait_seconds` how long a writer waits for another one
    before it raises `IndexBusy`.

    Every method raises `IndexUnavailable` if the server does not answer for as long as `Server` says,
    `IndexForbidden` if it refuses, and `IndexDamaged` or `EncoderMismatch` as
    `retrieval.index.elastic.prepare` does.
    """

    def __init__(
        self,
        server: Server,
        encoder: Encoder,
        layout: Layout = DEFAULT,
        *,
        candidates: int = NEAREST_LOOKED_AT,
        wait_seconds: float = WAIT_SECONDS,
    ) -> None:
        self._connection = Connection(server)
        self._encoder = encoder
        self._alias = layout.alias
        self._reader = IndexReader(self._connection, layout, encoder)
        self._candidates = candidates
        self._wait_seconds = wait_seconds

    @asynccontextmanager
    async def write(self) -> AsyncIterator[ElasticWriter]:
        """A transaction. Raises `IndexBusy`, `StorageFull`; then nothing of it is kept."""
        await self._reader.prepare()
        lock = WriteLock(StateEntry(self._connection, self._alias))
        writer = ElasticWriter(self._connection, self._alias, self._encoder, lock)
        try:
            await writer.begin(self._wait_seconds)
            yield writer
            await writer.commit()
        except BaseException:
            await writer.roll_back()
            raise
        finally:
            await writer.close()

    async def lexical(self, request: SearchRequest) -> list[tuple[str, float]]:
        """(chunk_id, BM25 score) best first; inverse document frequencies are those of the whole index."""
        (found,) = await self._reader.search(lambda hidden: [self._by_words(request, hidden)])
        return _lexical(found)

    async def dense(self, vector: Vectors, filters: Filters, limit: int) -> list[tuple[str, float]]:
        """(chunk_id, cosine) best first, nearly always the nearest ones (see docs/guide/elasticsearch.md)."""
        (found,) = await self._reader.search(lambda hidden: [self._nearest(vector, filters, limit, hidden)])
        return _dense(found)

    async def candidates(self, request: SearchRequest, vector: Vectors) -> Candidates:
        """Both rankings, in one request."""
        by_words, nearest = await self._reader.search(
            lambda hidden: [
                self._by_words(request, hidden),
                self._nearest(vector, request.filters, request.limit, hidden),
            ]
        )
        return Candidates(tuple(_lexical(by_words)), tuple(_dense(nearest)))

    async def chunks(self, chunk_ids: Sequence[str]) -> list[Chunk]:
        """The chunks with these ids, in the order given."""
        return [chunk for chunk, _ in await self.found(chunk_ids)]

    async def found(self, chunk_ids: Sequence[str]) -> list[tuple[Chunk, DocumentRecord]]:
        """Chunks with their documents' records, in the order given."""
        pages = [chunk_ids[first : first + PAGE] for first in range(0, len(chunk_ids), PAGE)]
        answers = await self._reader.search(
            lambda hidden: [
                entries("chunk", hidden, named=("chunk_id", page), source=["chunk", "record"])
                for page in pages
            ]
        )
        sources = (hit["_source"] for hits in answers for hit in hits)
        known = {source["chunk"]["chunk_id"]: source for source in sources}
        return [
            (rows.chunk_from(known[name]), rows.record_from(known[name]))
            for name in chunk_ids
            if name in known
        ]

    async def document(self, doc_id: str) -> Document | None:
        """A whole document."""
        kept = ["record", "document"]
        (hits,) = await self._reader.search(
            lambda hidden: [entries("document", hidden, named=("doc_id", [doc_id]), source=kept)]
        )
        return rows.document_from(hits[0]["_source"]) if hits else None

    async def records(self, filters: Filters = EVERYTHING) -> list[DocumentRecord]:
        """Records that pass, ordered by doc_id."""
        sources = await self._reader.every("document", "doc_id", "record", filters)
        return [rows.record_from(source) for source in sources]

    async def molecules(self) -> list[Molecule]:
        """The registry of molecules, ordered by name."""
        sources = await self._reader.every("molecule", "molecule.name", "molecule", EVERYTHING)
        return [rows.molecule_from(source) for source in sources]

    async def version(self) -> str:
        """The mark of the last state."""
        return await self._reader.mark()

    async def stored(self, doc_id: str) -> Stored | None:
        """A document with its chunks and vectors."""
        document = await self.document(doc_id)
        if document is None:
            return None
        field, kept = vector_field(self._encoder.name), ("chunk", "ordinal")
        found = await self._reader.whole("chunk", "ordinal", kept, Filters(doc_ids=(doc_id,)), (field,))
        of_chunks = [rows.vectors_from(hit, self._encoder.name) for hit in found]
        vectors = [row for windows in of_chunks for row in windows]
        matrix = np.array(vectors, np.float32).reshape(-1, self._encoder.dimension)
        chunks = tuple(rows.chunk_from(hit["_source"]) for hit in found)
        return Stored(document, chunks, matrix, tuple(map(len, of_chunks)))

    async def drop(self) -> None:
        """Delete the archive on the server, with all its versions."""
        await delete_versions(self._connection, await stored_versions(self._connection, self._alias))
        self._reader.forget()

    async def close(self) -> None:
        """Release the connections."""
        await self._connection.close()

    def _by_words(self, request: SearchRequest, hidden: Hidden) -> Body | None:
        return lexical_search(request, hidden)

    def _nearest(self, vector: Vectors, filters: Filters, limit: int, hidden: Hidden) -> Body | None:
        if not vector.any():
            return None
        return dense_search(vector, self._encoder.name, filters, hidden, limit, self._candidates)


def _lexical(hits: list[Hit]) -> list[tuple[str, float]]:
    return ranked(((_name(hit), hit["_score"]) for hit in hits), len(hits))


def _dense(hits: list[Hit]) -> list[tuple[str, float]]:
    """Elasticsearch's scores are (1 + cosine) / 2."""
    return ranked(((_name(hit), 2 * hit["_score"] - 1) for hit in hits), len(hits))


def _name(hit: Hit) -> str:
    name: str = hit["fields"]["chunk_id"][0]
    return name
