"""A write transaction on the embedded index, with a connection and a thread of its own."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import numpy as np

from retrieval.index.rank import checked_parts
from retrieval.index.rows import (
    chunk_from_json,
    chunk_to_json,
    lexical_texts,
    pages_to_json,
    record_from_json,
    record_to_json,
)
from retrieval.index.schema import connect, name_document, unname_document
from retrieval.ports import Vectors
from retrieval.values import Chunk, Document, DocumentRecord, Molecule

T = TypeVar("T")

INDEX = "INSERT INTO lexicon (rowid, body, codes) VALUES (?, ?, ?)"
# A table without content forgets a row only when it is told again what was in it.
FORGET = "INSERT INTO lexicon (lexicon, rowid, body, codes) VALUES ('delete', ?, ?, ?)"


class SqliteWriter:
    """`IndexWriter` of `SqliteIndex`. Readers see what it did after `commit`, all of it or nothing."""

    def __init__(self, path: Path, wait_seconds: float, dimension: int) -> None:
        self._dimension = dimension
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="index-writer")
        self._connection = connect(path, wait_seconds)
        self._version = 0

    async def begin(self) -> None:
        """Take the write lock."""

        def begin() -> None:
            self._connection.execute("BEGIN IMMEDIATE")
            query = "SELECT value FROM meta WHERE key = 'version'"
            self._version = self._connection.execute(query).fetchone()[0] + 1

        await self._call(begin)

    async def put(
        self, document: Document, chunks: Sequence[Chunk], vectors: Vectors, parts: Sequence[int] = ()
    ) -> None:
        """Add or replace a document. Raises ValueError if `vectors` does not fit chunks and parts."""
        counts = checked_parts(parts, len(chunks), vectors, self._dimension)
        await self._call(lambda: self._put(document, chunks, vectors, counts))

    async def put_record(self, record: DocumentRecord) -> None:
        """Replace the record of a stored document; its words are indexed again if the title is another."""
        await self._call(lambda: self._put_record(record))

    async def delete(self, doc_id: str) -> bool:
        """Remove a document; False if there was none."""
        return await self._call(lambda: self._delete(doc_id))

    async def put_molecules(self, molecules: Sequence[Molecule]) -> None:
        """Replace the registry."""
        rows = [(molecule.name, "\n".join(molecule.aliases), molecule.documents) for molecule in molecules]

        def replace() -> None:
            self._connection.execute("DELETE FROM molecules")
            self._connection.executemany("INSERT INTO molecules VALUES (?, ?, ?)", rows)

        await self._call(replace)

    async def commit(self) -> None:
        """Make it visible, and tell other processes that there is something new."""

        def commit() -> None:
            self._connection.execute("UPDATE meta SET value = ? WHERE key = 'version'", (self._version,))
            self._connection.execute("COMMIT")

        await self._call(commit)

    async def close(self) -> None:
        """Roll back what was not committed, and let go of the file."""

        def close() -> None:
            if self._connection.in_transaction:
                self._connection.rollback()
            self._connection.close()

        await self._call(close)
        self._thread.shutdown()

    def _put(
        self, document: Document, chunks: Sequence[Chunk], vectors: Vectors, counts: Sequence[int]
    ) -> None:
        record = document.record
        self._delete(record.doc_id)
        blob = np.ascontiguousarray(vectors, np.float32).tobytes()
        pages = pages_to_json(document.pages)
        row = (record.doc_id, self._version, record_to_json(record), pages, blob, document.text)
        insert = (
            "INSERT INTO documents (doc_id, changed, record, pages, vectors, text) VALUES (?, ?, ?, ?, ?, ?)"
        )
        doc = self._connection.execute(insert, row).lastrowid
        assert doc is not None
        name_document(self._connection, doc, record.molecules)
        insert = "INSERT INTO chunks (doc, chunk_id, parts) VALUES (?, ?, ?)"
        for chunk, parts in zip(chunks, counts, strict=True):
            number = self._connection.execute(insert, (doc, chunk.chunk_id, parts)).lastrowid
            self._connection.execute("INSERT INTO bodies VALUES (?, ?)", (number, chunk_to_json(chunk)))
        self._words(doc, record.title, INDEX)

    def _put_record(self, record: DocumentRecord) -> None:
        doc, old = self._find(record.doc_id)
        if doc is None or old is None:
            return
        update = "UPDATE documents SET record = ?, changed = ? WHERE doc = ?"
        self._connection.execute(update, (record_to_json(record), self._version, doc))
        unname_document(self._connection, doc, old.molecules)
        name_document(self._connection, doc, record.molecules)
        if old.title != record.title:
            self._words(doc, old.title, FORGET)
            self._words(doc, record.title, INDEX)

    def _delete(self, doc_id: str) -> bool:
        doc, old = self._find(doc_id)
        if doc is None or old is None:
            return False
        self._words(doc, old.title, FORGET)
        unname_document(self._connection, doc, old.molecules)
        of_document = "row IN (SELECT row FROM chunks WHERE doc = ?)"
        self._connection.execute(f"DELETE FROM bodies WHERE {of_document}", (doc,))
        self._connection.execute("DELETE FROM chunks WHERE doc = ?", (doc,))
        self._connection.execute("DELETE FROM documents WHERE doc = ?", (doc,))
        return True

    def _find(self, doc_id: str) -> tuple[int, DocumentRecord] | tuple[None, None]:
        query = "SELECT doc, record FROM documents WHERE doc_id = ?"
        found = self._connection.execute(query, (doc_id,)).fetchone()
        return (found[0], record_from_json(found[1])) if found else (None, None)

    def _words(self, doc: int, title: str, statement: str) -> None:
        query = "SELECT row, chunk FROM chunks JOIN bodies USING (row) WHERE doc = ?"
        for row, chunk in self._connection.execute(query, (doc,)).fetchall():
            self._connection.execute(statement, (row, *lexical_texts(title, chunk_from_json(chunk))))

    async def _call(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)
