"""Bringing an index up to date with a folder, by content hash, so that only what changed is read again.

Each document is one transaction: an ingest that is killed keeps the documents that were complete, and the
next one goes on. A worker thread parses ahead of the encoder, and chunks of several documents are encoded
together, so that encoding sets the pace; only a few documents are in memory at a time.
"""

import asyncio
import errno
import hashlib
import os
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from retrieval.chunk import chunk, embedding_head
from retrieval.errors import ArchiveNotFound, DocumentError, StorageFull
from retrieval.models import Chunk, Document, DocumentRecord, IngestReport, Molecule, ParsedFile, SkippedFile
from retrieval.molecules import build_registry, canonical
from retrieval.ports import Encoder, Index
from retrieval.record import assign, describe

BATCH = 128
"""Texts encoded at once."""
AHEAD = 4
"""Documents parsed ahead of the encoder."""
IGNORED = ("~$", ".", "Thumbs.db", "desktop.ini")
IGNORED_ENDINGS = (".tmp", ".part", ".crdownload", ".lock", ".swp", "~")

Parse = Callable[[Path], ParsedFile]
Progress = Callable[[int, int, str], None]
"""Called with files done, files in all, and the path just done."""


@dataclass(slots=True)
class _Tally:
    """The report as it grows."""

    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    skipped: list[SkippedFile] = field(default_factory=list)
    warnings: list[SkippedFile] = field(default_factory=list)
    unchanged: int = 0
    chunks: int = 0
    began: float = field(default_factory=time.monotonic)

    def report(self) -> IngestReport:
        return IngestReport(
            tuple(self.added), tuple(self.updated), self.unchanged, tuple(self.deleted), self.chunks,
            tuple(self.skipped), tuple(self.warnings), time.monotonic() - self.began,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Ready:
    """A parsed document on its way to the encoder.

    `texts` are what is encoded for its chunks, `parts` how many of them each chunk has (see
    `retrieval.embed.chunks`); `replaces` is the older version of the document.
    """

    document: Document
    chunks: tuple[Chunk, ...]
    texts: list[str]
    parts: list[int]
    replaces: DocumentRecord | None


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
    tally = _Tally()
    root, paths = await asyncio.to_thread(_files, folder, tally.skipped)
    await _take_in(paths, root, index, encoder, parse, tally, progress)
    if prune:
        await _prune(root, paths, index, tally)
    await refresh_molecules(index)
    return tally.report()


async def ingest_file(path: Path, index: Index, encoder: Encoder, parse: Parse) -> IngestReport:
    """Take in one file; a file that cannot be read is reported as skipped. Raises as `ingest` does."""
    tally = _Tally()
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


async def _prune(root: Path, paths: Sequence[Path], index: Index, tally: _Tally) -> None:
    """Delete the documents that came from `root` and whose files are there no more."""
    there = {str(path) for path in paths}
    for record in await index.records():
        if record.path not in there and Path(record.path).is_relative_to(root):
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
                skipped.append(SkippedFile(_relative(path, root), reason))
            elif path.is_file():
                found.append(path)
    return root, found


def _relative(path: Path, root: Path) -> str:
    return path.relative_to(root).as_posix()


async def _take_in(
    paths: Sequence[Path],
    root: Path,
    index: Index,
    encoder: Encoder,
    parse: Parse,
    tally: _Tally,
    progress: Progress | None,
) -> None:
    """Parse, encode and store `paths`; a thread parses the next documents meanwhile."""
    reader = _Reader(root, parse, encoder, await index.records(), await index.molecules(), tally)
    done = 0
    async with aclosing(_ahead(paths, reader)) as results:
        batch: list[_Ready] = []
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


async def _ahead(
    paths: Sequence[Path], reader: "_Reader"
) -> AsyncGenerator[tuple[Path, _Ready | None], None]:
    """Each path with what was read of it, read up to `AHEAD` documents before it is asked for."""
    one_at_a_time = asyncio.Lock()

    async def read(path: Path) -> _Ready | None:
        async with one_at_a_time:
            return await asyncio.to_thread(reader.read, path)

    tasks: dict[Path, asyncio.Task[_Ready | None]] = {}
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


async def _store(batch: Sequence[_Ready], index: Index, encoder: Encoder, tally: _Tally) -> None:
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


class _Reader:
    """Decides which files are new, reads them, and gives each its id. For one thread at a time."""

    def __init__(
        self,
        root: Path,
        parse: Parse,
        encoder: Encoder,
        records: Sequence[DocumentRecord],
        registry: Sequence[Molecule],
        tally: _Tally,
    ) -> None:
        self._root = root
        self._parse = parse
        self._encoder = encoder
        self._registry = registry
        self._tally = tally
        self._by_id = {record.doc_id: record for record in records}
        self._by_path = {record.path: record for record in records}

    def read(self, path: Path) -> _Ready | None:
        """The document in a file; None if it is known already or cannot be read, which goes to the report."""
        relative = _relative(path, self._root)
        try:
            with path.open("rb") as file:
                sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            known = self._by_path.get(str(path))
            if known is not None and known.sha256 == sha256:
                self._tally.unchanged += 1
                return None
            parsed = self._parse(path)
        except DocumentError as error:
            self._tally.skipped.append(SkippedFile(relative, str(error)))
            return None
        except OSError as error:
            if error.errno == errno.ENOSPC:
                raise StorageFull("The disk is full.") from error
            reason = f"The file cannot be opened ({error.strerror}). Check its permissions."
            self._tally.skipped.append(SkippedFile(relative, reason))
            return None
        except Exception as error:  # one file that a parser stumbles over must not stop the others
            reason = f"The file could not be read ({type(error).__name__}). Save it in another format."
            self._tally.skipped.append(SkippedFile(relative, reason))
            return None
        return self._ready(path, relative, parsed, sha256)

    def _ready(self, path: Path, relative: str, parsed: ParsedFile, sha256: str) -> _Ready | None:
        own = replace(describe(parsed, relative, sha256), path=str(path))
        replaces = self._by_path.get(own.path) or self._moved(own)
        doc_id = self._free_id(own, replaces)
        if doc_id != own.doc_id and self._by_id[own.doc_id].sha256 == sha256:
            original = self._by_id[own.doc_id].path
            self._tally.skipped.append(
                SkippedFile(relative, f"The same document as {original}. Delete one of them.")
            )
            return None
        self._warn(relative, own, doc_id)
        own = replace(own, doc_id=doc_id)
        chunks = chunk(Document(own, parsed.text, parsed.pages))
        # Vectors depend on the document alone: an archive gives the same ones in whatever order it is read.
        windows = [self._encoder.windows(part.text, embedding_head(part, own)) for part in chunks]
        texts = [text for parts in windows for text in parts]
        record = assign(own, parsed.text, self._with_registry(own))
        self._by_id[doc_id] = self._by_path[record.path] = record
        return _Ready(
            Document(record, parsed.text, parsed.pages), chunks, texts, list(map(len, windows)), replaces
        )

    def _moved(self, own: DocumentRecord) -> DocumentRecord | None:
        """The record of this document at a path where it is no more."""
        taken = self._by_id.get(own.doc_id)
        return taken if taken is not None and not Path(taken.path).is_file() else None

    def _free_id(self, own: DocumentRecord, replaces: DocumentRecord | None) -> str:
        """The document's id, with "~2", "~3" if another file has it."""
        known = {own.doc_id} if replaces is None else {own.doc_id, replaces.doc_id}
        candidates = (own.doc_id, *(f"{own.doc_id}~{n}" for n in range(2, len(self._by_id) + 3)))
        free = (c for c in candidates if c not in self._by_id or (c in known and self._by_id[c] is replaces))
        return next(free)

    def _warn(self, relative: str, own: DocumentRecord, doc_id: str) -> None:
        reasons = list(own.warnings)
        if doc_id != own.doc_id:
            other = self._by_id[own.doc_id].path
            reasons.append(f"The id {own.doc_id} is also that of {other}; this file is kept as {doc_id}.")
        self._tally.warnings += [SkippedFile(relative, reason) for reason in reasons]

    def _with_registry(self, own: DocumentRecord) -> list[Molecule]:
        """The archive's registry and the molecules that only this document names."""
        news = (m for m in build_registry([own]) if canonical(m.name, self._registry) is None)
        return [*self._registry, *news]
