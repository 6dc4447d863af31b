"""An index in this process's memory: for tests, trials and small archives that need not last."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import numpy as np

from retrieval.index.filters import in_sections, passes
from retrieval.index.rank import checked_parts, nearest, ranked
from retrieval.index.words import WORD, codes, fold, lucene_idf, terms
from retrieval.ports import EVERYTHING, Encoder, Vectors
from retrieval.text.stems import stem
from retrieval.values import Candidates, Chunk, Document, DocumentRecord, Filters, Molecule, SearchRequest

K1 = 1.2
B = 0.75
"""Parameters of BM25 (Robertson & Zaragoza 2009), those of FTS5 and Lucene."""


@dataclass(slots=True)
class _Shelf:
    """What a reader sees. A transaction works on a copy and swaps it in when it ends well."""

    documents: dict[str, Document] = field(default_factory=dict)
    chunks: dict[str, tuple[Chunk, ...]] = field(default_factory=dict)
    vectors: dict[str, Vectors] = field(default_factory=dict)
    parts: dict[str, tuple[int, ...]] = field(default_factory=dict)
    words: dict[str, tuple[Counter[str], ...]] = field(default_factory=dict)
    molecules: tuple[Molecule, ...] = ()

    def copy(self) -> "_Shelf":
        return _Shelf(
            documents=dict(self.documents),
            chunks=dict(self.chunks),
            vectors=dict(self.vectors),
            parts=dict(self.parts),
            words=dict(self.words),
            molecules=self.molecules,
        )


class MemoryIndex:
    """`Index` without files. Words match when their stems are equal; BM25 as in Lucene."""

    def __init__(self, encoder: Encoder) -> None:
        self._dimension = encoder.dimension
        self._shelf = _Shelf()
        self._writing = asyncio.Lock()

    @asynccontextmanager
    async def write(self) -> AsyncIterator["_MemoryWriter"]:
        """A transaction; others wait for its end."""
        async with self._writing:
            writer = _MemoryWriter(self._shelf.copy(), self._dimension)
            yield writer
            self._shelf = writer.shelf

    async def lexical(self, request: SearchRequest) -> list[tuple[str, float]]:
        """(chunk_id, BM25) best first. Inverse document frequencies are those of the whole index."""
        counts = [words for doc_id in self._shelf.words for words in self._shelf.words[doc_id]]
        if not counts:
            return []
        wanted = {*map(stem, terms(request.text)), *codes(request.text)}
        weights = {term: lucene_idf(sum(term in words for words in counts), len(counts)) for term in wanted}
        score = _bm25(weights, sum(words.total() for words in counts) / len(counts))
        found = (
            (chunk.chunk_id, score(words))
            for doc_id in self._passing(request.filters)
            for chunk, words in zip(self._shelf.chunks[doc_id], self._shelf.words[doc_id], strict=True)
            if in_sections(chunk, request.filters)
        )
        return ranked((item for item in found if item[1] > 0), request.limit)

    async def dense(self, vector: Vectors, filters: Filters, limit: int) -> list[tuple[str, float]]:
        """(chunk_id, cosine) best first."""
        shelf, passing = self._shelf, self._passing(filters)
        chunks = [chunk for doc_id in passing for chunk in shelf.chunks[doc_id]]
        matrix = np.concatenate(
            [np.zeros((0, self._dimension), np.float32), *(shelf.vectors[doc_id] for doc_id in passing)]
        )
        counts = [count for doc_id in passing for count in shelf.parts[doc_id]]
        owners = np.repeat(np.arange(len(chunks)), counts)
        allowed = np.array([in_sections(chunk, filters) for chunk in chunks], np.bool_)[owners]
        names = [chunk.chunk_id for chunk in chunks]
        return nearest((matrix @ vector)[allowed], owners[allowed], names, limit)

    async def candidates(self, request: SearchRequest, vector: Vectors) -> Candidates:
        """Both rankings; nothing is written between them."""
        lexical = await self.lexical(request)
        return Candidates(tuple(lexical), tuple(await self.dense(vector, request.filters, request.limit)))

    async def chunks(self, chunk_ids: Sequence[str]) -> list[Chunk]:
        """The chunks with these ids, in the order given."""
        known = {chunk.chunk_id: chunk for chunks in self._shelf.chunks.values() for chunk in chunks}
        return [known[chunk_id] for chunk_id in chunk_ids if chunk_id in known]

    async def found(self, chunk_ids: Sequence[str]) -> list[tuple[Chunk, DocumentRecord]]:
        """Chunks with their documents' records, in the order given."""
        documents = self._shelf.documents
        return [(chunk, documents[chunk.doc_id].record) for chunk in await self.chunks(chunk_ids)]

    async def document(self, doc_id: str) -> Document | None:
        """A whole document."""
        return self._shelf.documents.get(doc_id)

    async def records(self, filters: Filters = EVERYTHING) -> list[DocumentRecord]:
        """Records that pass, ordered by doc_id."""
        return [self._shelf.documents[doc_id].record for doc_id in self._passing(filters)]

    async def molecules(self) -> list[Molecule]:
        """The registry of molecules, ordered by name."""
        return sorted(self._shelf.molecules, key=lambda molecule: molecule.name)

    async def close(self) -> None:
        """Nothing to release."""

    def _passing(self, filters: Filters) -> list[str]:
        documents = self._shelf.documents
        return sorted(doc_id for doc_id in documents if passes(documents[doc_id].record, filters))


class _MemoryWriter:
    def __init__(self, shelf: _Shelf, dimension: int) -> None:
        self.shelf = shelf
        self._dimension = dimension

    async def put(
        self, document: Document, chunks: Sequence[Chunk], vectors: Vectors, parts: Sequence[int] = ()
    ) -> None:
        """Add or replace a document. Raises ValueError if `vectors` does not fit chunks and parts."""
        counts = checked_parts(parts, len(chunks), vectors, self._dimension)
        doc_id = document.record.doc_id
        self.shelf.documents[doc_id] = document
        self.shelf.chunks[doc_id] = tuple(chunks)
        self.shelf.vectors[doc_id] = vectors
        self.shelf.parts[doc_id] = counts
        self.shelf.words[doc_id] = tuple(_words(document.record.title, chunk) for chunk in chunks)

    async def put_record(self, record: DocumentRecord) -> None:
        """Replace the record of a stored document."""
        if old := self.shelf.documents.get(record.doc_id):
            chunks = self.shelf.chunks[record.doc_id]
            self.shelf.documents[record.doc_id] = replace(old, record=record)
            self.shelf.words[record.doc_id] = tuple(_words(record.title, chunk) for chunk in chunks)

    async def delete(self, doc_id: str) -> bool:
        """Remove a document."""
        for part in (self.shelf.chunks, self.shelf.vectors, self.shelf.parts, self.shelf.words):
            part.pop(doc_id, None)
        return self.shelf.documents.pop(doc_id, None) is not None

    async def put_molecules(self, molecules: Sequence[Molecule]) -> None:
        """Replace the registry."""
        self.shelf.molecules = tuple(molecules)


def _words(title: str, chunk: Chunk) -> Counter[str]:
    text = " ".join((title, *chunk.section, chunk.context, chunk.text))
    return Counter((*map(stem, WORD.findall(fold(text))), *codes(text)))


def _bm25(weights: dict[str, float], mean_length: float) -> Callable[[Counter[str]], float]:
    def score(words: Counter[str]) -> float:
        norm = K1 * (1 - B + B * words.total() / mean_length)
        return sum(idf * words[term] * (K1 + 1) / (words[term] + norm) for term, idf in weights.items())

    return score
