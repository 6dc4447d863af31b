"""Brings a collection into an index as documents of an archive: same chunks, heads, windows and vectors."""

import hashlib
from collections.abc import Callable
from dataclasses import replace

from retrieval.evaluate.beir import Article, Collection
from retrieval.ingest.batch_writer import BatchWriter
from retrieval.ingest.prepare import Tally, prepare
from retrieval.ingest.record import describe
from retrieval.ports import Encoder, Index
from retrieval.values import Document, ParsedFile

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""


async def fill(collection: Collection, index: Index, encoder: Encoder, progress: Progress) -> None:
    """Index every document of the collection, and report it."""
    writer = BatchWriter(index, encoder, Tally())
    for done, article in enumerate(collection.articles, 1):
        await writer.add(prepare(as_document(article), encoder))
        progress("encoding and indexing documents", done, len(collection.articles))
    await writer.flush()


def as_document(article: Article) -> Document:
    """A document as an ingest would make it of a Markdown file with title and text."""
    text = f"# {article.title}\n\n{article.text}" if article.title else article.text
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    record = replace(describe(ParsedFile(text), "article.md", sha256), doc_id=article.doc_id)
    return Document(record, text)
