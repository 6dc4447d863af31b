"""Making the entries of a new index from those of the old one."""

from collections.abc import AsyncIterator, Sequence

import numpy as np

from retrieval.chunk import windows
from retrieval.index.elastic import rows
from retrieval.index.elastic.bulk import Operation
from retrieval.index.elastic.mapping import vector_field
from retrieval.index.elastic.state import Hidden
from retrieval.index.elastic.view import Hit, View
from retrieval.ports import Encoder, Vectors
from retrieval.values import Chunk, DocumentRecord

TOGETHER = 100
"""Documents, and chunks with their vectors, read and encoded together."""


class Copier:
    """Reads what is in force in a view. `had` is the encoder that the old vectors come from."""

    def __init__(self, had: str, encoder: Encoder) -> None:
        self._had = had
        self._encoder = encoder

    async def operations(self, view: View, hidden: Hidden) -> AsyncIterator[list[Operation]]:
        """Entries for the new index, some at a time."""
        kept = ("version", "record", "document")
        async for page in view.entries("document", hidden, ("doc_id",), kept, size=TOGETHER):
            yield [_document(hit) for hit in page]
        place = 0
        async for page in view.entries("molecule", hidden, ("molecule.name",), ("version", "molecule")):
            molecules = [rows.molecule_from(hit["_source"]) for hit in page]
            yield list(rows.molecule_entries(page[0]["_source"]["version"], molecules, place))
            place += len(page)
        async for page in view.entries(
            "chunk",
            hidden,
            ("version", "ordinal"),
            ("version", "ordinal", "record", "chunk"),
            fields=(vector_field(self._had),),
            size=TOGETHER,
        ):
            yield await self._chunks(page)

    async def _chunks(self, page: Sequence[Hit]) -> list[Operation]:
        sources = [hit["_source"] for hit in page]
        chunks = [rows.chunk_from(source) for source in sources]
        records = [rows.record_from(source) for source in sources]
        of_chunks = await self._vectors(page, chunks, records)
        return [
            operation
            for source, chunk, record, vectors in zip(sources, chunks, records, of_chunks, strict=True)
            for operation in rows.chunk_entries(
                source["version"],
                record,
                [chunk],
                vectors,
                [len(vectors)],
                self._encoder.name,
                first=source["ordinal"],
            )
        ]

    async def _vectors(
        self, page: Sequence[Hit], chunks: Sequence[Chunk], records: Sequence[DocumentRecord]
    ) -> list[Vectors]:
        """(windows, d) for each chunk: those it has, or new ones if the encoder is another."""
        if self._had == self._encoder.name:
            kept = [np.array(rows.vectors_from(hit, self._had), np.float32) for hit in page]
            return [vectors.reshape(-1, self._encoder.dimension) for vectors in kept]
        made = windows(chunks, records, self._encoder)
        vectors = await self._encoder.encode([text for parts in made for text in parts])
        return np.split(vectors, np.cumsum([len(parts) for parts in made])[:-1])


def _document(hit: Hit) -> Operation:
    source = hit["_source"]
    return rows.document_entry(source["version"], rows.document_from(source))
