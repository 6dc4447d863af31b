"""The smallest citeable units of a document: sentences, list items, table rows and headings, in order.

A passage is a slice of the canonical text, never a copy that was cleaned, so that a quote can be checked by
comparing strings (DiscoVerse, section 2: source-linked outputs).
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace

from retrieval.captions import is_caption
from retrieval.markdown import Block, BlockKind, blocks
from retrieval.tables import MOST_NOTES, caption_above, caption_below, notes_below, read_table
from retrieval.text.sentences import line_groups, sentences
from retrieval.values import Document, Page, Passage, PassageKind


def passages_of(document: Document) -> tuple[Passage, ...]:
    """All passages of a document in the order of its text, without overlap.

    Every non-blank character lies in a passage, but for Markdown marks (`#`, list marks, rules, fences and
    the dashes under a table header). The header of a table is a passage of kind HEADING whose `row` has
    cells equal to its header. List items and paragraphs of several sentences give one passage a sentence.
    """
    return tuple(_PassageReader(document).passages())


class _PassageReader:
    """Walks the blocks of one document and knows the headings above."""

    def __init__(self, document: Document) -> None:
        self.doc_id = document.record.doc_id
        self.text = document.text
        self.page_starts = [page.start for page in document.pages]
        self.pages: tuple[Page, ...] = document.pages
        self.headings: list[tuple[int, str]] = []
        self.above: tuple[Block, ...] = ()
        self.lead = ""

    def passages(self) -> Iterator[Passage]:
        found = list(blocks(self.text))
        for i, block in enumerate(found):
            if block.kind is not BlockKind.ITEM:
                self.lead = self._leads(block)
            yield from self._of(block, found[i + 1 : i + 2 + MOST_NOTES])
            self.above = (*self.above[-1:], block)

    def _of(self, block: Block, below: Sequence[Block]) -> Iterator[Passage]:
        if block.kind is BlockKind.HEADING:
            yield self._heading(block)
        elif block.kind is BlockKind.TABLE:
            yield from self._rows(block, below)
        else:
            kind = PassageKind.ITEM if block.kind is BlockKind.ITEM else PassageKind.SENTENCE
            for part in line_groups(self.text, block.lines):
                for start, end in sentences(self.text, *part):
                    passage = self._passage(start, end, kind)
                    yield replace(passage, lead=self.lead) if kind is PassageKind.ITEM else passage

    def _leads(self, block: Block) -> str:
        """The last sentence of a paragraph that introduces a list."""
        last = block.kind is BlockKind.PARAGRAPH and self.text[slice(*block.lines[-1])].rstrip("*_ ")
        if not last or not last.endswith(":"):
            return ""
        *_, (start, end) = sentences(self.text, block.start, block.end)
        return plain(self.text[start:end])

    def _heading(self, block: Block) -> Passage:
        while self.headings and self.headings[-1][0] >= block.level:
            self.headings.pop()
        passage = self._passage(block.start, block.end, PassageKind.HEADING)
        self.headings.append((block.level, plain(passage.text)))
        return passage

    def _rows(self, block: Block, below: Sequence[Block]) -> Iterator[Passage]:
        texts = [self.text[start:end] for start, end in block.lines]
        notes = notes_below(self.text, below)
        for read in read_table(texts, self._caption(below), notes):
            kind = PassageKind.HEADING if read.head else PassageKind.ROW
            yield replace(self._passage(*block.lines[read.line], kind), row=read.row)

    def _caption(self, below: Sequence[Block]) -> str:
        heading = self.headings[-1][1] if self.headings else ""
        *before, above = self.above or (None,)
        over = caption_above(self.text, above, before[0] if before else None, heading)
        under = "" if is_caption(over) else caption_below(self.text, below)
        return plain(under or over)

    def _passage(self, start: int, end: int, kind: PassageKind) -> Passage:
        section = tuple(heading for _, heading in self.headings)
        return Passage(self.doc_id, start, end, self.text[start:end], kind, section, self._page(start))

    def _page(self, offset: int) -> int | None:
        i = bisect_right(self.page_starts, offset) - 1
        return self.pages[i].number if i >= 0 else None


def plain(text: str) -> str:
    """Text without emphasis marks and with single spaces, for headings and captions that are only shown."""
    return " ".join(re.sub(r"(?<!\\)(\*\*|__|(?<!\w)\*|\*(?!\w)|`)", "", text).split())
