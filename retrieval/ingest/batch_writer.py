"""Encoding what was read, and storing it: texts of several documents at once, several documents at a time."""

import time
from collections.abc import Callable

import numpy as np

from retrieval.errors import StorageFull
from retrieval.ingest.prepare import Prepared, Tally
from retrieval.ports import Encoder, Index, Vectors
from retrieval.values import DocumentRecord

BATCH = 64
"""Texts encoded at once."""
STORED_TEXTS = 512
"""Texts of the documents that are stored together: an index takes many at once faster than one by one."""
STORED_S = 3.0
"""Seconds after which what is ready is stored also if it is less, so that an interrupt costs little."""


class BatchWriter:
    """Takes documents one after the other and stores them in batches, each in one transaction.

    Nothing of a batch is kept if it cannot be stored whole. `clock` counts seconds.
    """

    def __init__(
        self, index: Index, encoder: Encoder, tally: Tally, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._index = index
        self._encoder = encoder
        self._tally = tally
        self._clock = clock
        self._read: list[Prepared] = []
        self._encoded: list[tuple[Prepared, Vectors]] = []
        self._records: list[DocumentRecord] = []
        self._since = clock()

    async def add(self, ready: Prepared | DocumentRecord) -> None:
        """Take a document, or a new record of a stored one; what is enough for a batch is encoded and stored.

        Raises `StorageFull`.
        """
        if not (self._read or self._encoded or self._records):
            self._since = self._clock()
        if isinstance(ready, DocumentRecord):
            self._records.append(ready)
        else:
            self._read.append(ready)
        if sum(len(item.texts) for item in self._read) >= BATCH:
            await self._encode()
        if sum(len(vectors) for _, vectors in self._encoded) >= STORED_TEXTS:
            await self.flush()
        await self.flush_if_due()

    async def flush_if_due(self) -> None:
        """Store what has waited long enough."""
        if self._clock() - self._since >= STORED_S:
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
                for ready, vectors in batch:
                    record = ready.document.record
                    if ready.replaces is not None and ready.replaces.doc_id != record.doc_id:
                        await writer.delete(ready.replaces.doc_id)
                    await writer.put(ready.document, ready.chunks, vectors, ready.parts)
                for record in records:
                    await writer.put_record(record)
        except StorageFull as error:
            kept = len(self._tally.added) + len(self._tally.updated)
            raise StorageFull(f"{error} Of this ingest {kept} documents are kept.") from error
        for ready, _ in batch:
            self._tally.stored(ready)

    async def _encode(self) -> None:
        """Encode the texts of what was read together, so that the encoder has full batches."""
        texts = [text for ready in self._read for text in ready.texts]
        parts = [await self._encoder.encode(texts[i : i + BATCH]) for i in range(0, len(texts), BATCH)]
        vectors = np.concatenate(parts) if parts else np.zeros((0, self._encoder.dimension), np.float32)
        ends = np.cumsum([len(ready.texts) for ready in self._read], dtype=np.int64)
        self._encoded += zip(self._read, np.split(vectors, ends[:-1]), strict=True) if self._read else ()
        self._read = []
