"""The documents that somebody may read, as an index of their own.

A filter at search time would not hide the others: how rare a word is, which passages are nearest in a graph,
which names the registry knows, which document is the newest version or a copy, all of that is computed from
the whole archive. So what may be read is copied, with its vectors, into an index that never held the rest,
and all that follows from documents together is made anew there, as an ingest of these documents makes it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Any, Concatenate, ParamSpec, TypeVar

from retrieval.collections import Readable
from retrieval.errors import IndexForbidden
from retrieval.ingest.consolidate import consolidate
from retrieval.ports import Index, IndexWriter
from retrieval.values import DocumentRecord

T = TypeVar("T")
P = ParamSpec("P")

BATCH = 200
"""Documents copied in one transaction."""


def _asked(
    question: Callable[Concatenate[Index, P], Awaitable[T]],
) -> Callable[Concatenate["ReadableIndex", P], Coroutine[Any, Any, T]]:
    """A question of the port, asked of what may be read."""

    async def ask(self: "ReadableIndex", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._ask(lambda own: getattr(own, question.__name__)(*args, **kwargs))

    return ask


class ReadableIndex:
    """`Index` of the documents of `whole` that `may` be read, kept in what `opened` opens. It cannot be
    written to.

    What it opens belongs to this rule alone: under another rule another index. It is brought up to date when
    it is asked and `whole` has changed since; several processes may do so at once.
    """

    def __init__(self, whole: Index, opened: Callable[[], Index], may: Readable) -> None:
        self._whole, self._opened, self._may = whole, opened, may
        self._own: Index | None = None
        self._asking, self._closed = 0, False
        self._following = asyncio.Lock()
        self._version = ""
        self._hidden: frozenset[str] = frozenset()

    async def hidden(self) -> frozenset[str]:
        """The ids of the documents that may not be read."""
        await self.version()
        return self._hidden

    def write(self) -> AbstractAsyncContextManager[IndexWriter]:
        """Raises `IndexForbidden`."""
        raise IndexForbidden("Who may read a part of the archive cannot change it.")

    lexical = _asked(Index.lexical)
    dense = _asked(Index.dense)
    candidates = _asked(Index.candidates)
    chunks = _asked(Index.chunks)
    found = _asked(Index.found)
    document = _asked(Index.document)
    records = _asked(Index.records)
    molecules = _asked(Index.molecules)
    version = _asked(Index.version)
    stored = _asked(Index.stored)

    async def close(self) -> None:
        """Close what is kept once nobody asks; `whole` stays open. Who asks later opens it for that long."""
        self._closed = True
        if self._own and not self._asking:
            own, self._own = self._own, None
            await own.close()

    async def _ask(self, question: Callable[[Index], Awaitable[T]]) -> T:
        """Ask what may be read, as the archive is now. Mostly it has not changed: that is seen meanwhile."""
        own, known = self._own, self._version
        self._asking += 1
        try:
            if own and known:
                answer, version = await asyncio.gather(question(own), self._whole.version())
                if version == known:
                    return answer
            return await question(await self._current())
        finally:
            self._asking -= 1
            if self._closed:
                await self.close()

    async def _current(self) -> Index:
        async with self._following:
            self._own = own = self._own or self._opened()
            version = await self._whole.version()
            if version != self._version:
                await self._follow(own)
                self._version = version
        return own

    async def _follow(self, own: Index) -> None:
        """Copy what is new, delete what is gone or may be read no more, and consolidate.

        What is to be done is found out under the write lock: who comes later knows no less.
        """
        copied: set[str] = set()
        while True:
            async with own.write() as writer:
                archive = {one.doc_id: one for one in await self._whole.records()}
                wanted = {name: one for name, one in archive.items() if self._may(one)}
                there = {one.doc_id: one for one in await own.records()}
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
        await consolidate(own, copied)
        self._hidden = frozenset(archive.keys() - wanted.keys())


def _by_itself(record: DocumentRecord | None) -> DocumentRecord | None:
    """A record without what follows from other documents."""
    if record is None:
        return None
    return replace(record, molecules=(), main_molecules=(), newest_version="", copy_of="")
