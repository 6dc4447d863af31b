"""Uploads: a file name for each name, a place for a file that arrives, and what a killed process left."""

import hashlib
import os
import re
import secrets
import shutil
import unicodedata
from asyncio import to_thread
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from retrieval.errors import FULL, CorruptDocument, StorageFull
from retrieval.values import Listing, SourceFile

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

UNSAFE = re.compile(r"^\.|[^\w.\- ()]+")
ARRIVING = ".arriving-"
"""How the name of a folder begins in which an upload lies while it is read."""
LONGEST_NAME, LONGEST_KEPT, LONGEST_SUFFIX = 200, 160, 16
"""Bytes of an upload's file name, of what is kept of a longer one, and characters of its ending."""


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
async def put_down(uploads: Path, name: str, file: BinaryIO) -> AsyncIterator[Path]:
    """The file beside the uploads, while the context is open. Raises `StorageFull`; then nothing is left."""
    folder = uploads / f"{ARRIVING}{secrets.token_hex(8)}"
    held = -1
    try:
        try:
            folder.mkdir(parents=True)
            held = _hold(folder)
            await to_thread(_write, folder / name, file)
        except OSError as error:
            if error.errno in FULL:
                raise StorageFull(
                    f"The disk of {uploads} is full: {name} was not taken. Free some space and try again."
                ) from error
            raise CorruptDocument(f"{name} cannot be written to {uploads} ({error.strerror}).") from error
        yield folder / name
    finally:
        await to_thread(shutil.rmtree, folder, ignore_errors=True)
        if held >= 0:
            os.close(held)


def _hold(folder: Path) -> int:
    """A descriptor that holds a folder as long as this process lives; -1 if somebody else holds it.

    Where the system has no such locks (Windows) nobody can tell, and it counts as held by somebody else.
    """
    if fcntl is None:
        return -1
    held = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(held)
        return -1
    return held


def left_behind(uploads: Path) -> list[Path]:
    """Folders of uploads whose process is dead."""
    left = []
    for folder in uploads.glob(f"{ARRIVING}*"):
        with suppress(OSError):
            if (held := _hold(folder)) >= 0:
                os.close(held)
                left.append(folder)
    return left


def _write(path: Path, file: BinaryIO) -> None:
    with path.open("wb") as written:
        shutil.copyfileobj(file, written)
