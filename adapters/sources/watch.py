"""Following a source of documents: what is new, changed or gone there is soon so in the archive.

By looking again and again, not by notices of the file system: those do not come from network shares, where
company archives lie, nor from buckets. A look at a folder costs one `stat` a file.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path

from retrieval.errors import ArchiveNotFound, RetrievalError, SourceDown
from retrieval.ports import DocumentSource
from retrieval.values import IngestReport, Listing, SkippedFile, SourceFile

LONGEST_PAUSE_S = 60.0
"""Seconds between two attempts, at most, while something is out of order."""
EMPTY = Listing("", ())


class Settled:
    """A source without the files that were another version, or not there, at the look before.

    A file that is being written changes from look to look; it is read once it has stayed the same. Until then
    it counts as there, so that its document is not deleted.
    """

    def __init__(self, source: DocumentSource) -> None:
        self._source = source
        self._seen: frozenset[SourceFile] = frozenset()
        self._useless: set[SourceFile] = set()
        self._now = EMPTY

    async def look(self) -> Listing:
        """What is there now. Raises as the source's `listing` does."""
        listing = await self._source.listing()
        self._now = _parted(listing, self._seen - self._useless)
        self._seen = frozenset(listing.files)
        self._useless &= self._seen
        return self._now

    def leave_out(self, skipped: Sequence[SkippedFile]) -> Listing:
        """Do not read these again while they stay as they are: a file that cannot be read may take long."""
        names = {file.path for file in skipped}
        self._useless |= {file for file in self._now.files if file.name in names}
        self._now = _parted(self._now, self._seen - self._useless)
        return self._now

    async def listing(self) -> Listing:
        """What was there at the last look."""
        return self._now

    def opened(self, file: SourceFile) -> AbstractAsyncContextManager[Path]:
        """As the source itself."""
        return self._source.opened(file)


def _parted(listing: Listing, readable: AbstractSet[SourceFile]) -> Listing:
    """The listing with all files waiting but those that are `readable`."""
    files = tuple(file for file in listing.files if file in readable)
    unread = tuple(file for file in listing.files if file not in readable)
    return replace(listing, files=files, waiting=(*listing.waiting, *unread))


async def watch(
    source: DocumentSource,
    take_in: Callable[[DocumentSource], Awaitable[IngestReport]],
    pause: float,
) -> AsyncIterator[IngestReport | RetrievalError]:
    """Take in what changes in `source`, looking every `pause` seconds, until it is closed or cancelled.

    Yields the report of each ingest that changed something or skipped a file, and each error once: a source
    or an index that is out of order is tried again, after longer and longer pauses. Raises `ArchiveNotFound`
    if there is nothing to watch from the start.
    """
    settled = Settled(source)
    taken: Listing | None = None
    trouble, wait = "", pause
    while True:
        try:
            now = await settled.look()
            if _news(now, taken):
                report = await take_in(settled)
                taken = settled.leave_out(report.skipped)
                if report.added or report.updated or report.deleted or report.skipped or report.kept:
                    yield report
            trouble, wait = "", pause
        except RetrievalError as error:
            if isinstance(error, ArchiveNotFound) and taken is None:
                raise  # there was never anything to watch
            if str(error) != trouble:
                trouble = str(error)
                yield error
            wait = min(2 * wait, max(LONGEST_PAUSE_S, pause))
        await asyncio.sleep(wait)


def _news(now: Listing, taken: Listing | None) -> bool:
    """Whether there is something to do. Raises `SourceDown` where all files are gone at once."""
    if not now.locations and taken is not None and taken.files:
        raise SourceDown(
            f"{taken.root} is empty all at once; is it still connected? Nothing is deleted. If it is meant, "
            "run `pestle ingest` on it."
        )
    if taken is None:
        return bool(now.files or now.skipped)
    return (now.files, now.skipped, now.locations) != (taken.files, taken.skipped, taken.locations)
