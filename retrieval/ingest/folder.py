"""A folder as a source of documents, and one file of it."""

import asyncio
import errno
import hashlib
import os
import stat
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from retrieval.errors import ArchiveNotFound, SourceDown
from retrieval.values import Listing, SkippedFile, SourceFile

IGNORED = ("~$", ".", "Thumbs.db", "desktop.ini")
IGNORED_ENDINGS = (".tmp", ".part", ".crdownload", ".lock", ".swp", "~")


def ignored(name: str) -> bool:
    """Whether a file of this name is hidden, or some program's own: it is left out silently."""
    return name.startswith(IGNORED) or name.endswith(IGNORED_ENDINGS)


class Folder:
    """`DocumentSource` of the files below a folder, or of one file.

    Hidden and temporary files are left out silently; links that lead out of the folder or nowhere, pipes and
    devices, and folders without permission are told. With `by_stat`, a file of the same size and time of
    change counts as unchanged and is not read; otherwise only its content tells.
    """

    def __init__(self, path: Path, *, by_stat: bool = False) -> None:
        self._path = path
        self._by_stat = by_stat

    async def listing(self) -> Listing:
        """The files in order of folders and names.

        Raises `ArchiveNotFound` if there is no such path, `SourceDown` if it cannot be looked into.
        """
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
        return _Look(root, self._file).listing()

    def _file(self, path: Path, name: str) -> SourceFile:
        version, size = _state(path)
        return SourceFile(str(path), name, version if self._by_stat else "", size)


class _Look:
    """One look at all that is below a folder: what is read, what is left out and why, what is not seen."""

    def __init__(self, root: Path, made: Callable[[Path, str], SourceFile]) -> None:
        self._root = root
        self._made = made
        self._files: list[SourceFile] = []
        self._skipped: list[SkippedFile] = []
        self._unseen: list[str] = []
        self._empty: list[str] = []

    def listing(self) -> Listing:
        """What is there. Raises `SourceDown` if the folder itself cannot be looked into."""
        for folder, folders, names in os.walk(self._root, onerror=self._closed):
            if not (folders or names):
                self._empty.append(f"{folder}{os.sep}")
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            links = (name for name in folders if Path(folder, name).is_symlink())
            for name in sorted((*names, *links)):
                if not ignored(name):
                    self._take(Path(folder, name))
        found = tuple(self._files), tuple(self._skipped)
        return Listing(f"{self._root}{os.sep}", *found, unseen=tuple(self._unseen), empty=tuple(self._empty))

    def _take(self, path: Path) -> None:
        """Note a file to read, or why it is none."""
        below = path.relative_to(self._root).as_posix()
        if not _is_text(below):
            self._leave(path, ascii(below), "The file's name is not valid text. Rename it.")
        elif reason := self._reason_against(path):
            self._leave(path, below, reason)
        else:
            self._files.append(self._made(path, below))

    def _reason_against(self, path: Path) -> str:
        """Why a path is not read; "" for a file."""
        try:
            if path.is_symlink() and not path.resolve(strict=True).is_relative_to(self._root):
                return "The link leads out of the folder. Copy the file instead."
            mode = path.stat().st_mode
        except (OSError, RuntimeError) as error:  # Python 3.11 and 3.12 call a loop of links a RuntimeError
            return _unreachable(error, path)
        if stat.S_ISDIR(mode):
            return "The link leads to a folder, which is read in its own place. It is left out."
        return "" if stat.S_ISREG(mode) else "It is a pipe or a device, not a file. It is left out."

    def _leave(self, path: Path, shown: str, reason: str) -> None:
        self._skipped.append(SkippedFile(shown, reason))
        self._unseen += (str(path), f"{path}{os.sep}")  # a file, or a folder that does not say that it is one

    def _closed(self, error: OSError) -> None:
        """Note a folder that cannot be looked into."""
        folder = Path(error.filename)
        if folder == self._root:
            raise SourceDown(
                f"The folder {folder} cannot be looked into ({error.strerror}). Nothing is changed. Check "
                "its permissions, or whether its drive is connected."
            ) from error
        below = folder.relative_to(self._root).as_posix()
        shown = below if _is_text(below) else ascii(below)
        reason = (
            f"The folder cannot be looked into ({error.strerror}). What the archive has of it stays. "
            "Check its permissions."
        )
        self._skipped.append(SkippedFile(f"{shown}/", reason))
        self._unseen.append(f"{folder}{os.sep}")


def _unreachable(error: OSError | RuntimeError, path: Path) -> str:
    """Why a path cannot be looked at."""
    if isinstance(error, RuntimeError) or error.errno == errno.ELOOP:
        return "The link leads to itself. It is left out."
    if isinstance(error, FileNotFoundError) and path.is_symlink():
        return "The link leads nowhere. Copy the file here, or delete the link."
    return f"It cannot be looked at ({error.strerror}). Check its permissions."


def _state(path: Path) -> tuple[str, int]:
    """What changes when the file is written, and its size; "" and 0 if it has just vanished."""
    try:
        found = path.stat()
    except OSError:
        return "", 0
    return f"{found.st_size}-{found.st_mtime_ns}", found.st_size


def _is_text(name: str) -> bool:
    """Whether a name can be written down: names on disk may be any bytes."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
