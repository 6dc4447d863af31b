"""A write transaction on Elasticsearch: entries are streamed at once, and shown by one replacement of the
state (see `retrieval.index.elastic.state`).
"""

import asyncio
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from retrieval.errors import RetrievalError
from retrieval.index.elastic import rows
from retrieval.index.elastic.bulk import BulkStream, Operation
from retrieval.index.elastic.lock import WriteLock
from retrieval.index.elastic.mapping import vector_field
from retrieval.index.elastic.queries import Body, arguments, entries, hidden_entries
from retrieval.index.elastic.server import Connection
from retrieval.index.elastic.state import Hidden, State
from retrieval.index.elastic.view import Hit
from retrieval.index.rank import checked_parts
from retrieval.ports import Encoder, Vectors
from retrieval.values import Chunk, Document, DocumentRecord, Molecule

LOOKED_UP = 1000
"""Documents looked up in one search."""
CHUNKS_READ = 200
"""Chunks read in one search, with their vectors."""
DELETED = 5000
"""Entries deleted between two refreshes."""
logger = logging.getLogger(__name__)
MOST_REPLACED = 50_000
"""Versions that one transaction may replace: each search has to leave them out until they are deleted, and
Elasticsearch takes 65,536 values in a condition (index.max_terms_count).
"""


@dataclass(frozen=True, slots=True)
class StoredEntries:
    """The entries behind an alias, as its only writer sees them. It waits for the server as writers do."""

    connection: Connection
    alias: str
    encoder: Encoder

    async def versions(self, doc_ids: Sequence[str], hidden: Hidden) -> list[str]:
        """The versions in force of those documents that there are."""
        found: list[Hit] = []
        for first in range(0, len(doc_ids), LOOKED_UP):
            named = ("doc_id", doc_ids[first : first + LOOKED_UP])
            found += await self._search(entries("document", hidden, named=named, source=["version"]))
        return [hit["_source"]["version"] for hit in found]

    async def registry(self, hidden: Hidden) -> list[str]:
        """The version in force of the registry; none if that is empty."""
        found = await self._search(entries("molecule", hidden, size=1, source=["version"]))
        return [hit["_source"]["version"] for hit in found]

    async def whole(self, version: str) -> tuple[Document, list[Chunk], Vectors, list[int]]:
        """A document as it is stored: with its chunks, their vectors, and how many each has."""
        this, kept = ("version", [version]), ["record", "document"]
        (found,) = await self._search(entries("document", Hidden(), named=this, source=kept))
        body = entries("chunk", Hidden(), named=this, source=["chunk"], size=CHUNKS_READ)
        body |= {"sort": ["ordinal"], "fields": [vector_field(self.encoder.name)]}
        hits = page = await self._search(body)
        while len(page) == CHUNKS_READ:
            page = await self._search(body | {"search_after": page[-1]["sort"]})
            hits = hits + page
        windows = [rows.vectors_from(hit, self.encoder.name) for hit in hits]
        vectors = np.array([row for parts in windows for row in parts], np.float32)
        return (
            rows.document_from(found["_source"]),
            [rows.chunk_from(hit["_source"]) for hit in hits],
            vectors.reshape(-1, self.encoder.dimension),
            [len(parts) for parts in windows],
        )

    async def delete(self, hidden: Hidden, bulk: BulkStream) -> None:
        """Delete all entries that are hidden so, for good."""
        await self.refresh()
        while found := await self._search(hidden_entries(hidden, DELETED)):
            for hit in found:
                await bulk.add(Operation.delete(hit["_id"]))
            await bulk.drain()
            await self.refresh()

    async def refresh(self) -> None:
        """Let searches find what was written; whether they show it, the state says."""
        await self.connection.write(lambda client: client.indices.refresh(index=self.alias))

    async def _search(self, body: Body) -> list[Hit]:
        answer = await self.connection.write(
            lambda client: client.search(
                index=self.alias, allow_partial_search_results=False, **arguments(body)
            )
        )
        hits: list[Hit] = answer["hits"]["hits"]
        return hits


class ElasticWriter:
    """`IndexWriter` of `ElasticIndex`. Readers see what it did after `commit`, all of it or nothing."""

    def __init__(self, connection: Connection, alias: str, encoder: Encoder, lock: WriteLock) -> None:
        self._encoder = encoder
        self._lock = lock
        self._patience = connection.server.patience
        self._bulk = BulkStream(connection, alias)
        self._stored = StoredEntries(connection, alias, encoder)
        self._versions = 0
        self._own: dict[str, str | None] = {}
        """Versions of the documents that this transaction wrote or (None) deleted."""
        self._put: set[str] = set()
        """Documents whose earlier version is not looked up yet."""
        self._registry = ""
        self._replaced: list[str] = []

    async def begin(self, wait_seconds: float) -> None:
        """Become the writer, and clear away what others left behind. Raises `IndexBusy`."""
        await self._lock.take(wait_seconds)
        if self._before != Hidden((self._lock.transaction,)):
            await self._sweep()

    async def put(
        self, document: Document, chunks: Sequence[Chunk], vectors: Vectors, parts: Sequence[int] = ()
    ) -> None:
        """Add or replace a document. Raises ValueError if `vectors` does not fit chunks and parts."""
        counts = checked_parts(parts, len(chunks), vectors, self._encoder.dimension)
        doc_id = document.record.doc_id
        if old := self._own.get(doc_id):
            self._replaced.append(old)
        elif doc_id not in self._own:
            self._put.add(doc_id)
        await self._add(document, chunks, vectors, counts)

    async def put_record(self, record: DocumentRecord) -> None:
        """Replace the record of a stored document. Its entries are written again with their vectors."""
        version = await self._version(record.doc_id)
        if version is None:
            return
        if version in self._own.values():
            await self._bulk.drain()
            await self._stored.refresh()
        document, chunks, vectors, parts = await self._stored.whole(version)
        self._replaced.append(version)
        await self._add(Document(record, document.text, document.pages), chunks, vectors, parts)

    async def delete(self, doc_id: str) -> bool:
        """Remove a document; False if there was none."""
        version = await self._version(doc_id)
        if version is None:
            return False
        self._replaced.append(version)
        self._own[doc_id] = None
        return True

    async def put_molecules(self, molecules: Sequence[Molecule]) -> None:
        """Replace the registry."""
        if self._registry:
            self._replaced.append(self._registry)
        else:
            self._replaced += await self._stored.registry(self._before)
        self._registry = self._new_version()
        await self._stream(list(rows.molecule_entries(self._registry, molecules)))

    async def flush(self) -> None:
        """Wait until the server has all entries so far. Nothing of them is shown before the commit."""
        await self._bulk.drain()

    async def commit(self) -> None:
        """Make it visible, and delete what was replaced."""
        self._replaced += await self._stored.versions(sorted(self._put), self._before)
        await self._bulk.drain()
        if self._versions:
            await self._stored.refresh()
        transaction, replaced = self._lock.transaction, tuple(self._replaced)
        if len(replaced) > MOST_REPLACED:
            raise RetrievalError(
                f"One write cannot replace or delete {len(replaced)} documents, only {MOST_REPLACED}. "
                "Nothing of it is kept; write them in parts."
            )
        if not replaced:
            await self._lock.change(lambda state: state.complete(transaction, ()).released())
            return
        await self._lock.change(lambda state: state.complete(transaction, replaced))
        try:
            await self._sweep()
            await self._lock.change(State.released)
        except RetrievalError as error:  # it is committed all the same
            logger.warning("What was replaced is deleted by the next write: %s", error)

    async def roll_back(self) -> None:
        """Delete what was written, as far as the server answers; the next writer does the rest."""
        transaction = self._lock.transaction
        try:
            async with asyncio.timeout(self._patience):
                await self._bulk.stop()
                if await self._lock.still_pending():
                    await self._stored.delete(Hidden((transaction,)), self._bulk)
                    if self._bulk.all_answered:
                        await self._lock.change(lambda state: state.aborted(transaction))
                    await self._lock.change(State.released)
        except (RetrievalError, TimeoutError) as error:
            logger.warning("What an incomplete write left behind is deleted by the next one: %s", error)

    async def close(self) -> None:
        """Renew the lock no more: this writer then counts as gone."""
        await self._lock.stop_renewing()

    @property
    def _before(self) -> Hidden:
        """What searches of this transaction leave out: all that is hidden, and what it wrote itself."""
        return self._lock.state.hidden

    async def _add(
        self, document: Document, chunks: Sequence[Chunk], vectors: Vectors, parts: Sequence[int]
    ) -> None:
        version = self._new_version()
        self._own[document.record.doc_id] = version

        def made() -> list[Operation]:
            name = self._encoder.name
            return list(rows.chunk_entries(version, document.record, chunks, vectors, parts, name))

        await self._stream([*await asyncio.to_thread(made), rows.document_entry(version, document)])

    async def _stream(self, operations: Sequence[Operation]) -> None:
        self._lock.check()
        for operation in operations:
            await self._bulk.add(operation)

    def _new_version(self) -> str:
        self._versions += 1
        return f"{self._lock.transaction}-{self._versions}"

    async def _version(self, doc_id: str) -> str | None:
        """The version of a document in force for this transaction."""
        if doc_id in self._own:
            return self._own[doc_id]
        return next(iter(await self._stored.versions([doc_id], self._before)), None)

    async def _sweep(self) -> None:
        """Delete all that is hidden, but what this transaction writes."""
        await self._stored.delete(self._before, self._bulk)
        await self._lock.change(lambda state: state.swept(time.time()))
