"""The embedded index: one SQLite file with FTS5 for words and numpy for vectors.

Writing is one transaction at a time (BEGIN IMMEDIATE) in write-ahead mode: readers in any process see the
last complete state and never wait. A process that is killed leaves the last complete state behind.
"""

import asyncio
import json
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

import numpy as np

from retrieval.index.faults import clear_errors
from retrieval.index.filters import passes
from retrieval.index.rank import ranked
from retrieval.index.rows import chunk_from_json, pages_from_json, record_from_json
from retrieval.index.schema import connect, prepare
from retrieval.index.snapshot import Snapshot, empty, refreshed
from retrieval.index.words import codes, fts5_idf, lucene_idf, match_expression, rarest, terms
from retrieval.index.writer import SqliteWriter
from retrieval.ports import EVERYTHING, Encoder, Stored, Vectors
from retrieval.values import Candidates, Chunk, Document, DocumentRecord, Filters, Molecule, SearchRequest

T = TypeVar("T")

WAIT_SECONDS = 45.0
"""How long a writer waits for another one: storing a huge document takes seconds, more on a busy machine."""
READERS = 2
"""Threads that read: lexical and dense search of one question run side by side."""
MOST_WORDS = 64
"""Words of a very long question that are looked at."""
MOST_TERMS = 32
MOST_POSTINGS = 15_000
"""Bounds on a lexical query: its terms, and the chunks that are scored (its time: `make bench`)."""


class SqliteIndex:
    """`Index` in the file `path`, made if there is none.

    `wait_seconds` is how long a writer waits for another one before it raises `IndexBusy`.

    Raises:
        IndexDamaged, EncoderMismatch: see `retrieval.index.schema.prepare`.
    """

    def __init__(self, path: Path, encoder: Encoder, wait_seconds: float = WAIT_SECONDS) -> None:
        self._path = path
        self._wait_seconds = wait_seconds
        with clear_errors(path):
            prepare(path, encoder, wait_seconds)
        self._snapshot = empty(encoder.dimension)
        self._refreshing = threading.Lock()
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="index-reader")
        self._local = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._frequencies: dict[str, int] = {}

    @asynccontextmanager
    async def write(self) -> AsyncIterator[SqliteWriter]:
        """A transaction in its own thread. Raises `IndexBusy`, `StorageFull`; then nothing of it is kept."""
        with clear_errors(self._path):
            writer = SqliteWriter(self._path, self._wait_seconds, self._snapshot.matrix.shape[1])
            try:
                await writer.begin()
                yield writer
                await writer.commit()
            finally:
                await writer.close()

    async def lexical(self, request: SearchRequest) -> list[tuple[str, float]]:
        """(chunk_id, BM25) best first; inverse document frequencies are those of the whole index."""
        return await self._read(lambda connection: self._lexical(connection, request))

    async def dense(self, vector: Vectors, filters: Filters, limit: int) -> list[tuple[str, float]]:
        """(chunk_id, cosine) best first."""

        def read(connection: sqlite3.Connection) -> list[tuple[str, float]]:
            snapshot = self._fresh(connection)
            rows = snapshot.rows_passing(filters, connection) if filters.sections else None
            return snapshot.nearest(vector, filters, limit, rows)

        return await self._read(read)

    async def candidates(self, request: SearchRequest, vector: Vectors) -> Candidates:
        """Both rankings, side by side on two threads."""
        lexical, dense = await asyncio.gather(
            self.lexical(request), self.dense(vector, request.filters, request.limit)
        )
        return Candidates(tuple(lexical), tuple(dense))

    async def chunks(self, chunk_ids: Sequence[str]) -> list[Chunk]:
        """The chunks with these ids, in the order given."""

        def read(connection: sqlite3.Connection) -> list[Chunk]:
            query = "SELECT chunk FROM bodies JOIN chunks USING (row) WHERE chunk_id = ?"
            found = (connection.execute(query, (chunk_id,)).fetchone() for chunk_id in chunk_ids)
            return [chunk_from_json(row[0]) for row in found if row]

        return await self._read(read)

    async def found(self, chunk_ids: Sequence[str]) -> list[tuple[Chunk, DocumentRecord]]:
        """Chunks with their documents' records, in the order given."""

        def read(connection: sqlite3.Connection) -> list[tuple[Chunk, DocumentRecord]]:
            query = """
                SELECT chunk, record FROM chunks JOIN bodies USING (row) JOIN documents USING (doc)
                WHERE chunk_id = ?
            """
            rows = (connection.execute(query, (chunk_id,)).fetchone() for chunk_id in chunk_ids)
            return [(chunk_from_json(row[0]), record_from_json(row[1])) for row in rows if row]

        return await self._read(read)

    async def document(self, doc_id: str) -> Document | None:
        """A whole document."""

        def read(connection: sqlite3.Connection) -> Document | None:
            query = "SELECT record, text, pages FROM documents WHERE doc_id = ?"
            row = connection.execute(query, (doc_id,)).fetchone()
            return Document(record_from_json(row[0]), row[1], pages_from_json(row[2])) if row else None

        return await self._read(read)

    async def records(self, filters: Filters = EVERYTHING) -> list[DocumentRecord]:
        """Records that pass, ordered by doc_id."""

        def read(connection: sqlite3.Connection) -> list[DocumentRecord]:
            conditions, values = _narrowed(filters)
            query = f"SELECT record FROM documents {conditions} ORDER BY doc_id"
            rows = connection.execute(query, values)
            return [record for (text,) in rows if passes(record := record_from_json(text), filters)]

        return await self._read(read)

    async def molecules(self) -> list[Molecule]:
        """The registry of molecules, ordered by name."""

        def read(connection: sqlite3.Connection) -> list[Molecule]:
            rows = connection.execute("SELECT name, aliases, documents FROM molecules ORDER BY name")
            return [
                Molecule(name, tuple(aliases.split("\n")) if aliases else (), n) for name, aliases, n in rows
            ]

        return await self._read(read)

    async def version(self) -> str:
        """The number of the last write."""
        query = "SELECT value FROM meta WHERE key = 'version'"
        return await self._read(lambda connection: str(connection.execute(query).fetchone()[0]))

    async def stored(self, doc_id: str) -> Stored | None:
        """A document with its chunks and vectors."""

        def read(connection: sqlite3.Connection) -> Stored | None:
            query = "SELECT doc, record, text, pages, vectors FROM documents WHERE doc_id = ?"
            if (row := connection.execute(query, (doc_id,)).fetchone()) is None:
                return None
            document = Document(record_from_json(row[1]), row[2], pages_from_json(row[3]))
            query = "SELECT chunk, parts FROM chunks JOIN bodies USING (row) WHERE doc = ? ORDER BY row"
            found = connection.execute(query, (row[0],)).fetchall()
            vectors = np.frombuffer(row[4], np.float32).reshape(-1, self._snapshot.matrix.shape[1])
            chunks = tuple(chunk_from_json(chunk) for chunk, _ in found)
            return Stored(document, chunks, vectors, tuple(parts for _, parts in found))

        return await self._read(read)

    async def close(self) -> None:
        """Close the file; reads that are under way end first."""
        await asyncio.to_thread(self._readers.shutdown)
        for connection in self._connections:
            connection.close()

    def _lexical(self, connection: sqlite3.Connection, request: SearchRequest) -> list[tuple[str, float]]:
        snapshot = self._fresh(connection)
        names = codes(request.text)[:MOST_TERMS]
        known = self._counted(connection, terms(request.text)[:MOST_WORDS])
        words = rarest(known, len(snapshot.rows), MOST_TERMS, MOST_POSTINGS)
        counts = self._counted(connection, tuple(dict.fromkeys((*names, *words))))
        weights = {term: _weight(count, len(snapshot.rows)) for term, count in counts.items() if count}
        if not weights:
            return []
        passing: list[int] | None
        if request.filters.sections:
            column, passing = "row", snapshot.rows_passing(request.filters, connection)
        else:
            column, passing = "doc", snapshot.passing(request.filters)
        rows = _matches(connection, weights, column, passing, request.limit)
        return ranked(((snapshot.chunk_id(row), score) for row, score in rows), request.limit)

    def _counted(self, connection: sqlite3.Connection, words: Sequence[str]) -> dict[str, int]:
        """In how many chunks each word occurs, remembered for this version."""
        known = self._frequencies
        query = "SELECT count(*) FROM lexicon WHERE lexicon MATCH ?"
        for word in words:
            if word not in known:
                known[word] = connection.execute(query, (match_expression([word]),)).fetchone()[0]
        return {word: known[word] for word in words}

    def _fresh(self, connection: sqlite3.Connection) -> Snapshot:
        with self._refreshing:
            snapshot = refreshed(self._snapshot, connection)
            if snapshot is not self._snapshot:
                self._snapshot, self._frequencies = snapshot, {}
            return snapshot

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._in_transaction, work)

    def _in_transaction(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Runs `work` on this thread's connection, on one state of the index."""
        with clear_errors(self._path):
            connection = self._connection()
            connection.execute("BEGIN")
            try:
                return work(connection)
            finally:
                connection.execute("COMMIT")

    def _connection(self) -> sqlite3.Connection:
        if not hasattr(self._local, "connection"):
            self._local.connection = connect(self._path, self._wait_seconds)
            self._connections.append(self._local.connection)
        connection: sqlite3.Connection = self._local.connection
        return connection


def _weight(containing: int, total: int) -> float:
    """What turns FTS5's score of a word into Lucene's; FTS5 gives better matches lower scores."""
    return -lucene_idf(containing, total) / fts5_idf(containing, total)


def _narrowed(filters: Filters) -> tuple[str, tuple[str, ...]]:
    """The conditions on documents that have a table to look them up in, and their values."""
    wanted = {
        "doc_id IN (SELECT value FROM json_each(?))": filters.doc_ids,
        "doc IN (SELECT doc FROM named JOIN json_each(?) ON molecule = value)": [
            name.casefold() for name in filters.molecules
        ],
    }
    asked = {condition: json.dumps(values) for condition, values in wanted.items() if values}
    return f"WHERE {' AND '.join(asked)}" if asked else "", tuple(asked.values())


def _matches(
    connection: sqlite3.Connection,
    weights: Mapping[str, float],
    column: str,
    passing: list[int] | None,
    limit: int,
) -> list[tuple[int, float]]:
    """(row, BM25) best first, for words with their weights; of the rows whose `column` is in `passing`."""
    one_word = "SELECT rowid AS row, ? * bm25(lexicon) AS score FROM lexicon WHERE lexicon MATCH ?"
    if passing is not None:
        one_word = f"""
            SELECT row, ? * bm25(lexicon) AS score FROM lexicon JOIN chunks ON row = lexicon.rowid
            WHERE lexicon MATCH ? AND {column} IN (SELECT value FROM json_each(?))
        """
    condition = () if passing is None else (str(passing),)
    values = [v for word, weight in weights.items() for v in (weight, match_expression([word]), *condition)]
    # FTS5 scores a row only while it finds it: so all words first, then the sums.
    query = f"""
        WITH scores AS MATERIALIZED ({" UNION ALL ".join([one_word] * len(weights))})
        SELECT row, sum(score) AS total FROM scores GROUP BY row ORDER BY total DESC LIMIT ?
    """
    return connection.execute(query, (*values, limit)).fetchall()
