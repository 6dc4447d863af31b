"""Brings a collection into an index as documents of an archive: same chunks, heads, windows and vectors."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from retrieval.chunk import chunk, embedding_head
from retrieval.evaluate.beir import Article, Collection
from retrieval.models import Chunk, Document, ParsedFile
from retrieval.ports import Encoder, Index
from retrieval.record import describe

TOGETHER = 128
"""Documents encoded together and written in one transaction."""

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""


@dataclass(frozen=True, slots=True)
class _Ready:
    document: Document
    chunks: tuple[Chunk, ...]
    windows: list[list[str]]


async def fill(collection: Collection, index: Index, encoder: Encoder, progress: Progress) -> None:
    """Index every document of the collection, and report it."""
    done, total = 0, len(collection.articles)
    for batch in _batches(collection.articles):
        ready = [prepared(article, encoder) for article in batch]
        vectors = await encoder.encode([text for one in ready for parts in one.windows for text in parts])
        await _store(ready, vectors, index)
        done += len(batch)
        progress("encoding and indexing documents", done, total)


def prepared(article: Article, encoder: Encoder) -> _Ready:
    """A document as an ingest would make it of a Markdown file with title and text."""
    text = f"# {article.title}\n\n{article.text}" if article.title else article.text
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    record = replace(describe(ParsedFile(text), "article.md", sha256), doc_id=article.doc_id)
    document = Document(record, text)
    chunks = chunk(document)
    heads = [embedding_head(part, record) for part in chunks]
    return _Ready(document, chunks, encoder.windows([part.text for part in chunks], heads))


async def _store(ready: Sequence[_Ready], vectors: np.ndarray, index: Index) -> None:
    first = 0
    async with index.write() as writer:
        for one in ready:
            parts = list(map(len, one.windows))
            await writer.put(one.document, one.chunks, vectors[first : first + sum(parts)], parts)
            first += sum(parts)


def _batches(articles: Sequence[Article]) -> Iterator[Sequence[Article]]:
    return (articles[i : i + TOGETHER] for i in range(0, len(articles), TOGETHER))
