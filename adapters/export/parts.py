"""What an exported report is made of: headings, paragraphs and tables, which each format typesets."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `level` 1 is the title."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Plain text. `style` is "", "strong", "quote", "note", "item", "code" or "caption". `picture` is the
    content hash of what the text tells in words, "" for none, and `dark` that of the same for dark ground.
    `alone` says it in short, where the picture itself is shown.
    """

    text: str
    style: str = ""
    picture: str = ""
    dark: str = ""
    alone: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with a header row; cells are plain text. `title` may be empty. One that is `folded` opens on
    demand where a format can do that.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    folded: bool = False


Part = Heading | Paragraph | Grid
LINE = 96
"""Characters of a table's text on a line of the page, at its size."""
PADDING, LONGEST_WORD = 3, 26


def widths(grid: Grid) -> tuple[float, ...]:
    """The share of the width that each column takes: its longest word whole, the rest by length."""
    columns = list(zip(grid.columns, *grid.rows, strict=True))
    least = [min(LONGEST_WORD, _longest_word(cells)) + PADDING for cells in columns]
    room = max(0, LINE - sum(least))
    wanted = [sum(map(len, cells)) / len(cells) + max(map(len, cells)) / 4 for cells in columns]
    wide = [one + room * want / max(sum(wanted), 1) for one, want in zip(least, wanted, strict=True)]
    return tuple(one / sum(wide) for one in wide)


def _longest_word(cells: Sequence[str]) -> int:
    return max((len(word) for text in cells for word in text.split()), default=1)
