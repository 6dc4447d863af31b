"""Encoding what was read, and storing it: texts of several documents at once, several documents at a time."""

import asyncio
import ctypes
import gc
import math
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from retrieval.errors import StorageFull
from retrieval.ingest.meaning import BATCH, embedding, encoded
from retrieval.ingest.prepare import Prepared, Tally, copy_of
from retrieval.ports import Encoder, Index, IndexWriter, Vectors
from retrieval.values import DocumentRecord, Filters, Molecule, SkippedFile

STORED_TEXTS = 512
"""Texts of the documents that are stored together: an index takes many at once faster than one by one."""
MANY_CHUNKS = 2_000
"""Chunks of a batch after which memory is given back."""
STORED_S = 3.0
"""Seconds after which what is ready is stored also if it is less, so that an interrupt costs little."""


def give_back_memory() -> None:
    """Give what large documents took back to the system, which else happens late (glibc) or never."""
    gc.collect()
    with suppress(AttributeError, OSError, TypeError):  # other systems have no such function
        ctypes.CDLL(None).malloc_trim(0)


class BatchWriter:
    """Takes documents one after the other and stores them in batches, each in one transaction.

    Nothing of a batch is kept if it cannot be stored whole. Documents are encoded for `seconds` in all; those
    that come then are stored to be found by words. `told` is called with how far the encoder is.
    """

    def __init__(
        self,
        index: Index,
        encoder: Encoder,
        tally: Tally,
        seconds: float = math.inf,
        told: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._index = index
        self._encoder = encoder
        self._tally = tally
        self._read: list[Prepared] = []
        self._encoded: list[tuple[Prepared, Vectors]] = []
        self._records: list[DocumentRecord] = []
        self._since = time.monotonic()
        self._told = told
        self.left = seconds
        """Seconds left for encoding."""

    async def add(self, ready: Prepared | DocumentRecord) -> None:
        """Take a document, or a new record of a stored one; what is enough for a batch is encoded and stored.

        Raises `StorageFull`.
        """
        if not (self._read or self._encoded or self._records):
            self._since = time.monotonic()
        if isinstance(ready, DocumentRecord):
            self._records.append(ready)
        else:
            self._read.append(ready)
        if sum(len(item.texts) for item in self._read) >= BATCH:
            await self._encode()
        if sum(max(len(item.chunks), len(item.texts)) for item, _ in self._encoded) >= STORED_TEXTS:
            await self.flush()
        await self.flush_if_due()

    async def flush_if_due(self) -> None:
        """Store what has waited long enough."""
        if time.monotonic() - self._since >= STORED_S:
            await self.flush()

    async def flush(self) -> None:
        """Encode and store all that was taken. Raises `StorageFull`."""
        await self._encode()
        batch, self._encoded = self._encoded, []
        records, self._records = self._records, []
        if not (batch or records):
            return
        try:
            async with self._index.write() as writer:
                desk = await _GuardedWriter.open(self._index, writer, batch, records)
                stored = [await desk.put(ready, vectors) for ready, vectors in batch]
                for record in records:
                    await desk.put_version(record)
        except StorageFull as error:
            kept = len(self._tally.added) + len(self._tally.updated)
            raise StorageFull(f"{error} Of this ingest {kept} documents are kept.") from error
        for ready in filter(None, stored):
            self._tally.stored(ready)
        if sum(len(ready.chunks) for ready, _ in batch) > MANY_CHUNKS:
            await asyncio.to_thread(give_back_memory)
        self._tally.skipped += desk.skipped
        self._tally.warnings += desk.warnings

    async def _encode(self) -> None:
        """Encode the texts of what was read together, so that the encoder has full batches."""
        read, self._read = self._read, []
        if self.left <= 0:
            read = [ready.by_words() if ready.texts else ready for ready in read]
        began = time.monotonic()
        documents = [ready.document for ready in read]
        vectors = await encoded(
            [text for ready in read for text in ready.texts],
            self._encoder,
            lambda share: self._told(embedding(documents, share)),
        )
        self.left -= time.monotonic() - began
        ends = np.cumsum([len(ready.texts) for ready in read], dtype=np.int64)
        self._encoded += zip(read, np.split(vectors, ends[:-1]), strict=True) if read else ()


class _GuardedWriter:
    """A write transaction that heeds what other processes have stored since a document was read."""

    def __init__(self, index: Index, writer: IndexWriter, registry: Sequence[Molecule]) -> None:
        self._index = index
        self._writer = writer
        self._registry = registry
        self._there: dict[str, DocumentRecord] = {}
        self.skipped: list[SkippedFile] = []
        self.warnings: list[SkippedFile] = []

    @classmethod
    async def open(
        cls,
        index: Index,
        writer: IndexWriter,
        batch: Sequence[tuple[Prepared, Vectors]],
        records: Sequence[DocumentRecord],
    ) -> "_GuardedWriter":
        """The writer for these documents and records; nobody else writes while it is open."""
        desk = cls(index, writer, await index.molecules())
        wanted = [record.doc_id for record in records]
        for ready, _ in batch:
            wanted += [ready.document.record.doc_id, *([ready.replaces.doc_id] if ready.replaces else [])]
        await desk._look(wanted)
        return desk

    async def put(self, ready: Prepared, vectors: Vectors) -> Prepared | None:
        """Store a document, under another id if this one was given meanwhile; None for a copy."""
        if self._taken(ready, ready.document.record.doc_id):
            other = self._there[ready.document.record.doc_id]
            if other.sha256 == ready.document.record.sha256:
                self._report(self.skipped, ready, copy_of(other))
                return None
            ready = await self._moved_aside(ready, other)
        if self._registry != ready.registry:
            ready = await asyncio.to_thread(ready.named_by, self._registry)
        record, old = ready.document.record, ready.replaces
        if old and old.doc_id != record.doc_id and self._is(old):
            await self._writer.delete(old.doc_id)
            del self._there[old.doc_id]
        await self._writer.put(ready.document, ready.chunks, vectors, ready.parts)
        self._there[record.doc_id] = record
        return ready

    async def put_version(self, record: DocumentRecord) -> None:
        """Note the version of a document's source; all else stays as it is stored now."""
        if self._is(record) and self._there[record.doc_id].sha256 == record.sha256:
            now = self._there[record.doc_id]
            await self._writer.put_record(replace(now, source_version=record.source_version))

    def _is(self, record: DocumentRecord) -> bool:
        """Whether the document with a record's id is still the one of its file."""
        there = self._there.get(record.doc_id)
        return there is not None and there.path == record.path

    def _taken(self, ready: Prepared, doc_id: str) -> bool:
        """Whether another file's document has this id."""
        there, old = self._there.get(doc_id), ready.replaces
        own = {ready.document.record.path, *([old.path] if old else [])}
        return there is not None and there.path not in own

    async def _moved_aside(self, ready: Prepared, other: DocumentRecord) -> Prepared:
        """The document under the next id that is free."""
        number, wanted = 2, other.doc_id
        while self._taken(ready, wanted):
            wanted, number = f"{other.doc_id}~{number}", number + 1
            await self._look([wanted])
        told = f"The id {other.doc_id} is also that of {other.path}; this file is kept as {wanted}."
        self._report(self.warnings, ready, told)
        return ready.renamed(wanted)

    async def _look(self, doc_ids: Sequence[str]) -> None:
        unknown = tuple(name for name in doc_ids if name not in self._there)
        if unknown:
            found = await self._index.records(Filters(doc_ids=unknown))
            self._there |= {record.doc_id: record for record in found}

    @staticmethod
    def _report(lines: list[SkippedFile], ready: Prepared, reason: str) -> None:
        lines.append(SkippedFile(ready.document.record.path, reason))
