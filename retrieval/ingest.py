"""Bringing an index up to date with a folder, by content hash, so that only what changed is read again.

Each document is one transaction: an ingest that is killed keeps the documents that were complete, and the
next one goes on. A worker thread parses ahead of the encoder, and chunks of several documents are encoded
together, so that encoding sets the pace; only a few documents are in memory at a time.
"""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from pathlib import Path

import numpy as np

from retrieval.errors import ArchiveNotFound, StorageFull
from retrieval.intake import Parse, Reader, Ready, Tally, relative_path
from retrieval.models import IngestReport, Molecule, SkippedFile
from retrieval.molecules import build_registry
from retrieval.ports import Encoder, Index
from retrieval.record import assign

BATCH = 64
"""Texts encoded at once."""
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
    await _take_in(paths, root, index, encoder, parse, tally, progress)
    if prune:
        await _prune(root, paths, index, tally)
    await refresh_molecules(index)
    return tally.report()


async def ingest_file(path: Path, index: Index, encoder: Encoder, parse: Parse) -> IngestReport:
    """Take in one file; a file that cannot be read is reported as skipped. Raises as `ingest` does."""
    tally = Tally()
    file = await asyncio.to_thread(_file, path)
    await _take_in([file], file.parent, index, encoder, parse, tally, None)
    await refresh_molecules(index)
    return tally.report()


async def remove(doc_id: str, index: Index) -> bool:
    """Take a document out of the index; False if there is none. Its file is not touched."""
    async with index.write() as writer:
        removed = await writer.delete(doc_id)
    if removed:
        await refresh_molecules(index)
    return removed


async def refresh_molecules(index: Index) -> None:
    """Rebuild the registry from the records, and name each document's molecules as it does.

    A name that one document explains may stand unexplained in others, so all texts are looked through when
    the registry has changed.
    """
    records = await index.records()
    stored, registry = await index.molecules(), build_registry(records)
    if [(m.name, m.aliases) for m in stored] != [(m.name, m.aliases) for m in registry]:
        for record in records:
            await _rename(record.doc_id, registry, index)
        registry = build_registry(await index.records())
    if registry != stored:
        async with index.write() as writer:
            await writer.put_molecules(registry)


async def _prune(root: Path, paths: Sequence[Path], index: Index, tally: Tally) -> None:
    """Delete the documents that came from `root` and whose files are there no more."""
    there = {str(path) for path in paths}
    below = f"{root}{os.sep}"
    for record in await index.records():
        if record.path not in there and record.path.startswith(below):
            async with index.write() as writer:
                await writer.delete(record.doc_id)
            tally.deleted.append(record.doc_id)


async def _rename(doc_id: str, registry: Sequence[Molecule], index: Index) -> None:
    document = await index.document(doc_id)
    if document is None:
        return
    record = await asyncio.to_thread(assign, document.record, document.text, registry)
    if record != document.record:
        async with index.write() as writer:
            await writer.put_record(record)


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
    done = 0
    async with aclosing(_ahead(paths, reader)) as results:
        batch: list[Ready] = []
        async for path, ready in results:
            done += 1
            if ready is not None:
                batch.append(ready)
            if sum(len(item.texts) for item in batch) >= BATCH:
                await _store(batch, index, encoder, tally)
                batch = []
            if progress is not None:
                progress(done, len(paths), str(path))
        await _store(batch, index, encoder, tally)


async def _ahead(paths: Sequence[Path], reader: "Reader") -> AsyncGenerator[tuple[Path, Ready | None], None]:
    """Each path with what was read of it, read up to `AHEAD` documents before it is asked for."""
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
            yield path, await tasks.pop(path)
    finally:
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)


async def _store(batch: Sequence[Ready], index: Index, encoder: Encoder, tally: Tally) -> None:
    """Encode the chunks of `batch` together and write each document in a transaction of its own."""
    texts = [text for ready in batch for text in ready.texts]
    parts = [await encoder.encode(texts[i : i + BATCH]) for i in range(0, len(texts), BATCH)]
    vectors = np.concatenate(parts) if parts else np.zeros((0, encoder.dimension), np.float32)
    offset = 0
    for ready in batch:
        count = len(ready.texts)
        try:
            async with index.write() as writer:
                if ready.replaces is not None and ready.replaces.doc_id != ready.document.record.doc_id:
                    await writer.delete(ready.replaces.doc_id)
                await writer.put(ready.document, ready.chunks, vectors[offset : offset + count], ready.parts)
        except StorageFull as error:
            kept = len(tally.added) + len(tally.updated)
            message = f"{error} {kept} documents of this ingest are kept; free some space and run it again."
            raise StorageFull(message) from error
        offset += count
        tally.chunks += len(ready.chunks)
        (tally.updated if ready.replaces else tally.added).append(ready.document.record.doc_id)
