"""The runtime as somebody has it who may read a part of the archive.

Index, runs and conversations hold nothing else, so that whatever works with them - kinds of runs, tools,
suggestions, digests, the page, exports - cannot show it. All that is costly is the whole runtime's.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from functools import cached_property, partial
from typing import Any

from adapters.archive_index import open_readable_index
from adapters.files import ArchiveFiles
from adapters.storage.readable import readable_storage
from adapters.wiring import Runtime
from bot.rights import Reads
from bot.values import ThreadRef
from retrieval.collections import Collection, readable
from retrieval.errors import IndexForbidden
from retrieval.index.readable import ReadableIndex
from retrieval.ports import Index

CLOSED = "Who may read a part of the archive cannot change it. Ask who may read all of it."


def _of_whole(name: str) -> Any:
    """A property that is the whole runtime's."""
    return property(lambda theirs: getattr(theirs._whole, name))


class ReaderRuntime(Runtime):
    """What who may read the collections `mine` works with."""

    takes_files = False
    models, label_index, reach, sandbox, parsers, _others = map(
        _of_whole, ("models", "label_index", "reach", "sandbox", "parsers", "_others")
    )
    model = _of_whole("model")
    """What it is asked holds all that it is told, and its cache goes by that."""
    executor, queue, readers = map(_of_whole, ("executor", "queue", "readers"))
    """Each run is executed over what it is marked with."""

    def __init__(self, whole: Runtime, collections: Iterable[Collection], mine: frozenset[str]) -> None:
        rules = tuple(collections)
        self._whole = whole
        self._rules, self._mine = rules, mine
        storage = readable_storage(whole.storage, mine, self._hidden, [kind.name for kind in whole.kinds])
        super().__init__(whole.settings, storage, tuple(whole.kinds))
        self.reads, self.owner, self._heartbeat = mine, whole.owner, whole._heartbeat

    @cached_property
    def readable(self) -> ReadableIndex:
        """The documents that may be read. Raises as `index`."""
        key = readable_key(self._rules, self._mine)
        opened = partial(open_readable_index, self.settings, self.encoder, key)
        made = ReadableIndex(self._whole.index, opened, readable(self._rules, self._mine))
        self._closing.push_async_callback(made.close)
        return made

    async def close(self) -> None:
        """Close what is this reader's own. Who still works with it goes on."""
        await self._closing.aclose()

    async def reading(self, reads: Reads) -> Runtime:
        """This one: what it was made for is decided."""
        return self

    async def permits(self, place: ThreadRef, run_id: str) -> bool:
        """Whether what a run read may be shown at a place."""
        return await self._whole.permits(place, run_id)

    async def _hidden(self) -> frozenset[str]:
        return await self.readable.hidden()

    @property
    def index(self) -> Index:
        """The documents that may be read."""
        return self.readable

    @cached_property
    def files(self) -> "ReadOnlyFiles":
        """Originals of what may be read."""
        pictures = self._whole.files.pictures
        return ReadOnlyFiles(self.settings.home, self.index, self.encoder, self.parsers, pictures)


class ReadOnlyFiles(ArchiveFiles):
    """Shows originals, and takes nothing: the name of a file or its content could be that of a hidden one."""

    async def _closed(self, *arguments: object, **options: object) -> Any:
        """Raises `IndexForbidden`."""
        raise IndexForbidden(CLOSED)

    add = remove = uploaded = take_back = put_back = edit = _closed


def readable_key(rules: Iterable[Collection], mine: frozenset[str]) -> str:
    """What an index of the documents that these rules let be read is called: under others it is another."""
    told = json.dumps([sorted(mine), [asdict(one) for one in rules]], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:16]
