"""A folder as a source of documents, and one file of it."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from retrieval.errors import ArchiveNotFound
from retrieval.values import Listing, SkippedFile, SourceFile

IGNORED = ("~$", ".", "Thumbs.db", "desktop.ini")
IGNORED_ENDINGS = (".tmp", ".part", ".crdownload", ".lock", ".swp", "~")


def ignored(name: str) -> bool:
    """Whether a file of this name is hidden, or some program's own: it is left out silently."""
    return name.startswith(IGNORED) or name.endswith(IGNORED_ENDINGS)


class Folder:
    """`DocumentSource` of the files below a folder, or of one file.

    Hidden and temporary files are left out silently; links that lead out of the folder are skipped. With
    `by_stat`, a file of the same size and time of change counts as unchanged and is not read; otherwise only
    its content tells.
    """

    def __init__(self, path: Path, *, by_stat: bool = False) -> None:
        self._path = path
        self._by_stat = by_stat

    async def listing(self) -> Listing:
        """The files in order of folders and names. Raises `ArchiveNotFound` if there is no such path."""
        return await asyncio.to_thread(self._listing)

    @asynccontextmanager
    async def opened(self, file: SourceFile) -> AsyncIterator[Path]:
        """The file itself."""
        yield Path(file.location)

    def _listing(self) -> Listing:
        root = self._path.resolve()
        if root.is_file():
            return Listing("", (self._file(root, root.name),))
        if not root.is_dir():
            raise ArchiveNotFound(f"There is no folder or file {self._path}. Check the path and try again.")
        files: list[SourceFile] = []
        skipped: list[SkippedFile] = []
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted((*names, *(name for name in folders if Path(folder, name).is_symlink()))):
                path = Path(folder, name)
                below = path.relative_to(root).as_posix()
                if ignored(name):
                    continue
                if path.is_symlink() and not path.resolve().is_relative_to(root):
                    reason = "The link leads out of the folder. Copy the file instead."
                    skipped.append(SkippedFile(below, reason))
                elif not _is_text(below):
                    reason = "The file's name is not valid text. Rename it."
                    skipped.append(SkippedFile(ascii(below), reason))
                elif path.is_file():
                    files.append(self._file(path, below))
        return Listing(f"{root}{os.sep}", tuple(files), tuple(skipped))

    def _file(self, path: Path, name: str) -> SourceFile:
        return SourceFile(str(path), name, _version(path) if self._by_stat else "")


def _version(path: Path) -> str:
    """Changes when the file is written; "" if it has just vanished."""
    try:
        found = path.stat()
    except OSError:
        return ""
    return f"{found.st_size}-{found.st_mtime_ns}"


def _is_text(name: str) -> bool:
    """Whether a name can be written down: names on disk may be any bytes."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
