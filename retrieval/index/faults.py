"""Errors of SQLite as errors of this floor."""

import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from retrieval.errors import IndexBusy, IndexDamaged, RetrievalError, StorageFull

FAULTS: tuple[tuple[tuple[str, ...], type[RetrievalError], str], ...] = (
    (
        ("SQLITE_BUSY", "SQLITE_LOCKED"),
        IndexBusy,
        "Another process is writing to the index {path}. Wait until it has finished, then try again.",
    ),
    (
        ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_IOERR_READ", "SQLITE_IOERR_SHORT_READ"),
        IndexDamaged,
        "{path} is damaged or is not an index. Move it away and ingest the documents again.",
    ),
    (
        ("SQLITE_FULL", "SQLITE_IOERR"),
        StorageFull,
        "The index {path} could not be written: the disk is full. All complete documents are kept. "
        "Free some space, then ingest again.",
    ),
    (
        ("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_AUTH"),
        RetrievalError,
        "The index {path} cannot be opened for writing. Check the permissions of the file and its folder.",
    ),
)
"""Names of errors by how they begin, the first that fits; what is not listed is a fault of the program."""
GARBLED = re.compile(
    r"no such (?:table|column|module)|malformed|vtable constructor failed|unrecognized token|decode to UTF-8"
)
"""Messages of SQLITE_ERROR where a file's own description of its tables is damaged, and of Python, which has
no name for it, where a text is.
"""
LEAST_FREE = 2**17
"""Bytes on a disk under which a file cannot be opened because it is full."""


class Garbled(sqlite3.DatabaseError):
    """What is in a row of the index is not what was written there."""

    sqlite_errorname = "SQLITE_CORRUPT"


@contextmanager
def reading_rows() -> Iterator[None]:
    """Raise `Garbled` where a row cannot be understood."""
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise Garbled(str(error)) from error


def disk_full(path: Path) -> bool:
    """Whether there is no room left where a file is."""
    try:
        return shutil.disk_usage(path.parent).free < LEAST_FREE
    except OSError:
        return False


@contextmanager
def clear_errors(path: Path) -> Iterator[None]:
    """Raise the error of this floor that an SQLite error stands for."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        name = getattr(error, "sqlite_errorname", "")
        if name in ("", "SQLITE_ERROR") and GARBLED.search(str(error)):
            name = "SQLITE_CORRUPT"
        elif name.startswith("SQLITE_CANTOPEN") and disk_full(path):
            name = "SQLITE_FULL"
        for prefixes, kind, message in FAULTS:
            if name.startswith(prefixes):
                raise kind(message.format(path=path)) from error
        raise
