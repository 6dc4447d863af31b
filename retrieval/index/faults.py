"""Errors of SQLite as errors of this floor."""

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


@contextmanager
def clear_errors(path: Path) -> Iterator[None]:
    """Raise the error of this floor that an SQLite error stands for."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        name = getattr(error, "sqlite_errorname", "")
        for prefixes, kind, message in FAULTS:
            if name.startswith(prefixes):
                raise kind(message.format(path=path)) from error
        raise
