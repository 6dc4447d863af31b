"""The index of a whole company's archive, in Elasticsearch."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

from elasticsearch import AsyncElasticsearch

from retrieval.errors import EncoderMismatch, IndexBusy
from retrieval.index.elastic import rows
from retrieval.index.elastic.entry import StateEntry
from retrieval.index.elastic.lock import WriteLock
from retrieval.index.elastic.prepare import DEFAULT, Layout, prepare
from retrieval.index.elastic.queries import (
    FLAT,
    Body,
    Boosts,
    dense_search,
    entries,
    lexical_search,
    state_search,
)
from retrieval.index.elastic.server import Connection, Server, refusal
from retrieval.index.elastic.state import Hidden, State
from retrieval.index.elastic.view import Hit, ViewLost, found_state, opened
from retrieval.index.elastic.writer import ElasticWriter
from retrieval.index.rank import ranked
from retrieval.models import Candidates, Chunk, Document, DocumentRecord, Filters, Molecule, SearchRequest
from retrieval.ports import EVERYTHING, Encoder, Vectors

Answer = dict[str, Any]

NEAREST_LOOKED_AT = 200
"""Windows that a search by meaning looks at in the graph, in each shard (`num_candidates`)."""
WAIT_SECONDS = 45.0
"""How long a writer waits for another one: longer than a killed writer holds the index."""
ATTEMPTS = 50
"""Of a search, when the index changes under it each time."""
VIEWS = 3
"""Attempts to read everything, when the server is started again meanwhile."""
PAGE = 1000
"""Chunks read in one search."""


class ElasticIndex:
    """`Index` behind the alias `layout.alias` on `server`, made when first used if there is none.

    `candidates` is how many windows a search by meaning looks at (more: slower, and nearer to exact),
    `boosts` what counts besides a chunk's words, `wait_seconds` how long a writer waits for another one
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
        boosts: Boosts = FLAT,
        wait_seconds: float = WAIT_SECONDS,
    ) -> None:
        self._connection = Connection(server)
        self._encoder = encoder
        self._layout = layout
        self._alias = layout.alias
        self._candidates = candidates
        self._boosts = boosts
        self._wait_seconds = wait_seconds
        self._preparing = asyncio.Lock()
        self._prepared = False
        self._seen = State(encoder.name)

    @asynccontextmanager
    async def write(self) -> AsyncIterator[ElasticWriter]:
        """A transaction. Raises `IndexBusy`, `StorageFull`; then nothing of it is kept."""
        await self._prepare()
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
        (found,) = await self._search(lambda hidden: [self._by_words(request, hidden)])
        return _lexical(found)

    async def dense(self, vector: Vectors, filters: Filters, limit: int) -> list[tuple[str, float]]:
        """(chunk_id, cosine) best first, nearly always the nearest ones (see docs/guide/elasticsearch.md)."""
        (found,) = await self._search(lambda hidden: [self._nearest(vector, filters, limit, hidden)])
        return _dense(found)

    async def candidates(self, request: SearchRequest, vector: Vectors) -> Candidates:
        """Both rankings, in one request."""
        by_words, nearest = await self._search(
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
        answers = await self._search(
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
        (hits,) = await self._search(
            lambda hidden: [entries("document", hidden, named=("doc_id", [doc_id]), source=kept)]
        )
        return rows.document_from(hits[0]["_source"]) if hits else None

    async def records(self, filters: Filters = EVERYTHING) -> list[DocumentRecord]:
        """Records that pass, ordered by doc_id."""
        sources = await self._all("document", "doc_id", "record", filters)
        return [rows.record_from(source) for source in sources]

    async def molecules(self) -> list[Molecule]:
        """The registry of molecules, ordered by name."""
        sources = await self._all("molecule", "molecule.name", "molecule", EVERYTHING)
        return [rows.molecule_from(source) for source in sources]

    async def drop(self) -> None:
        """Delete the archive on the server, with all its versions."""

        async def delete(client: AsyncElasticsearch) -> None:
            for name in await client.indices.get(index=f"{self._alias}-v*", features=["aliases"]):
                await client.indices.delete(index=name)

        await self._connection.write(delete)
        self._prepared = False

    async def close(self) -> None:
        """Release the connections."""
        await self._connection.close()

    async def _prepare(self) -> None:
        async with self._preparing:
            if not self._prepared:
                await prepare(self._connection, self._layout, self._encoder)
                self._prepared = True

    def _by_words(self, request: SearchRequest, hidden: Hidden) -> Body | None:
        return lexical_search(request, hidden, self._boosts)

    def _nearest(self, vector: Vectors, filters: Filters, limit: int, hidden: Hidden) -> Body | None:
        if not vector.any():
            return None
        return dense_search(vector, self._encoder.name, filters, hidden, limit, self._candidates)

    async def _search(self, build: Callable[[Hidden], Sequence[Body | None]]) -> list[list[Hit]]:
        """The hits of each search that is built, on one state of the index; none for None.

        The state is asked for last, in the same request: if it is the one that the searches were built
        with, nothing has changed while they ran.
        """
        await self._prepare()
        for _ in range(ATTEMPTS):
            seen = self._seen
            bodies = build(seen.hidden)
            asked = [body for body in bodies if body is not None]
            *answers, last = await self._connection.msearch(self._alias, [*asked, state_search()])
            if self._noted(found_state(self._hits(last))).changes == seen.changes:
                hits = iter(self._hits(answer) for answer in answers)
                return [next(hits) if body is not None else [] for body in bodies]
        raise IndexBusy("The index changes faster than it can be searched. Wait a moment, then try again.")

    def _noted(self, state: State) -> State:
        """The state that a search found; it is taken note of. Raises `EncoderMismatch`."""
        self._seen = state
        if state.encoder != self._encoder.name:
            raise EncoderMismatch(
                f"The index {self._alias} has vectors of {state.encoder} now, but {self._encoder.name} "
                f"is set. Set that encoder and start again."
            )
        return state

    def _hits(self, answer: Answer) -> list[Hit]:
        if "error" in answer:
            raise refusal(
                f"Elasticsearch at {self._connection.place}", answer["status"], str(answer["error"])
            )
        hits: list[Hit] = answer["hits"]["hits"]
        return hits

    async def _all(self, kind: str, order: str, part: str, filters: Filters) -> list[dict[str, Any]]:
        """Every entry of a kind that passes, in order, on one state of the index."""
        await self._prepare()
        for _ in range(VIEWS):
            with suppress(ViewLost):
                async with opened(self._connection, self._alias) as view:
                    hidden = self._noted(await view.state()).hidden
                    pages = view.entries(kind, hidden, (order,), (part,), filters=filters)
                    return [hit["_source"] async for page in pages for hit in page]
        raise IndexBusy("The index is replaced again and again. Wait a moment, then try again.")


def _lexical(hits: list[Hit]) -> list[tuple[str, float]]:
    return ranked(((_name(hit), hit["_score"]) for hit in hits), len(hits))


def _dense(hits: list[Hit]) -> list[tuple[str, float]]:
    """Elasticsearch's scores are (1 + cosine) / 2."""
    return ranked(((_name(hit), 2 * hit["_score"] - 1) for hit in hits), len(hits))


def _name(hit: Hit) -> str:
    name: str = hit["fields"]["chunk_id"][0]
    return name
