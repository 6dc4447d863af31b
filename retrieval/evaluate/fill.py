"""Brings a collection into an index as documents of an archive: same chunks, heads, windows and vectors."""

import hashlib
from collections.abc import Callable
from dataclasses import replace

from retrieval.evaluate.beir import Article, Collection
from retrieval.intake import Tally, cut
from retrieval.ports import Encoder, Index
from retrieval.record import describe
from retrieval.storing import Storing
from retrieval.values import Document, ParsedFile

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""


async def fill(collection: Collection, index: Index, encoder: Encoder, progress: Progress) -> None:
    """Index every document of the collection, and report it."""
    storing = Storing(index, encoder, Tally())
    for done, article in enumerate(collection.articles, 1):
        await storing.add(cut(as_document(article), encoder))
        progress("encoding and indexing documents", done, len(collection.articles))
    await storing.store()


def as_document(article: Article) -> Document:
    """A document as an ingest would make it of a Markdown file with title and text."""
    text = f"# {article.title}\n\n{article.text}" if article.title else article.text
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    record = replace(describe(ParsedFile(text), "article.md", sha256), doc_id=article.doc_id)
    return Document(record, text)
