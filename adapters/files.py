"""The archive's files: what is ingested from where, uploads, and originals kept so that a citation can show
its page.
"""

import asyncio
import hashlib
import re
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path

from retrieval.errors import CorruptDocument
from retrieval.ingest import ingest, ingest_file, remove
from retrieval.models import DocumentRecord, IngestReport, ParsedFile
from retrieval.parse import parse
from retrieval.ports import Encoder, Index, OcrEngine

PICTURED = (".pdf", ".tif", ".tiff", ".png", ".jpg", ".jpeg")
"""Formats of which a page can be shown as a picture; only these originals are kept."""
UNSAFE = re.compile(r"[^\w.\- ()]+")
Progress = Callable[[int, int, str], None]


class ArchiveFiles:
    """Ingests files into the index.

    Originals with pages are copied to `originals`, named by content, so that a citation opens also after the
    source folder is gone. Uploads are kept in `uploads` under their own names.
    """

    def __init__(self, home: Path, index: Index, encoder: Encoder, ocr: OcrEngine | None) -> None:
        self._uploads = home / "uploads"
        self._originals = home / "originals"
        self._index = index
        self._encoder = encoder
        self._ocr = ocr

    async def ingest(self, folder: Path, progress: Progress | None = None) -> IngestReport:
        """Bring the archive up to date with a folder, or take in one file.

        Raises `ArchiveNotFound`, `IndexBusy`, `StorageFull`.
        """
        if await asyncio.to_thread(folder.is_file):
            return await ingest_file(folder, self._index, self._encoder, self._parse)
        return await ingest(folder, self._index, self._encoder, self._parse, progress=progress)

    async def add(self, name: str, data: bytes) -> IngestReport:
        """Take in one uploaded file. Raises `DocumentError` for a name that is none."""
        safe = UNSAFE.sub("_", Path(name).name).lstrip(".")
        if not safe:
            raise CorruptDocument("The file has no usable name. Rename it and try again.")
        path = self._uploads / safe
        await asyncio.to_thread(_write, path, data)
        return await ingest_file(path, self._index, self._encoder, self._parse)

    async def remove(self, doc_id: str) -> bool:
        """Take a document out of the archive; False if there is none."""
        return await remove(doc_id, self._index)

    def original(self, record: DocumentRecord) -> Path | None:
        """The original of a document, if it has pages that can be shown."""
        path = self._originals / f"{record.sha256}{Path(record.path).suffix.lower()}"
        return path if path.suffix in PICTURED and path.is_file() else None

    def _parse(self, path: Path) -> ParsedFile:
        """Parse a file; keep a copy of it where its pages can be shown."""
        parsed = parse(path, self._ocr)
        if path.suffix.lower() in PICTURED:
            _keep(path, self._originals)
        return parsed


def _keep(path: Path, folder: Path) -> None:
    """Copy a file under its content hash, all at once: a half copy is never seen."""
    with path.open("rb") as file:
        name = f"{hashlib.file_digest(file, 'sha256').hexdigest()}{path.suffix.lower()}"
    if (folder / name).exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    half = folder / f".{name}.{secrets.token_hex(4)}"
    try:
        shutil.copyfile(path, half)
        half.replace(folder / name)
    finally:
        half.unlink(missing_ok=True)


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
