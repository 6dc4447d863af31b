"""What a process keeps of the embedded index to search it: vectors in one matrix, records for filters.

A snapshot never changes; when the index has changed, the next one takes over what is still valid and reads
the rest.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from retrieval.index.filters import passes
from retrieval.index.rank import nearest
from retrieval.index.rows import record_from_json
from retrieval.models import DocumentRecord, Filters
from retrieval.ports import EVERYTHING, Vectors


@dataclass(frozen=True)
class Snapshot:
    """The index at one version.

    Shapes: `matrix` (n, d) float32; `rows` (n,) numbers of chunks, ascending; `docs` (n,) number of the
    document each row belongs to; `chunk_ids` n names; `records` by number of document.
    """

    version: int
    matrix: Vectors
    rows: NDArray[np.int64]
    docs: NDArray[np.int64]
    chunk_ids: Sequence[str]
    records: dict[int, DocumentRecord]

    def passing(self, filters: Filters) -> list[int] | None:
        """Numbers of the documents that pass, ascending; None if there is no condition."""
        if filters == EVERYTHING:
            return None
        return sorted(doc for doc, record in self.records.items() if passes(record, filters))

    def nearest(self, vector: Vectors, filters: Filters, limit: int) -> list[tuple[str, float]]:
        """(chunk_id, cosine) best first among the documents that pass."""
        passing = self.passing(filters)
        if passing is None:
            return nearest(self.matrix, vector, self.chunk_ids, limit)
        kept = np.flatnonzero(np.isin(self.docs, passing))
        return nearest(self.matrix[kept], vector, [self.chunk_ids[i] for i in kept.tolist()], limit)

    def chunk_id(self, row: int) -> str:
        """The name of the chunk with this number."""
        return self.chunk_ids[self._position[row]]

    @cached_property
    def _position(self) -> dict[int, int]:
        return {row: i for i, row in enumerate(self.rows.tolist())}


def empty(dimension: int) -> Snapshot:
    """The snapshot of an index that was never read."""
    nothing = np.zeros(0, np.int64)
    return Snapshot(-1, np.zeros((0, dimension), np.float32), nothing, nothing, (), {})


def refreshed(old: Snapshot, connection: sqlite3.Connection) -> Snapshot:
    """`old` if the index has not changed since, else the index as it is now (call in a transaction)."""
    version = connection.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()[0]
    if version == old.version:
        return old
    chunks = connection.execute("SELECT row, doc, chunk_id FROM chunks ORDER BY row").fetchall()
    docs = np.fromiter((doc for _, doc, _ in chunks), np.int64, len(chunks))
    return Snapshot(
        version=version,
        matrix=_matrix(old, connection, docs),
        rows=np.fromiter((row for row, _, _ in chunks), np.int64, len(chunks)),
        docs=docs,
        chunk_ids=tuple(chunk_id for _, _, chunk_id in chunks),
        records=_records(old, connection),
    )


def _matrix(old: Snapshot, connection: sqlite3.Connection, docs: NDArray[np.int64]) -> Vectors:
    """(n, d) vectors of the chunks whose documents are `docs`: those known taken over, the others read."""
    matrix = np.empty((len(docs), old.matrix.shape[1]), np.float32)
    matrix[np.isin(docs, old.docs)] = old.matrix[np.isin(old.docs, docs)]
    for doc in np.setdiff1d(docs, old.docs).tolist():
        (vectors,) = connection.execute("SELECT vectors FROM documents WHERE doc = ?", (doc,)).fetchone()
        first, last = np.searchsorted(docs, (doc, doc + 1))
        matrix[first:last] = np.frombuffer(vectors, np.float32).reshape(-1, matrix.shape[1])
    return matrix


def _records(old: Snapshot, connection: sqlite3.Connection) -> dict[int, DocumentRecord]:
    """Records by number of document; only those written since `old` are read again."""
    query = "SELECT doc, record FROM documents WHERE changed > ?"
    changed = {doc: record_from_json(text) for doc, text in connection.execute(query, (old.version,))}
    there = (doc for (doc,) in connection.execute("SELECT doc FROM documents"))
    return {doc: changed.get(doc) or old.records[doc] for doc in there}
