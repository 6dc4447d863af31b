"""The documents that somebody may read, as an index of their own.

A filter at search time would not hide the others: how rare a word is, which passages are nearest in a graph,
which names the registry knows, which document is the newest version or a copy, all of that is computed from
the whole archive. So what may be read is copied, with its vectors, into an index that never held the rest,
and all that follows from documents together is made anew there, as an ingest of these documents makes it.
"""

import asyncio
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace

from retrieval.collections import Readable
from retrieval.errors import IndexForbidden
from retrieval.ingest.consolidate import consolidate
from retrieval.ports import EVERYTHING, Index, IndexWriter, Stored, Vectors
from retrieval.values import Candidates, Chunk, Document, DocumentRecord, Filters, Molecule, SearchRequest

BATCH = 200
"""Documents copied in one transaction."""


class ReadableIndex:
    """`Index` of the documents of `whole` that `may` be read, kept in `own`. It cannot be written to.

    `own` belongs to this rule alone: under another rule another index. It is brought up to date when it is
    asked and `whole` has changed since; several processes may do so at once.
    """

    def __init__(self, whole: Index, own: Index, may: Readable) -> None:
        self._whole, self._own, self._may = whole, own, may
        self._following = asyncio.Lock()
        self._version = ""
        self._hidden: frozenset[str] = frozenset()

    async def hidden(self) -> frozenset[str]:
        """The ids of the documents that may not be read."""
        await self._current()
        return self._hidden

    def write(self) -> AbstractAsyncContextManager[IndexWriter]:
        """Raises `IndexForbidden`."""
        raise IndexForbidden("Who may read a part of the archive cannot change it.")

    async def lexical(self, request: SearchRequest) -> list[tuple[str, float]]:
        """See the port."""
        return await (await self._current()).lexical(request)

    async def dense(self, vector: Vectors, filters: Filters, limit: int) -> list[tuple[str, float]]:
        """See the port."""
        return await (await self._current()).dense(vector, filters, limit)

    async def candidates(self, request: SearchRequest, vector: Vectors) -> Candidates:
        """See the port."""
        return await (await self._current()).candidates(request, vector)

    async def chunks(self, chunk_ids: Sequence[str]) -> list[Chunk]:
        """See the port."""
        return await (await self._current()).chunks(chunk_ids)

    async def found(self, chunk_ids: Sequence[str]) -> list[tuple[Chunk, DocumentRecord]]:
        """See the port."""
        return await (await self._current()).found(chunk_ids)

    async def document(self, doc_id: str) -> Document | None:
        """See the port."""
        return await (await self._current()).document(doc_id)

    async def records(self, filters: Filters = EVERYTHING) -> list[DocumentRecord]:
        """See the port."""
        return await (await self._current()).records(filters)

    async def molecules(self) -> list[Molecule]:
        """See the port."""
        return await (await self._current()).molecules()

    async def version(self) -> str:
        """See the port."""
        return await (await self._current()).version()

    async def stored(self, doc_id: str) -> Stored | None:
        """See the port."""
        return await (await self._current()).stored(doc_id)

    async def close(self) -> None:
        """Close what is kept; `whole` stays open."""
        await self._own.close()

    async def _current(self) -> Index:
        """What may be read, as the archive is now."""
        async with self._following:
            version = await self._whole.version()
            if version != self._version:
                await self._follow()
                self._version = version
        return self._own

    async def _follow(self) -> None:
        """Copy what is new, delete what is gone or may be read no more, and consolidate.

        What is to be done is found out under the write lock: who comes later knows no less.
        """
        copied: set[str] = set()
        while True:
            async with self._own.write() as writer:
                archive = {one.doc_id: one for one in await self._whole.records()}
                wanted = {name: one for name, one in archive.items() if self._may(one)}
                there = {one.doc_id: one for one in await self._own.records()}
                gone = [name for name in there if name not in wanted][:BATCH]
                new = [
                    name for name, one in wanted.items() if _by_itself(one) != _by_itself(there.get(name))
                ][:BATCH]
                for name in gone:
                    await writer.delete(name)
                for name in new:
                    if stored := await self._whole.stored(name):
                        await writer.put(stored.document, stored.chunks, stored.vectors, stored.parts)
                copied |= set(new)
            if not gone and not new:
                break
        await consolidate(self._own, copied)
        self._hidden = frozenset(archive.keys() - wanted.keys())


def _by_itself(record: DocumentRecord | None) -> DocumentRecord | None:
    """A record without what follows from other documents."""
    if record is None:
        return None
    return replace(record, molecules=(), main_molecules=(), newest_version="", copy_of="")
