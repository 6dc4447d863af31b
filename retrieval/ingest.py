"""Bringing an index up to date with a folder, by content hash, so that only what changed is read again.

Documents are stored a batch at a time, each batch in one transaction: an ingest that is killed keeps the
batches that were complete, and the next one goes on. A worker thread parses ahead of the encoder, and chunks
of several documents are encoded together, so that encoding sets the pace; only a few documents are in memory
at a time.
"""

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from pathlib import Path

from retrieval.errors import ArchiveNotFound, RetrievalError
from retrieval.intake import Parse, Reader, Ready, Tally, relative_path
from retrieval.models import IngestReport, SkippedFile
from retrieval.ports import Encoder, Index
from retrieval.renaming import refresh_molecules
from retrieval.storing import STORED_S, Storing

AHEAD = 16
"""Documents parsed ahead of the encoder."""
IGNORED = ("~$", ".", "Thumbs.db", "desktop.ini")
IGNORED_ENDINGS = (".tmp", ".part", ".crdownload", ".lock", ".swp", "~")

Progress = Callable[[int, int, str], None]
"""Called with files done, files in all, and the path just done."""


async def ingest(
    folder: Path,
    index: Index,
    encoder: Encoder,
    parse: Parse,
    *,
    prune: bool = True,
    progress: Progress | None = None,
) -> IngestReport:
    """Bring `index` up to date with the files under `folder`.

    Files whose content is known are left alone, changed ones replaced, and with `prune` the documents whose
    files vanished from `folder` deleted; documents from elsewhere stay. Hidden files and lock files are
    ignored; links out of the folder, unreadable and unsupported files are reported as skipped. Raises
    `ArchiveNotFound` without a folder, `IndexBusy` if another process writes, `StorageFull` on a full disk
    (documents that were complete are kept).
    """
    tally = Tally()
    root, paths = await asyncio.to_thread(_files, folder, tally.skipped)
    async with _molecules_refreshed(index):
        await _take_in(paths, root, index, encoder, parse, tally, progress)
        if prune:
            await _prune(root, paths, index, tally)
    return tally.report()


async def ingest_file(path: Path, index: Index, encoder: Encoder, parse: Parse) -> IngestReport:
    """Take in one file; a file that cannot be read is reported as skipped. Raises as `ingest` does."""
    tally = Tally()
    file = await asyncio.to_thread(_file, path)
    async with _molecules_refreshed(index):
        await _take_in([file], file.parent, index, encoder, parse, tally, None)
    return tally.report()


async def remove(doc_id: str, index: Index) -> bool:
    """Take a document out of the index; False if there is none. Its file is not touched."""
    async with index.write() as writer:
        removed = await writer.delete(doc_id)
    if removed:
        await refresh_molecules(index)
    return removed


@asynccontextmanager
async def _molecules_refreshed(index: Index) -> AsyncIterator[None]:
    """Refresh the registry at the end, and also where an ingest ends early: what it stored can be asked for.

    Then the reason for that end is raised, whatever becomes of the registry; the next ingest mends it.
    """
    try:
        yield
    except BaseException:
        with suppress(RetrievalError):
            await refresh_molecules(index)
        raise
    await refresh_molecules(index)


async def _prune(root: Path, paths: Sequence[Path], index: Index, tally: Tally) -> None:
    """Delete the documents that came from `root` and whose files are there no more."""
    there = {str(path) for path in paths}
    below = f"{root}{os.sep}"
    records = await index.records()
    gone = [r.doc_id for r in records if r.path not in there and r.path.startswith(below)]
    if gone:
        async with index.write() as writer:
            for doc_id in gone:
                await writer.delete(doc_id)
        tally.deleted += gone


def _file(path: Path) -> Path:
    if not path.is_file():
        raise ArchiveNotFound(f"There is no file {path}. Check the path and try again.")
    return path.resolve()


def _files(start: Path, skipped: list[SkippedFile]) -> tuple[Path, list[Path]]:
    """The folder without links, and its files in a stable order.

    Hidden and temporary files are left out silently, links that lead out of the folder go to `skipped`.
    """
    if not start.is_dir():
        raise ArchiveNotFound(f"There is no folder {start}. Check the path and try again.")
    root = start.resolve()
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted((*names, *(name for name in folders if Path(folder, name).is_symlink()))):
            path = Path(folder, name)
            if name.startswith(IGNORED) or name.endswith(IGNORED_ENDINGS):
                continue
            if path.is_symlink() and not path.resolve().is_relative_to(root):
                reason = "The link leads out of the folder. Copy the file instead."
                skipped.append(SkippedFile(relative_path(path, root), reason))
            elif path.is_file():
                found.append(path)
    return root, found


async def _take_in(
    paths: Sequence[Path],
    root: Path,
    index: Index,
    encoder: Encoder,
    parse: Parse,
    tally: Tally,
    progress: Progress | None,
) -> None:
    """Parse, encode and store `paths`; a thread parses the next documents meanwhile."""
    reader = Reader(root, parse, encoder, await index.records(), await index.molecules(), tally)
    storing = Storing(index, encoder, tally)
    done = 0
    async with aclosing(_ahead(paths, reader)) as results:
        async for result in results:
            if result is None:
                await storing.tick()
                continue
            path, ready = result
            if ready is not None:
                await storing.add(ready)
            done += 1
            if progress is not None:
                progress(done, len(paths), str(path))
        await storing.store()


async def _ahead(
    paths: Sequence[Path], reader: Reader
) -> AsyncGenerator[tuple[Path, Ready | None] | None, None]:
    """Each path with what was read of it, read up to `AHEAD` documents before it is asked for.

    None comes in between whenever the next document takes long, so that meanwhile others can be stored.
    """
    one_at_a_time = asyncio.Lock()

    async def read(path: Path) -> Ready | None:
        async with one_at_a_time:
            return await asyncio.to_thread(reader.read, path)

    tasks: dict[Path, asyncio.Task[Ready | None]] = {}
    try:
        for i, path in enumerate(paths):
            for ahead in paths[i : i + AHEAD]:
                if ahead not in tasks:
                    tasks[ahead] = asyncio.create_task(read(ahead))
            while not (await asyncio.wait({tasks[path]}, timeout=STORED_S))[0]:
                yield None
            yield path, await tasks.pop(path)
    finally:
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
