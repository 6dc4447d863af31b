"""The archive's files: what is ingested from where, uploads, and originals kept so that a citation can show
its page.
"""

import asyncio
import filecmp
import hashlib
import re
import secrets
import shutil
import unicodedata
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import BinaryIO

from adapters.errors import NameTaken
from retrieval.errors import FULL, CorruptDocument, StorageFull
from retrieval.ingest.prepare import MOST_CHUNKS
from retrieval.ingest.update import ingest, remove
from retrieval.ports import DocumentSource, Encoder, Index, PagePictures, Parser
from retrieval.values import Document, DocumentRecord, IngestReport, Listing, SourceFile

PICTURED = (".pdf", ".tif", ".tiff", ".png", ".jpg", ".jpeg")
"""Formats of which a page can be shown as a picture; only these originals are kept."""
UNSAFE = re.compile(r"^\.|[^\w.\- ()]+")
LONGEST_NAME, LONGEST_KEPT, LONGEST_SUFFIX = 200, 160, 16
"""Bytes of an upload's file name, of what is kept of a longer one, and characters of its ending."""
Progress = Callable[[int, int, str], None]


class ArchiveFiles:
    """Ingests files into the index.

    `pictures` draws pages of originals, beside the parser: a reader does not wait behind an ingest.
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
        most_chunks: int = MOST_CHUNKS,
    ) -> None:
        self._uploads = home / "uploads"
        self._originals = home / "originals"
        self._index = index
        self._encoder = encoder
        self._most_chunks = most_chunks
        self._arriving: set[Path] = set()
        self._pictures = pictures
        self._parser = Keeping(parser, self._originals)

    async def ingest(
        self, source: DocumentSource, progress: Progress | None = None, delete: bool = False
    ) -> IngestReport:
        """Bring the archive up to date with a source of documents; `delete`: see `retrieval.ingest.update`.

        Raises `ArchiveNotFound`, `SourceDown`, `IndexBusy`, `StorageFull`.
        """
        return await ingest(
            source,
            self._index,
            self._encoder,
            self._parser,
            delete=delete,
            progress=progress,
            most_chunks=self._most_chunks,
        )

    async def add(self, name: str, file: BinaryIO, *, replace: bool = False) -> IngestReport:
        """Take in one uploaded file, and keep it under its name once it is in the archive.

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
            async with _put_down(self._uploads, place.name, file) as arrived:
                if not replace and await asyncio.to_thread(_differs, place, arrived):
                    raise NameTaken(
                        f"The archive has another file named {name}. Replace it, or rename this one."
                    )
                report = await self.ingest(Upload(arrived, place))
                if not report.skipped:
                    await asyncio.to_thread(arrived.replace, place)
                return report
        finally:
            self._arriving.discard(place)

    async def remove(self, doc_id: str) -> bool:
        """Take a document out of the archive; False if there is none."""
        return await remove(doc_id, self._index)

    def original(self, record: DocumentRecord) -> Path | None:
        """The original of a document, if it has pages that can be shown."""
        path = self._originals / f"{record.sha256}{Path(record.path).suffix.lower()}"
        return path if path.suffix in PICTURED and path.is_file() else None

    async def picture(self, record: DocumentRecord, page: int, quotes: Sequence[str]) -> bytes | None:
        """A page as PNG, quotes highlighted; None if the original has no pages or is not kept.

        Raises `DocumentError`.
        """
        path = self.original(record)
        return await self._pictures.draw(path, page, quotes) if path and self._pictures else None


class Keeping:
    """A parser that keeps a copy of each original that it could parse and whose pages can be shown."""

    def __init__(self, parser: Parser, originals: Path) -> None:
        self._parser = parser
        self._originals = originals

    async def parse(self, path: Path, name: str, sha256: str) -> Document:
        """The document in a file. Raises `DocumentError`, `OSError`."""
        document = await self._parser.parse(path, name, sha256)
        if path.suffix.lower() in PICTURED:
            await asyncio.to_thread(_keep, path, self._originals / f"{sha256}{path.suffix.lower()}")
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


class Upload:
    """`DocumentSource` of one file that has arrived: read where it was put down, known by its later place."""

    def __init__(self, arrived: Path, place: Path) -> None:
        self._arrived = arrived
        self._file = SourceFile(str(place), place.name)

    async def listing(self) -> Listing:
        """The file."""
        return Listing("", (self._file,))

    @asynccontextmanager
    async def opened(self, _: SourceFile) -> AsyncIterator[Path]:
        """The file itself."""
        yield self._arrived


def stored_name(name: str) -> str:
    """A file name for what was uploaded under `name`: another one for each name.

    What a file system may refuse is written as "%3F", an end that is cut off as a hash. Raises
    `CorruptDocument` for a name that is none.
    """
    plain = unicodedata.normalize("NFC", re.split(r"[/\\]", name)[-1]).strip()
    if not plain.strip("."):
        raise CorruptDocument("The file has no usable name. Rename it and try again.")
    safe = UNSAFE.sub(_escaped, plain)
    if len(safe.encode()) <= LONGEST_NAME:
        return safe
    digest = hashlib.sha256(safe.encode()).hexdigest()[:16]
    suffix = Path(safe).suffix[-LONGEST_SUFFIX:]
    return f"{safe.encode()[:LONGEST_KEPT].decode(errors='ignore')}~{digest}{suffix}"


def _escaped(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode(errors="surrogatepass"))


@asynccontextmanager
async def _put_down(uploads: Path, name: str, file: BinaryIO) -> AsyncIterator[Path]:
    """The file beside the uploads, while the context is open. Raises `StorageFull`; then nothing is left."""
    folder = uploads / f".arriving-{secrets.token_hex(8)}"
    try:
        try:
            await asyncio.to_thread(_write, folder / name, file)
        except OSError as error:
            if error.errno in FULL:
                raise StorageFull(
                    f"The disk of {uploads} is full: {name} was not taken. Free some space and try again."
                ) from error
            raise CorruptDocument(f"{name} cannot be written to {uploads} ({error.strerror}).") from error
        yield folder / name
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


def _write(path: Path, file: BinaryIO) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as written:
        shutil.copyfileobj(file, written)


def _differs(place: Path, arrived: Path) -> bool:
    """Whether a file is there with another content."""
    return place.is_file() and not filecmp.cmp(place, arrived, shallow=False)
