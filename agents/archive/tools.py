"""What the archive pipeline works with: ports, the schema library, and a cache of documents."""

import asyncio
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field

from agents.archive.library import Library, default_library
from agents.ports import Entailment, LanguageModel
from retrieval.passages import passages_of, plain
from retrieval.ports import Index, Reranker, Retriever
from retrieval.values import Document, DocumentRecord, Passage


@dataclass(frozen=True, slots=True)
class LoadedDocument:
    """A document and its passages in reading order."""

    document: Document
    passages: tuple[Passage, ...]

    @property
    def record(self) -> DocumentRecord:
        """What is known of the document."""
        return self.document.record

    def place_of(self, start: int) -> int:
        """Which of the passages begins at an offset."""
        return bisect_left(self.passages, start, key=lambda passage: passage.start)

    def place_at(self, offset: int) -> int:
        """Which of the passages is the first that ends behind an offset."""
        return bisect_right(self.passages, offset, key=lambda passage: passage.end)


OPEN = 40_000_000
"""Characters of documents that stay open: about 100 large reports."""


class DocumentCache:
    """Documents that were read lately, by content hash, so that the next question does not read them again.

    Of their text so many characters stay open as `OPEN` says.
    """

    def __init__(self) -> None:
        self._open: OrderedDict[tuple[str, str], LoadedDocument] = OrderedDict()

    async def open(self, index: Index, doc_id: str) -> LoadedDocument | None:
        """A document with its passages; None if the index does not hold it (any more)."""
        document = await index.document(doc_id)
        if document is None:
            return None
        key = (doc_id, document.record.sha256)
        if key not in self._open:
            self._open[key] = LoadedDocument(document, await asyncio.to_thread(passages_of, document))
            self._close_oldest()
        self._open.move_to_end(key)
        return self._open[key]

    async def open_all(self, index: Index, doc_ids: Iterable[str]) -> list[LoadedDocument]:
        """The documents with these ids, in the order given; those that are gone are left out."""
        opened = [await self.open(index, doc_id) for doc_id in doc_ids]
        return [document for document in opened if document is not None]

    def _close_oldest(self) -> None:
        size = sum(len(kept.document.text) for kept in self._open.values())
        while size > OPEN and len(self._open) > 1:
            _, closed = self._open.popitem(last=False)
            size -= len(closed.document.text)


@dataclass(frozen=True, slots=True)
class ArchiveTools:
    """Everything that a run of the archive pipeline needs.

    `model` is None on a bare machine; the rules then work alone.
    """

    index: Index
    retriever: Retriever
    reranker: Reranker
    entailment: Entailment
    model: LanguageModel | None = None
    library: Library = field(default_factory=default_library)
    documents: DocumentCache = field(default_factory=DocumentCache)


OPENING = 60
"""Passages at the beginning of a document among which its title is looked for."""
LEAST_TITLE = 8


async def title_passage(tools: ArchiveTools, doc_id: str) -> Passage | None:
    """The passage that stands for a document: the one with its title, or the first; None for an empty one."""
    read = await tools.documents.open(tools.index, doc_id)
    if read is None or not read.passages:
        return None
    title = read.document.record.title.casefold()
    for passage in read.passages[:OPENING]:
        text = plain(passage.text).casefold()
        if len(text) > LEAST_TITLE and (title in text or text in title):
            return passage
    return read.passages[0]
