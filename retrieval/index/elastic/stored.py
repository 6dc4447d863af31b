"""What the index holds, for its writer: versions looked up, documents read whole, entries deleted."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from retrieval.index.elastic import rows
from retrieval.index.elastic.bulk import BulkStream, Operation
from retrieval.index.elastic.mapping import vector_field
from retrieval.index.elastic.queries import Body, arguments, entries, hidden_entries
from retrieval.index.elastic.server import Connection
from retrieval.index.elastic.state import Hidden
from retrieval.index.elastic.view import Hit
from retrieval.ports import Encoder, Vectors
from retrieval.values import Chunk, Document

LOOKED_UP = 1000
"""Documents looked up in one search."""
CHUNKS_READ = 200
"""Chunks read in one search, with their vectors."""
DELETED = 5000
"""Entries deleted between two refreshes."""


@dataclass(frozen=True, slots=True)
class StoredEntries:
    """The entries behind an alias, as its only writer sees them. It waits for the server as writers do."""

    connection: Connection
    alias: str
    encoder: Encoder

    async def versions(self, doc_ids: Sequence[str], hidden: Hidden) -> list[str]:
        """The versions in force of those documents that there are."""
        found: list[Hit] = []
        for first in range(0, len(doc_ids), LOOKED_UP):
            named = ("doc_id", doc_ids[first : first + LOOKED_UP])
            found += await self._search(entries("document", hidden, named=named, source=["version"]))
        return [hit["_source"]["version"] for hit in found]

    async def registry(self, hidden: Hidden) -> list[str]:
        """The version in force of the registry; none if that is empty."""
        found = await self._search(entries("molecule", hidden, size=1, source=["version"]))
        return [hit["_source"]["version"] for hit in found]

    async def whole(self, version: str) -> tuple[Document, list[Chunk], Vectors, list[int]]:
        """A document as it is stored: with its chunks, their vectors, and how many each has."""
        this, kept = ("version", [version]), ["record", "document"]
        (found,) = await self._search(entries("document", Hidden(), named=this, source=kept))
        body = entries("chunk", Hidden(), named=this, source=["chunk"], size=CHUNKS_READ)
        body |= {"sort": ["ordinal"], "fields": [vector_field(self.encoder.name)]}
        hits = page = await self._search(body)
        while len(page) == CHUNKS_READ:
            page = await self._search(body | {"search_after": page[-1]["sort"]})
            hits = hits + page
        windows = [rows.vectors_from(hit, self.encoder.name) for hit in hits]
        vectors = np.array([row for parts in windows for row in parts], np.float32)
        return (
            rows.document_from(found["_source"]),
            [rows.chunk_from(hit["_source"]) for hit in hits],
            vectors.reshape(-1, self.encoder.dimension),
            [len(parts) for parts in windows],
        )

    async def delete(self, hidden: Hidden, bulk: BulkStream) -> None:
        """Delete all entries that are hidden so, for good."""
        await self.refresh()
        while found := await self._search(hidden_entries(hidden, DELETED)):
            for hit in found:
                await bulk.add(Operation.delete(hit["_id"]))
            await bulk.drain()
            await self.refresh()

    async def refresh(self) -> None:
        """Let searches find what was written; whether they show it, the state says."""
        await self.connection.write(lambda client: client.indices.refresh(index=self.alias))

    async def _search(self, body: Body) -> list[Hit]:
        answer = await self.connection.write(
            lambda client: client.search(
                index=self.alias, allow_partial_search_results=False, **arguments(body)
            )
        )
        hits: list[Hit] = answer["hits"]["hits"]
        return hits
