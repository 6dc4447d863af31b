"""The archive's files: what is ingested from where, uploads, and originals kept so that a citation can show
its page.
"""

import asyncio
import filecmp
import math
import secrets
import shutil
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from adapters.errors import NameTaken
from adapters.uploads import Upload, left_behind, put_down, stored_name
from retrieval.ingest.consolidate import consolidate
from retrieval.ingest.edit import edit_document
from retrieval.ingest.meaning import MOST, Progress
from retrieval.ingest.prepare import MOST_CHUNKS, Tally
from retrieval.ingest.update import ingest, remove
from retrieval.ports import DocumentSource, Encoder, Index, Paged, PagePictures, Parser, Stored, unpaged
from retrieval.values import Document, DocumentRecord, IngestReport

PICTURED = (".pdf", ".tif", ".tiff", ".png", ".jpg", ".jpeg")
"""Formats of which a page can be shown as a picture; only these originals are kept."""
UPLOAD_S = 20.0
"""Seconds of the encoder that an upload waits for; then it can be found by words."""
Change = Callable[[DocumentRecord], DocumentRecord]
Told = Callable[..., Awaitable[None]]
"""Is told by whom documents (their ids) were `added`, `changed` or `removed`."""


async def to_nobody(by: str, **documents: Sequence[str]) -> None:
    """`Told` of an archive without a house."""


class ArchiveFiles:
    """Ingests files into the index.

    `pictures` draws pages of originals, beside the parser: a reader does not wait behind an ingest.
    Each change of the archive is `told`, by whom it was made.
    Originals with pages are copied to `originals`, named by content, so that a citation opens also after the
    source folder is gone. Uploads are kept in `uploads` under their own names, each under another one.
    """

    def __init__(
        self,
        home: Path,
        index: Index,
        encoder: Encoder,
        parser: Parser,
        pictures: PagePictures | None = None,
        *,
        told: Told = to_nobody,
        most_chunks: int = MOST_CHUNKS,
        most_texts: int = MOST,
    ) -> None:
        self._uploads = home / "uploads"
        self._originals = home / "originals"
        self._index = index
        self._encoder = encoder
        self._most_chunks, self._most_texts = most_chunks, most_texts
        self._arriving: set[Path] = set()
        self._told = told
        self.pictures = pictures
        self._parser = Keeping(parser, self._originals)

    async def ingest(
        self,
        source: DocumentSource,
        progress: Progress | None = None,
        delete: bool = False,
        seconds: float = math.inf,
        *,
        by: str = "",
    ) -> IngestReport:
        """Bring the archive up to date with a source of documents; see `retrieval.ingest.update`.

        What came in before an error is told too. Raises `ArchiveNotFound`, `SourceDown`, `IndexBusy`,
        `StorageFull`.
        """
        tally = Tally()
        try:
            return await ingest(
                source,
                self._index,
                self._encoder,
                self._parser,
                delete=delete,
                progress=progress,
                most_chunks=self._most_chunks,
                most_texts=self._most_texts,
                seconds=seconds,
                tally=tally,
            )
        finally:
            await self._told(by, added=tally.added, changed=tally.updated, removed=tally.deleted)

    async def add(
        self, name: str, file: BinaryIO, by: str, *, replace: bool = False, progress: Progress | None = None
    ) -> IngestReport:
        """Take in one file that `by` uploaded, and keep it under its name once it is in the archive.

        It is read in pieces; how large it may be is up to whoever received it.

        No file is kept under the name of another one; what stands under this name is replaced only if
        `replace` asks for it. A file that is refused changes nothing. Raises `DocumentError` for a name that
        is none, `NameTaken`, `StorageFull`, and as `ingest` does.
        """
        place = self._uploads / stored_name(name)
        if place in self._arriving:
            raise NameTaken(f"Another file named {name} is being read at this moment. Try again.")
        self._arriving.add(place)
        try:
            async with put_down(self._uploads, place.name, file) as arrived:
                if not replace and await asyncio.to_thread(_differs, place, arrived):
                    raise NameTaken(
                        f"The archive has another file named {name}. Replace it, or rename this one."
                    )
                report = await self.ingest(Upload(arrived, place), progress, seconds=UPLOAD_S, by=by)
                if not report.skipped:
                    await asyncio.to_thread(arrived.replace, place)
                return report
        finally:
            self._arriving.discard(place)

    def held(self, name: str, file: BinaryIO) -> AbstractAsyncContextManager[Path]:
        """A file that somebody sent and that is no document, on disk while the context is open.

        Raises `DocumentError` for a name that is none, `StorageFull`.
        """
        return put_down(self._uploads, stored_name(name), file)

    async def clear_away(self) -> None:
        """Delete what a killed process left of uploads that it had not taken in."""
        for folder in await asyncio.to_thread(left_behind, self._uploads):
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def remove(self, doc_id: str, by: str, known: DocumentRecord | None = None) -> bool:
        """Take a document out of the archive; False if there is none. With `known` only while the id still
        stands for that file with that content.
        """
        if removed := await remove(doc_id, self._index, known):
            await self._told(by, removed=[doc_id])
        return removed

    async def put_back(self, taken: Stored, by: str) -> None:
        """Put a document that was taken out into the archive again, as it was."""
        doc_id = taken.document.record.doc_id
        async with self._index.write() as writer:
            await writer.put(taken.document, taken.chunks, taken.vectors, taken.parts)
        await consolidate(self._index, [doc_id])
        await self._told(by, added=[doc_id])

    async def edit(self, doc_id: str, change: Change, by: str) -> DocumentRecord:
        """Set the record of a document right. Raises as `edit_document`."""
        record = await edit_document(self._index, doc_id, change)
        await self._told(by, changed=[doc_id])
        return record

    async def uploaded(self, name: str) -> DocumentRecord | None:
        """The document that was uploaded under a name, or None. Raises `DocumentError` for a name that is
        none.
        """
        place = str(self._uploads / stored_name(name))
        return next((one for one in await self._index.records() if one.path == place), None)

    async def take_back(self, doc_id: str, path: str, sha256: str, by: str) -> bool:
        """Take an uploaded document out again, with its file and the copy of its pages; False if there is
        none, or the id now stands for another file or content. Raises as `ingest` does.
        """
        document = await self._index.document(doc_id)
        record = document.record if document else None
        if record is None or (record.path, record.sha256) != (path, sha256):
            return False
        if not await self.remove(doc_id, by, record):
            return False
        kept, place = self.original(record), Path(record.path)
        if kept and record.sha256 not in {one.sha256 for one in await self._index.records()}:
            await asyncio.to_thread(kept.unlink, missing_ok=True)
        if place.parent == self._uploads:
            await asyncio.to_thread(place.unlink, missing_ok=True)
        return True

    def original(self, record: DocumentRecord) -> Path | None:
        """The original of a document, if it has pages that can be shown."""
        path = self._originals / f"{record.sha256}{Path(record.path).suffix.lower()}"
        return path if path.suffix in PICTURED and path.is_file() else None

    async def picture(self, record: DocumentRecord, page: int, quotes: Sequence[str]) -> bytes | None:
        """A page as PNG, quotes highlighted; None if the original has no pages or is not kept.

        Raises `DocumentError`.
        """
        path = self.original(record)
        return await self.pictures.draw(path, page, quotes) if path and self.pictures else None


@dataclass(frozen=True, slots=True)
class Keeping:
    """A parser that keeps a copy of each original that it could parse and whose pages can be shown."""

    parser: Parser
    originals: Path

    async def parse(self, path: Path, name: str, sha256: str, paged: Paged = unpaged) -> Document:
        """The document in a file. Raises `DocumentError`, `OSError`."""
        document = await self.parser.parse(path, name, sha256, paged)
        if path.suffix.lower() in PICTURED:
            await asyncio.to_thread(_keep, path, self.originals / f"{sha256}{path.suffix.lower()}")
        return document


def _keep(path: Path, kept: Path) -> None:
    """Copy a file all at once: a half copy is never seen."""
    if kept.exists():
        return
    kept.parent.mkdir(parents=True, exist_ok=True)
    half = kept.with_name(f".{kept.name}.{secrets.token_hex(4)}")
    try:
        shutil.copyfile(path, half)
        half.replace(kept)
    finally:
        half.unlink(missing_ok=True)


def _differs(place: Path, arrived: Path) -> bool:
    """Whether a file is there with another content."""
    return place.is_file() and not filecmp.cmp(place, arrived, shallow=False)
