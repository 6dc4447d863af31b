"""The ports of the retrieval floor. Each has an embedded implementation beside the larger ones.

Contract tests in `tests/retrieval/contracts` run over every implementation.
"""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.values import (
    Candidates,
    Chunk,
    Document,
    DocumentRecord,
    Filters,
    Hit,
    Listing,
    Molecule,
    SearchRequest,
    SourceFile,
)

Vectors = NDArray[np.float32]
EVERYTHING = Filters()
Paged = Callable[[int, int], None]
"""Called with the page at hand, from 1, and how many there are."""


def unpaged(page: int, pages: int) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A document as an index has it: what `IndexWriter.put` took."""

    document: Document
    chunks: tuple[Chunk, ...]
    vectors: Vectors
    parts: tuple[int, ...]


class Parser(Protocol):
    """Turns files into documents. Never executes or fetches what a file says."""

    async def parse(self, path: Path, name: str, sha256: str, paged: Paged = unpaged) -> Document:
        """The document in the file at `path`, with what the file itself tells in its record.

        `name` is where it stands in its archive, with forward slashes; the record takes it as its path.
        `paged` is called with each page, from 1, and how many there are. Raises `DocumentError` if this one
        file cannot be used.
        """


class PagePictures(Protocol):
    """Draws pages of files."""

    async def draw(self, path: Path, page: int, quotes: Sequence[str]) -> bytes:
        """A page (numbered from 1) as PNG, verbatim quotes highlighted. Raises `DocumentError`."""


class OcrEngine(Protocol):
    """Reads the text of a page image."""

    name: str

    def read(self, image_png: bytes) -> str:
        """Markdown of one page, given as PNG bytes. An empty string means that no text was found."""


class Encoder(Protocol):
    """Dense vectors for texts.

    `name` identifies weights and settings; an index refuses vectors of another encoder. `dimension` is d.
    """

    name: str
    dimension: int
    threshold: float
    """Cosine under which a text is not taken for similar, on this encoder's own scale; 0 if not known."""

    async def encode(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32, rows of unit length. A row does not depend on its batch mates."""

    async def encode_questions(self, questions: Sequence[str]) -> Vectors:
        """(n, d) as `encode`, for what is searched with: some models want an instruction before it."""

    def windows(self, texts: Sequence[str], heads: Sequence[str]) -> list[list[str]]:
        """For each text its parts, at least one, that `encode` reads whole, with the text's head before each.

        `heads` are as many as `texts`; "" is none.
        """


class Reranker(Protocol):
    """Scores texts against a question, comparable across questions."""

    name: str
    threshold: float
    """Calibrated score at or over which a text counts as relevant."""

    async def score(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n,) scores in [0, 1]. A score does not depend on its batch mates."""


class IndexWriter(Protocol):
    """A transaction on the index: all of it or nothing is visible to readers."""

    async def put(
        self, document: Document, chunks: Sequence[Chunk], vectors: Vectors, parts: Sequence[int] = ()
    ) -> None:
        """Add a document, or replace the one with the same doc_id.

        `vectors` is (sum(parts), d): the first parts[0] rows belong to the first chunk, and so on; a chunk is
        as near as its nearest row. `parts` defaults to one row for each chunk (see
        `Encoder.windows`); a chunk with no row is found by words alone.
        """

    async def put_record(self, record: DocumentRecord) -> None:
        """Replace the record of a stored document; its text and vectors stay. No-op if unknown."""

    async def delete(self, doc_id: str) -> bool:
        """Remove a document; False if there was none."""

    async def put_molecules(self, molecules: Sequence[Molecule]) -> None:
        """Replace the archive's registry of molecules."""


class Index(Protocol):
    """Where documents, chunks and vectors are kept and found."""

    def write(self) -> AbstractAsyncContextManager[IndexWriter]:
        """Open a write transaction.

        Raises `IndexBusy` when another process holds one, `StorageFull` on a full disk.
        """

    async def lexical(self, request: SearchRequest) -> list[tuple[str, float]]:
        """(chunk_id, BM25 score) best first, filters applied before ranking."""

    async def dense(self, vector: Vectors, filters: Filters, limit: int) -> list[tuple[str, float]]:
        """(chunk_id, cosine) best first for a (d,) vector, filters applied before ranking."""

    async def candidates(self, request: SearchRequest, vector: Vectors) -> Candidates:
        """What `lexical` and `dense` find for one question, on one state of the index."""

    async def chunks(self, chunk_ids: Sequence[str]) -> list[Chunk]:
        """The chunks with these ids, in the order given; unknown ids are left out."""

    async def found(self, chunk_ids: Sequence[str]) -> list[tuple[Chunk, DocumentRecord]]:
        """The chunks with these ids and their documents' records, in the order given; unknown ids are left
        out.
        """

    async def document(self, doc_id: str) -> Document | None:
        """A whole document."""

    async def records(self, filters: Filters = EVERYTHING) -> list[DocumentRecord]:
        """Records that pass the filters, ordered by doc_id."""

    async def molecules(self) -> list[Molecule]:
        """The registry of molecules, ordered by name."""

    async def version(self) -> str:
        """Another one whenever what is found in the index may be."""

    async def stored(self, doc_id: str) -> Stored | None:
        """A document with its chunks and vectors, so that it can be put into another index."""

    async def close(self) -> None:
        """Release files and connections."""


class Retriever(Protocol):
    """Hybrid search with fusion: what the agents use."""

    async def search(self, request: SearchRequest) -> list[Hit]:
        """Hits best first, at most `request.limit`, none twice."""


class DocumentSource(Protocol):
    """Where files to be ingested come from: a folder, a bucket."""

    async def listing(self) -> Listing:
        """The files there are now, in a stable order. Raises `ArchiveNotFound`, `SourceDown`."""

    def opened(self, file: SourceFile) -> AbstractAsyncContextManager[Path]:
        """A file as a path to read it at, while the context is open; what was fetched is deleted afterwards.

        Raises `OSError`, `DocumentTooLarge`, `SourceDown`.
        """
