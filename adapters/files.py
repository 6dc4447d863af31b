"""The archive's files: what is ingested from where, uploads, and originals kept so that a citation can show
its page.
"""

import asyncio
import re
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path

from retrieval.errors import CorruptDocument
from retrieval.ingest.folder import Folder
from retrieval.ingest.update import ingest, remove
from retrieval.ports import DocumentSource, Encoder, Index, Parser
from retrieval.values import Document, DocumentRecord, IngestReport

PICTURED = (".pdf", ".tif", ".tiff", ".png", ".jpg", ".jpeg")
"""Formats of which a page can be shown as a picture; only these originals are kept."""
UNSAFE = re.compile(r"[^\w.\- ()]+")
Progress = Callable[[int, int, str], None]


class ArchiveFiles:
    """Ingests files into the index.

    Originals with pages are copied to `originals`, named by content, so that a citation opens also after the
    source folder is gone. Uploads are kept in `uploads` under their own names.
    """

    def __init__(self, home: Path, index: Index, encoder: Encoder, parser: Parser) -> None:
        self._uploads = home / "uploads"
        self._originals = home / "originals"
        self._index = index
        self._encoder = encoder
        self._parser = Keeping(parser, self._originals)

    async def ingest(
        self, source: DocumentSource, progress: Progress | None = None, delete: bool = False
    ) -> IngestReport:
        """Bring the archive up to date with a source of documents; `delete`: see `retrieval.ingest.update`.

        Raises `ArchiveNotFound`, `SourceDown`, `IndexBusy`, `StorageFull`.
        """
        return await ingest(
            source, self._index, self._encoder, self._parser, delete=delete, progress=progress
        )

    async def add(self, name: str, data: bytes) -> IngestReport:
        """Take in one uploaded file. Raises `DocumentError` for a name that is none."""
        safe = UNSAFE.sub("_", Path(name).name).lstrip(".")
        if not safe:
            raise CorruptDocument("The file has no usable name. Rename it and try again.")
        path = self._uploads / safe
        await asyncio.to_thread(_write, path, data)
        return await self.ingest(Folder(path))

    async def remove(self, doc_id: str) -> bool:
        """Take a document out of the archive; False if there is none."""
        return await remove(doc_id, self._index)

    def original(self, record: DocumentRecord) -> Path | None:
        """The original of a document, if it has pages that can be shown."""
        path = self._originals / f"{record.sha256}{Path(record.path).suffix.lower()}"
        return path if path.suffix in PICTURED and path.is_file() else None


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


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
