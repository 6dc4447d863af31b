"""The tables of the embedded index, and the checks made when its file is opened."""

import sqlite3
from pathlib import Path

from retrieval.errors import EncoderMismatch, IndexDamaged
from retrieval.ports import Encoder

VERSION = 1
CACHE_KB = 32_768
"""Kilobytes of the file that each connection keeps in memory."""

# A replaced document gets a new `doc`, so a number never stands for two texts; `changed` is the index's
# version when its record was written last. `lexicon` keeps no copy of the text: others have it.
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
CREATE TABLE IF NOT EXISTS molecules (
    name TEXT PRIMARY KEY,
    aliases TEXT NOT NULL,
    documents INTEGER NOT NULL
);
CREATE VIRTUAL TABLE IF NOT EXISTS lexicon USING fts5(
    body, codes, content='', tokenize='porter unicode61 remove_diacritics 2'
);
"""


def connect(path: Path, wait_seconds: float) -> sqlite3.Connection:
    """A connection in autocommit mode that waits so long for another process's lock."""
    connection = sqlite3.connect(path, timeout=wait_seconds, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA synchronous=NORMAL")
    connection.execute(f"PRAGMA cache_size=-{CACHE_KB}")
    return connection


def prepare(path: Path, encoder: Encoder, wait_seconds: float) -> None:
    """Make the file if there is none; check that it is ours and holds vectors of this encoder.

    Raises:
        IndexDamaged: not an index, or one of another version.
        EncoderMismatch: the vectors in it come from another encoder.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = connect(path, wait_seconds)
    try:
        connection.execute("PRAGMA journal_mode=WAL")
        if _meta(connection).get("schema") is None:
            _create(connection, encoder)
        _check(path, _meta(connection), encoder)
    finally:
        connection.close()


def _create(connection: sqlite3.Connection, encoder: Encoder) -> None:
    meta = {"schema": VERSION, "version": 0, "encoder": encoder.name, "dimension": encoder.dimension}
    connection.execute("BEGIN IMMEDIATE")
    for statement in TABLES.split(";\n"):
        connection.execute(statement)
    connection.executemany("INSERT OR IGNORE INTO meta VALUES (?, ?)", meta.items())
    connection.execute("COMMIT")


def _meta(connection: sqlite3.Connection) -> dict[str, object]:
    known = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone()
    return dict(connection.execute("SELECT key, value FROM meta")) if known else {}


def _check(path: Path, meta: dict[str, object], encoder: Encoder) -> None:
    if meta["schema"] != VERSION:
        raise IndexDamaged(
            f"The index {path} was made by another version of Pestle (format {meta['schema']}, this one "
            f"reads {VERSION}). Move it away and ingest the documents again."
        )
    if (meta["encoder"], meta["dimension"]) != (encoder.name, encoder.dimension):
        raise EncoderMismatch(
            f"The index {path} holds vectors of {meta['encoder']} ({meta['dimension']} dimensions), but "
            f"{encoder.name} ({encoder.dimension}) is set. Set the encoder back, or move the index away and "
            f"ingest again."
        )
