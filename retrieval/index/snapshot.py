"""What a process keeps of the embedded index to search it: vectors in one matrix, records for filters.

A snapshot never changes; when the index has changed, the next one takes over what is still valid and reads
the rest.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from retrieval.index.faults import reading_rows
from retrieval.index.filters import in_sections, passes
from retrieval.index.rank import nearest
from retrieval.index.rows import chunk_from_json, record_from_json
from retrieval.ports import EVERYTHING, Vectors
from retrieval.values import DocumentRecord, Filters

Numbers = NDArray[np.int64]

REMEMBERED_FILTERS = 256


@dataclass(frozen=True)
class Snapshot:
    """The index at one version, n chunks.

    Shapes: `rows` (n,) numbers of the chunks, ascending; `docs` (n,) number of the document of each; `parts`
    (n,) how many vectors each has; `chunk_ids` n names; `matrix` (sum(parts), d) float32; `records` by number
    of document.
    """

    version: int
    rows: Numbers
    docs: Numbers
    parts: Numbers
    chunk_ids: Sequence[str]
    matrix: Vectors
    records: dict[int, DocumentRecord]

    def passing(self, filters: Filters) -> list[int] | None:
        """Numbers of the documents that pass, ascending; None if there is no condition."""
        filters = replace(filters, sections=())
        if filters == EVERYTHING:
            return None
        if filters not in self._passing:
            if len(self._passing) == REMEMBERED_FILTERS:
                self._passing.clear()
            passing = sorted(doc for doc, record in self.records.items() if passes(record, filters))
            self._passing[filters] = passing
        return self._passing[filters]

    def rows_passing(self, filters: Filters, connection: sqlite3.Connection) -> list[int]:
        """Numbers of the chunks under the headings asked for, of documents that pass, ascending."""
        if filters not in self._passing_rows:
            if len(self._passing_rows) == REMEMBERED_FILTERS:
                self._passing_rows.clear()
            self._passing_rows[filters] = _rows_under(filters, self.passing(filters), connection)
        return self._passing_rows[filters]

    def nearest(
        self, vector: Vectors, filters: Filters, limit: int, rows_passing: list[int] | None = None
    ) -> list[tuple[str, float]]:
        """(chunk_id, cosine) best first among the documents that pass, or among these chunks."""
        allowed = self._allowed(filters, rows_passing)
        products, owners = self.matrix @ vector, self._owners
        if allowed is not None:
            products, owners = products[allowed], owners[allowed]
        return nearest(products, owners, self.chunk_ids, limit)

    def chunk_id(self, row: int) -> str:
        """The name of the chunk with this number."""
        return self.chunk_ids[int(np.searchsorted(self.rows, row))]

    def _allowed(self, filters: Filters, rows_passing: list[int] | None) -> NDArray[np.bool_] | None:
        """(m,) which vectors may be found; None if there is no condition."""
        if rows_passing is not None:
            return np.repeat(np.isin(self.rows, rows_passing), self.parts)
        passing = self.passing(filters)
        return None if passing is None else np.repeat(np.isin(self.docs, passing), self.parts)

    @cached_property
    def _passing(self) -> dict[Filters, list[int]]:
        return {}

    @cached_property
    def _passing_rows(self) -> dict[Filters, list[int]]:
        return {}

    @cached_property
    def _owners(self) -> Numbers:
        return np.repeat(np.arange(len(self.parts)), self.parts)


def _rows_under(filters: Filters, docs: list[int] | None, connection: sqlite3.Connection) -> list[int]:
    """Chunks under the headings that are asked for; of these documents, or of all."""
    of_documents = "" if docs is None else "WHERE doc IN (SELECT value FROM json_each(?))"
    query = f"SELECT row, chunk FROM chunks JOIN bodies USING (row) {of_documents} ORDER BY row"
    found = connection.execute(query, () if docs is None else (str(docs),))
    return [row for row, chunk in found if in_sections(chunk_from_json(chunk), filters)]


def empty(dimension: int) -> Snapshot:
    """The snapshot of an index that was never read."""
    none = np.zeros(0, np.int64)
    return Snapshot(-1, none, none, none, (), np.zeros((0, dimension), np.float32), {})


def refreshed(old: Snapshot, connection: sqlite3.Connection) -> Snapshot:
    """`old` if the index has not changed since, else the index as it is now (call in a transaction)."""
    version = connection.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()[0]
    if version == old.version:
        return old
    chunks = connection.execute("SELECT row, doc, parts, chunk_id FROM chunks ORDER BY row").fetchall()
    rows, docs, parts = np.array([chunk[:3] for chunk in chunks], np.int64).reshape(-1, 3).T
    return Snapshot(
        version=version,
        rows=rows,
        docs=docs,
        parts=parts,
        chunk_ids=tuple(chunk[3] for chunk in chunks),
        matrix=_matrix(old, connection, np.repeat(docs, parts)),
        records=_records(old, connection),
    )


def _matrix(old: Snapshot, connection: sqlite3.Connection, docs: Numbers) -> Vectors:
    """(m, d) vectors, the i-th of document `docs[i]`: those known are taken over, the others read."""
    old_docs = np.repeat(old.docs, old.parts)
    matrix = np.empty((len(docs), old.matrix.shape[1]), np.float32)
    matrix[np.isin(docs, old_docs)] = old.matrix[np.isin(old_docs, docs)]
    for doc in dict.fromkeys(docs[~np.isin(docs, old_docs)].tolist()):
        (vectors,) = connection.execute("SELECT vectors FROM documents WHERE doc = ?", (doc,)).fetchone()
        first, last = np.searchsorted(docs, (doc, doc + 1))
        with reading_rows():
            matrix[first:last] = np.frombuffer(vectors, np.float32).reshape(-1, matrix.shape[1])
    return matrix


def _records(old: Snapshot, connection: sqlite3.Connection) -> dict[int, DocumentRecord]:
    """Records by number of document; only those written since `old` are read again."""
    query = "SELECT doc, record FROM documents WHERE changed > ?"
    changed = {doc: record_from_json(text) for doc, text in connection.execute(query, (old.version,))}
    there = (doc for (doc,) in connection.execute("SELECT doc FROM documents"))
    return {doc: changed.get(doc) or old.records[doc] for doc in there}
