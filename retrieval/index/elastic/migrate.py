"""Bringing an archive's index into a new form: other fields, another encoder, other shards.

Everything is read from the index itself and written into the next one (pestle-archive-v000002), and then the
alias is turned over to that in one step. Searches go on in the old index until then. Writers wait, since the
write lock is held. A run that ends early leaves an index that no alias names; the next run removes it.
"""

import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from elasticsearch import AsyncElasticsearch

from retrieval.chunk import windows
from retrieval.errors import ArchiveNotFound, IndexDamaged, RetrievalError
from retrieval.index.elastic import rows
from retrieval.index.elastic.bulk import BulkStream, Operation
from retrieval.index.elastic.lock import LEASE, StateEntry, WriteLock
from retrieval.index.elastic.mapping import index_body, index_name, vector_field, version_number
from retrieval.index.elastic.prepare import Layout, delete_versions, stored_meta, stored_versions
from retrieval.index.elastic.queries import STATE_ID
from retrieval.index.elastic.server import Connection, Server
from retrieval.index.elastic.state import Hidden, State, state_to_source
from retrieval.index.elastic.view import Hit, View, opened
from retrieval.ports import Encoder, Vectors
from retrieval.values import Chunk, DocumentRecord

KEEP_ALIVE = "30m"
"""Encoding a page of chunks anew may take minutes."""
WAIT_SECONDS = 45.0

TOGETHER = 100
"""Documents, and chunks with their vectors, read and encoded together."""

Progress = Callable[[int, int], None]
"""Called with entries written, and entries in all."""


@dataclass(frozen=True, slots=True)
class Reindexed:
    """What a run did: from one index into another, so many entries, and whether they were encoded anew."""

    old: str
    new: str
    entries: int
    encoded: bool
    seconds: float


async def reindex(server: Server, encoder: Encoder, layout: Layout, progress: Progress) -> Reindexed:
    """Write the archive into a new index for `encoder` in the form of this Pestle, and switch to it.

    With the encoder that the archive has, its vectors are taken over; with another one, all chunks are
    encoded. The heads of windows are then made with the names of molecules that the registry has now.

    Raises `ArchiveNotFound` without an archive, `IndexBusy` if another process writes, `IndexUnavailable`,
    `StorageFull`; the archive is then as it was.
    """
    connection = Connection(server)
    lock = WriteLock(StateEntry(connection, layout.alias))
    began = time.monotonic()
    try:
        meta = await stored_meta(connection, layout.alias)
        if meta is None:
            raise ArchiveNotFound(f"There is no index {layout.alias} yet. Ingest documents first.")
        await lock.take(WAIT_SECONDS)
        move = _Move(connection, layout, encoder, str(meta["encoder"]), progress)
        try:
            written = await move.make(lock)
        except BaseException:
            if not move.switched:
                with suppress(RetrievalError):  # else it ends by itself
                    await lock.change(lambda state: state.aborted(lock.transaction).released())
            raise
        encoded = meta["encoder"] != encoder.name
        return Reindexed(move.old, move.new, written, encoded, time.monotonic() - began)
    finally:
        await lock.stop_renewing()
        await connection.close()


class _Move:
    """One run, under the write lock."""

    def __init__(
        self, connection: Connection, layout: Layout, encoder: Encoder, had: str, progress: Progress
    ) -> None:
        self._connection = connection
        self._layout = layout
        self._encoder = encoder
        self._had = had
        """The encoder whose vectors the old index has."""
        self._progress = progress
        self.old = self.new = ""
        self.switched = False

    async def make(self, lock: WriteLock) -> int:
        """Fill the next index, compare, switch, and remove the old one; how many entries it has."""
        versions = await stored_versions(self._connection, self._layout.alias)
        self.old = next(name for name, named in versions.items() if named)
        # Others were left behind by runs that ended early.
        await delete_versions(self._connection, [name for name in versions if name != self.old])
        self.new = index_name(self._layout.alias, version_number(self.old) + 1)
        body = index_body(self._encoder, self._layout.shards, self._layout.replicas)
        await self._connection.write(
            lambda client: client.indices.create(index=self.new, wait_for_active_shards=1, **body)
        )
        async with opened(self._connection, self.old, KEEP_ALIVE, patient=True) as view:
            hidden = (await view.state()).hidden
            written = await self._fill(view, hidden, await self._count(hidden))
        await self._finish(written)
        # From here on the alias leads to the new index, and its state is not ours to renew. What another one
        # wrote into the old index meanwhile would be lost with it, however often the switch is tried.
        long = self._connection.server.write_patience + LEASE
        await lock.change(lambda state: state.renewed(time.time() + long))
        await lock.stop_renewing()
        await self._switch()
        self.switched = True
        await delete_versions(self._connection, [self.old])
        return written

    async def _count(self, hidden: Hidden) -> int:
        """Entries to be written: all but the state and what is hidden."""
        out: list[dict[str, Any]] = [
            {"term": {"kind": "state"}},
            {"terms": {"transaction": list(hidden.transactions)}},
            {"terms": {"version": list(hidden.versions)}},
        ]
        answer = await self._connection.write(
            lambda client: client.count(index=self.old, query={"bool": {"must_not": out}})
        )
        total: int = answer["count"]
        return total

    async def _fill(self, view: View, hidden: Hidden, total: int) -> int:
        """Write every entry that is in force."""
        bulk, written = BulkStream(self._connection, self.new, is_alias=False), 0
        try:
            async for operations in Copier(self._had, self._encoder).operations(view, hidden):
                for operation in operations:
                    await bulk.add(operation)
                written += len(operations)
                self._progress(written, total)
            await bulk.drain()
        finally:
            await bulk.stop()
        if written != total:
            raise IndexDamaged(f"{written} of {total} entries of {self.old} were read. Nothing was switched.")
        return written

    async def _finish(self, written: int) -> None:
        """Enter the state, and check that all has arrived."""
        source = state_to_source(State(self._encoder.name))

        async def finish(client: AsyncElasticsearch) -> int:
            await client.index(index=self.new, id=STATE_ID, document=source)
            await client.indices.refresh(index=self.new)
            count: int = (await client.count(index=self.new))["count"]
            return count

        arrived = await self._connection.write(finish)
        if arrived != written + 1:
            raise IndexDamaged(f"{arrived - 1} of {written} entries are in {self.new}. Nothing was switched.")

    async def _switch(self) -> None:
        """Turn the alias over, in one step."""
        actions: list[dict[str, Any]] = [
            {"remove": {"index": self.old, "alias": self._layout.alias, "must_exist": False}},
            {"add": {"index": self.new, "alias": self._layout.alias}},
        ]
        await self._connection.write(lambda client: client.indices.update_aliases(actions=actions))


@dataclass(frozen=True, slots=True)
class Copier:
    """Reads what is in force in a view. `had` is the encoder that the old vectors come from."""

    had: str
    encoder: Encoder

    async def operations(self, view: View, hidden: Hidden) -> AsyncIterator[list[Operation]]:
        """Entries for the new index, some at a time."""
        kept = ("version", "record", "document")
        async for page in view.entries("document", hidden, ("doc_id",), kept, size=TOGETHER):
            yield [_document(hit) for hit in page]
        place = 0
        async for page in view.entries("molecule", hidden, ("molecule.name",), ("version", "molecule")):
            molecules = [rows.molecule_from(hit["_source"]) for hit in page]
            yield list(rows.molecule_entries(page[0]["_source"]["version"], molecules, place))
            place += len(page)
        async for page in view.entries(
            "chunk",
            hidden,
            ("version", "ordinal"),
            ("version", "ordinal", "record", "chunk"),
            fields=(vector_field(self.had),),
            size=TOGETHER,
        ):
            yield await self._chunks(page)

    async def _chunks(self, page: Sequence[Hit]) -> list[Operation]:
        sources = [hit["_source"] for hit in page]
        chunks = [rows.chunk_from(source) for source in sources]
        records = [rows.record_from(source) for source in sources]
        of_chunks = await self._vectors(page, chunks, records)
        return [
            operation
            for source, chunk, record, vectors in zip(sources, chunks, records, of_chunks, strict=True)
            for operation in rows.chunk_entries(
                source["version"],
                record,
                [chunk],
                vectors,
                [len(vectors)],
                self.encoder.name,
                first=source["ordinal"],
            )
        ]

    async def _vectors(
        self, page: Sequence[Hit], chunks: Sequence[Chunk], records: Sequence[DocumentRecord]
    ) -> list[Vectors]:
        """(windows, d) for each chunk: those it has, or new ones if the encoder is another."""
        if self.had == self.encoder.name:
            kept = [np.array(rows.vectors_from(hit, self.had), np.float32) for hit in page]
            return [vectors.reshape(-1, self.encoder.dimension) for vectors in kept]
        made = windows(chunks, records, self.encoder)
        vectors = await self.encoder.encode([text for parts in made for text in parts])
        return np.split(vectors, np.cumsum([len(parts) for parts in made])[:-1])


def _document(hit: Hit) -> Operation:
    source = hit["_source"]
    return rows.document_entry(source["version"], rows.document_from(source))
