"""The smallest citeable units of a document: sentences, list items, table rows and headings, in order.

A passage is a slice of the canonical text, never a copy that was cleaned, so that a quote can be checked by
comparing strings (DiscoVerse, section 2: source-linked outputs).
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace

from retrieval.markdown import Block, BlockKind, blocks, cells, is_delimiter
from retrieval.sentences import line_groups, sentences
from retrieval.values import Document, Page, Passage, PassageKind, TableRow

CAPTION = re.compile(
    r"[*_ ]*(?:text[- ])?(?:table|tab\.|tabelle|tableau|tabla)\s*[A-Z]?[\dIVX]", re.IGNORECASE
)


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
        self.above: Block | None = None

    def passages(self) -> Iterator[Passage]:
        for block in blocks(self.text):
            yield from self._of(block)
            self.above = block

    def _of(self, block: Block) -> Iterator[Passage]:
        if block.kind is BlockKind.HEADING:
            yield self._heading(block)
        elif block.kind is BlockKind.TABLE:
            yield from self._rows(block)
        else:
            kind = PassageKind.ITEM if block.kind is BlockKind.ITEM else PassageKind.SENTENCE
            for part in line_groups(self.text, block.lines):
                for start, end in sentences(self.text, *part):
                    yield self._passage(start, end, kind)

    def _heading(self, block: Block) -> Passage:
        while self.headings and self.headings[-1][0] >= block.level:
            self.headings.pop()
        passage = self._passage(block.start, block.end, PassageKind.HEADING)
        self.headings.append((block.level, plain(passage.text)))
        return passage

    def _rows(self, block: Block) -> Iterator[Passage]:
        caption = self._caption()
        texts = [self.text[start:end] for start, end in block.lines]
        has_header = len(texts) > 1 and is_delimiter(texts[1])
        header = cells(texts[0]) if has_header else ()
        for i, (span, text) in enumerate(zip(block.lines, texts, strict=True)):
            if is_delimiter(text):
                continue
            kind = PassageKind.HEADING if has_header and i == 0 else PassageKind.ROW
            yield replace(self._passage(*span, kind), row=table_row(caption, header, cells(text)))

    def _caption(self) -> str:
        """The paragraph above if it names the table or announces it with a colon, else the heading."""
        if self.above is not None and self.above.kind is BlockKind.PARAGRAPH:
            paragraph = self.text[self.above.start : self.above.end]
            if CAPTION.match(paragraph):
                return plain(paragraph)
            last = self.text[slice(*self.above.lines[-1])]
            if CAPTION.match(last) or last.rstrip("*_ ").endswith(":"):
                return plain(last)
        return self.headings[-1][1] if self.headings else ""

    def _passage(self, start: int, end: int, kind: PassageKind) -> Passage:
        section = tuple(heading for _, heading in self.headings)
        return Passage(self.doc_id, start, end, self.text[start:end], kind, section, self._page(start))

    def _page(self, offset: int) -> int | None:
        i = bisect_right(self.page_starts, offset) - 1
        return self.pages[i].number if i >= 0 else None


def table_row(caption: str, header: tuple[str, ...], row: tuple[str, ...]) -> TableRow:
    """A row beside its header, both filled with empty cells to the same length."""
    width = max(len(header), len(row))
    pad = ("",) * width
    return TableRow(caption, (*header, *pad)[:width], (*row, *pad)[:width])


def plain(text: str) -> str:
    """Text without emphasis marks and with single spaces, for headings and captions that are only shown."""
    return " ".join(re.sub(r"(?<!\\)(\*\*|__|\*|`)", "", text).split())
