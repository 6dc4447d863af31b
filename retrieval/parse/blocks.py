"""What parsers build documents from, and the one place where it becomes Markdown with a page map."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from retrieval.captions import CAPTION
from retrieval.values import Page

CONTINUED = re.compile(
    r"[\s,\-–—]*[(\[]?\s*\b(?:continued|cont(?:'|’)?d\.?|cont\.?|fortsetzung|suite)(?:[)\]]|$)", re.I
)
SPACES = re.compile(r"\s+")
BAR = re.compile(r"(\\*)\|")
"""A bar within a cell, with the backslashes before it, which are doubled to stay such."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A section's title. `level` is 1 (the document) to 6."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text; line breaks within it are kept."""

    text: str


@dataclass(frozen=True, slots=True)
class Item:
    """A list item. `mark` is `-`, or the number as printed."""

    text: str
    depth: int = 0
    mark: str = "-"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under one header row; a header of empty cells where the table has none.

    `edges` are the left edges of the columns on a printed page, in points: a table that goes on over a page
    break has the same ones.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    edges: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Rows:
    """Further rows of the table above, after a page break."""

    rows: tuple[tuple[str, ...], ...]
    width: int


@dataclass(frozen=True, slots=True)
class PageBreak:
    """The page with this number begins here."""

    number: int


@dataclass(frozen=True, slots=True)
class Markdown:
    """Text that already is Markdown, as an OCR engine gives it."""

    text: str


Content: TypeAlias = Heading | Paragraph | Item | Table | Rows | Markdown
Block: TypeAlias = Content | PageBreak


def render(blocks: Iterable[Block]) -> tuple[str, tuple[Page, ...]]:
    """Canonical text of the blocks, and the page map if there are page breaks.

    Pages follow one another without gaps from the first character to the last.
    """
    parts: list[str] = []
    starts: list[tuple[int, int]] = []
    length = 0
    above: Block | None = None
    for block in blocks:
        if isinstance(block, PageBreak):
            starts.append((block.number, -1))
            continue
        if not (written := write(block)):
            continue
        lead = separator(above, block)
        length += len(lead)
        starts = [(number, length if at < 0 else at) for number, at in starts] if starts else starts
        parts += (lead, written)
        length += len(written)
        above = block
    text = "".join(parts) + ("\n" if parts else "")
    return text, page_map(starts, len(text))


def page_map(starts: Sequence[tuple[int, int]], length: int) -> tuple[Page, ...]:
    """Pages from their numbers and offsets; the first begins at 0, a page without text is empty."""
    begins = [length if at < 0 else at for _, at in starts]
    ends = [*begins, length][1:]
    return tuple(
        Page(number, begin if i else 0, end)
        for i, ((number, _), begin, end) in enumerate(zip(starts, begins, ends, strict=True))
    )


def separator(above: Block | None, block: Block) -> str:
    """What stands between two blocks: captions lie directly on their table, items on each other."""
    if above is None:
        return ""
    if isinstance(above, Item) and isinstance(block, Item):
        return "\n"
    if isinstance(above, Paragraph) and isinstance(block, Table) and CAPTION.match(above.text):
        return "\n"
    if isinstance(block, Rows):
        return "\n"
    return "\n\n"


def write(block: Content) -> str:
    """Markdown of one block; "" for a block without content."""
    if isinstance(block, Table):
        return "\n".join(_table_lines(block))
    if isinstance(block, Rows):
        return "\n".join(row_line(row, block.width) for row in block.rows if any(row))
    if isinstance(block, Heading):
        text = one_line(block.text)
        return f"{'#' * min(max(block.level, 1), 6)} {text}" if text else ""
    if isinstance(block, Item):
        text = one_line(block.text)
        return f"{'  ' * min(block.depth, 4)}{block.mark} {text}" if text else ""
    if isinstance(block, Markdown):
        return block.text.strip()
    return "\n".join(_plain_line(line) for line in block.text.strip().splitlines() if line.strip())


def one_line(text: str) -> str:
    """Text with every run of white space as one blank."""
    return SPACES.sub(" ", text).strip()


def _plain_line(line: str) -> str:
    """A line of a paragraph that cannot be taken for a heading or a table row."""
    line = one_line(line)
    return f"\\{line}" if re.match(r"#{1,6}\s|\|", line) else line


def _table_lines(table: Table) -> Iterator[str]:
    width = max((len(row) for row in (table.header, *table.rows)), default=0)
    if not any(cell.strip() for row in (table.header, *table.rows) for cell in row):
        return
    yield row_line(table.header, width)
    yield "|" + "---|" * width
    for row in table.rows:
        if any(cell.strip() for cell in row):
            yield row_line(row, width)


def row_line(cells: Sequence[str], width: int) -> str:
    """One line of a pipe table, filled to `width` cells."""
    full = (*cells, *("",) * (width - len(cells)))
    return "| " + " | ".join(BAR.sub(r"\1\1\\|", one_line(cell)) for cell in full) + " |"
