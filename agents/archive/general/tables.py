"""Table rows with the labels, heads and captions that a reader sees.

Tables of old reports write a label once and leave the cells below it empty, and put units or times into a
second header row. Each row is given what a reader would see: its label, its column heads, and its caption.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval.values import Passage, PassageKind

CAPTION = re.compile(r"^\W*(?:table|appendix|figure|listing)\s+[\w.-]+", re.IGNORECASE)
CAPTION_REACH = 3
MOST_HEADERS = 5
DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """A row with its heads, one per cell, and the label of an earlier row that also stands for it.

    `span` is a header line that stands over several columns. `is_header` is set for a first row that has
    values, as in a table of labels and values.
    """

    cells: tuple[str, ...]
    heads: tuple[str, ...]
    label_above: str
    caption: str
    span: str = ""
    is_header: bool = False

    @property
    def label(self) -> str:
        """The first cell that is filled."""
        return next((cell for cell in self.cells if cell), "")


def labelled_rows(passages: Sequence[Passage]) -> dict[int, LabelledRow]:
    """All table rows of a document by the offset of their passage."""
    rows: dict[int, LabelledRow] = {}
    for first, table in tables(passages):
        caption = caption_of(passages, first)
        rows.update(zip((passage.start for passage in table), rows_of_table(table, caption), strict=True))
    return rows


def tables(passages: Sequence[Passage]) -> Iterator[tuple[int, list[Passage]]]:
    """Runs of rows under one header, each with the index of its first passage."""
    first, table = 0, list[Passage]()
    for i, passage in enumerate(passages):
        if table and (passage.row is None or passage.kind is PassageKind.HEADING):
            yield first, table
            table = []
        if passage.row is not None:
            first = first if table else i
            table.append(passage)
    if table:
        yield first, table


def caption_of(passages: Sequence[Passage], first: int) -> str:
    """The caption that the parser found, or a line like "Table 3 Tidal volume" a little above."""
    above = passages[max(0, first - CAPTION_REACH) : first]
    lines = [p.text for p in above if p.row is None and CAPTION.match(p.text)]
    row = passages[first].row
    given = row.caption if row is not None else ""
    return lines[-1] if lines and not CAPTION.match(given) else given


def rows_of_table(table: Sequence[Passage], caption: str) -> Iterator[LabelledRow]:
    """The rows of one table."""
    grid = [passage.row.cells for passage in table if passage.row is not None]
    headers = header_count(grid)
    width = max(map(len, grid))
    heads = tuple(
        " ".join(filter(None, (row[i] for row in grid[:headers] if i < len(row)))) for i in range(width)
    )
    span = " ".join(filter(None, grid[0])) if headers > 1 else ""
    given, above = "", ""
    for i, cells in enumerate(grid):
        if cells[0]:
            above, given = given, cells[0]
        label = above if cells[0] else given
        yield LabelledRow(
            cells, heads[: len(cells)], "" if i < headers else label, caption, span, i < headers
        )


def header_count(grid: Sequence[Sequence[str]]) -> int:
    """How many rows are header: the first, and those below it that have no label or no number."""
    count = 1
    while count < len(grid) and continues_header(grid[count]):
        count += 1
    return count if count <= MOST_HEADERS and count < len(grid) else 1


def has_values(row: LabelledRow) -> bool:
    """Whether a header row tells values, as the first line of a list of labels does."""
    filled = [cell for cell in row.cells if cell]
    return len(filled) > 1 and (len(filled) == 2 or any(cell.rstrip().endswith(":") for cell in filled))


def continues_header(cells: Sequence[str]) -> bool:
    """Whether a row directly under the header goes on with it."""
    return not cells[0] or not any(DIGIT.search(cell) for cell in cells)
