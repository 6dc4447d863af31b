"""The tables of the embedded index, and the checks made when its file is opened."""

import os
import secrets
import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path

from retrieval.errors import EncoderMismatch, IndexDamaged
from retrieval.ports import Encoder

VERSION = 1
CACHE_KB = 32_768
"""Kilobytes of the file that each connection keeps in memory."""

# A replaced document gets a new `doc`, so a number never stands for two texts; `changed` is the index's
# version when its record was written last. `named` has the molecules of each record, in lower case.
# `lexicon` keeps no copy of the text: others have it.
TABLES = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS documents (
    doc INTEGER PRIMARY KEY AUTOINCREMENT,
    doc_id TEXT NOT NULL UNIQUE,
    changed INTEGER NOT NULL,
    record TEXT NOT NULL,
    pages TEXT NOT NULL,
    vectors BLOB NOT NULL,
    text TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS chunks (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    doc INTEGER NOT NULL,
    chunk_id TEXT NOT NULL UNIQUE,
    parts INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS chunks_of_document ON chunks (doc);
CREATE TABLE IF NOT EXISTS bodies (row INTEGER PRIMARY KEY, chunk TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS named (
    molecule TEXT NOT NULL, doc INTEGER NOT NULL, PRIMARY KEY (molecule, doc)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS molecules (
    name TEXT PRIMARY KEY,
    aliases TEXT NOT NULL,
    documents INTEGER NOT NULL
);
CREATE VIRTUAL TABLE IF NOT EXISTS lexicon USING fts5(
    body, codes, content='', tokenize='porter unicode61 remove_diacritics 2'
);
"""
NAMES = ("meta", "named", "documents", "chunks", "bodies", "molecules", "lexicon")
"""The tables."""


def connect(path: Path, wait_seconds: float) -> sqlite3.Connection:
    """A connection in autocommit mode that waits so long for another process's lock."""
    connection = sqlite3.connect(path, timeout=wait_seconds, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute(f"PRAGMA cache_size=-{CACHE_KB}")
    return connection


def prepare(path: Path, encoder: Encoder, wait_seconds: float) -> None:
    """Make the file if there is none; check that it is ours and holds vectors of this encoder.

    Raises:
        IndexDamaged: emptied, not an index, or one of another version.
        EncoderMismatch: the vectors in it come from another encoder.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        _make(path, encoder, wait_seconds)
    if not path.stat().st_size:
        raise IndexDamaged(
            f"The index {path} is empty: what was in it is lost. Put a copy of it back, or delete it and "
            "ingest the documents again."
        )
    with closing(connect(path, wait_seconds)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        _check_tables(path, connection)
        _check(path, dict(connection.execute("SELECT key, value FROM meta")), encoder)


def _make(path: Path, encoder: Encoder, wait_seconds: float) -> None:
    """Make the file whole under another name first: an empty one is then always one that was emptied."""
    made = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with closing(connect(made, wait_seconds)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            _create(connection, encoder)
        _show(made, path)
    finally:
        for left in ("", "-wal", "-shm", "-journal"):
            made.with_name(f"{made.name}{left}").unlink(missing_ok=True)


def _show(made: Path, path: Path) -> None:
    """Give the file its name, if no other process was faster."""
    with suppress(FileExistsError):
        try:
            os.link(made, path)
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            if not path.exists():
                made.replace(path)


def _create(connection: sqlite3.Connection, encoder: Encoder) -> None:
    meta = {"schema": VERSION, "version": 0, "encoder": encoder.name, "dimension": encoder.dimension}
    connection.execute("BEGIN IMMEDIATE")
    for statement in TABLES.split(";\n"):
        connection.execute(statement)
    connection.executemany("INSERT OR IGNORE INTO meta VALUES (?, ?)", meta.items())
    connection.execute("COMMIT")


def name_document(connection: sqlite3.Connection, doc: int, molecules: Iterable[str]) -> None:
    """Note that a document is about these molecules."""
    rows = [(molecule.casefold(), doc) for molecule in molecules]
    connection.executemany("INSERT OR IGNORE INTO named VALUES (?, ?)", rows)


def unname_document(connection: sqlite3.Connection, doc: int, molecules: Iterable[str]) -> None:
    """Forget that a document is about these molecules."""
    rows = [(molecule.casefold(), doc) for molecule in molecules]
    connection.executemany("DELETE FROM named WHERE molecule = ? AND doc = ?", rows)


def _check_tables(path: Path, connection: sqlite3.Connection) -> None:
    """Raises `IndexDamaged` for a database of something else, or without some of the tables."""
    there = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if missing := [name for name in NAMES if name not in there]:
        raise IndexDamaged(
            f"{path} is damaged or is not an index: it has no table {missing[0]}. Check PESTLE_INDEX_PATH, "
            "or move the file away and ingest the documents again."
        )


def _check(path: Path, meta: dict[str, object], encoder: Encoder) -> None:
    if (schema := meta.get("schema")) != VERSION:
        raise IndexDamaged(
            f"The index {path} was made by another version of Pestle (format {schema}, this one "
            f"reads {VERSION}). Move it away and ingest the documents again."
        )
    name, dimension = meta.get("encoder"), meta.get("dimension")
    if (name, dimension) != (encoder.name, encoder.dimension):
        raise EncoderMismatch(
            f"The index {path} holds vectors of {name} ({dimension} dimensions), but "
            f"{encoder.name} ({encoder.dimension}) is set. Set the encoder back, or move the index away and "
            f"ingest again."
        )
