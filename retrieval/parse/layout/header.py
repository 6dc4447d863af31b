"""The header of a table without vertical lines: which columns each of its texts covers."""

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.parse.layout.geometry import Row, Rule, TextRun
from retrieval.parse.spans import LEVELS


@dataclass(frozen=True, slots=True)
class Column:
    """Horizontal extent of a column's cells."""

    x0: float
    x1: float

    @property
    def middle(self) -> float:
        """Its centre."""
        return (self.x0 + self.x1) / 2


@dataclass(frozen=True, slots=True)
class Header:
    """The columns with one name each."""

    columns: tuple[Column, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Title:
    """A text in the header and the columns that it covers."""

    text: str
    first: int
    last: int

    @property
    def spans(self) -> bool:
        """Whether it covers several columns."""
        return self.last > self.first


def read_header(rows: Sequence[Row], columns: Sequence[Column], lines: Sequence[Rule]) -> Header:
    """The names of the columns; columns that share all their titles are one.

    Titles of several rows are joined with ` / ` where one covers several columns, else as wrapped lines.
    """
    titles = [
        [Title(run.text, *_span(run, row.runs, columns, lines, row is not rows[-1])) for run in row.runs]
        for row in rows
    ]
    above = [_titles_of(j, titles) for j in range(len(columns))]
    merged: list[Column] = []
    names: list[str] = []
    for j, column in enumerate(columns):
        if j and above[j] and above[j] == above[j - 1]:
            merged[-1] = Column(merged[-1].x0, column.x1)
        else:
            merged.append(column)
            names.append(_name(above[j]))
    return Header(tuple(merged), tuple(names))


def _titles_of(column: int, titles: Sequence[Sequence[Title]]) -> list[Title]:
    return [title for row in titles for title in row if title.first <= column <= title.last]


def _name(titles: Sequence[Title]) -> str:
    name = ""
    for i, title in enumerate(titles):
        blank = (
            LEVELS if i and (title.spans or titles[i - 1].spans) and titles[i - 1].text != title.text else " "
        )
        if not i or titles[i - 1] != title:
            name += (blank if i else "") + title.text
    return name


def _span(
    run: TextRun, neighbours: Sequence[TextRun], columns: Sequence[Column], lines: Sequence[Rule], upper: bool
) -> tuple[int, int]:
    """First and last column that a title covers.

    Those over the rule that is drawn under it, if there is one; else those that it overlaps, widened to the
    range on which it is centred. Titles in the last row of a header cover what they overlap.
    """
    if (ruled := _over_rule(run, columns, lines)) is not None:
        return ruled
    hit = [j for j, column in enumerate(columns) if run.x0 < column.x1 and column.x0 < run.x1]
    nearest = min(range(len(columns)), key=lambda j: abs(columns[j].middle - (run.x0 + run.x1) / 2))
    first, last = (hit[0], hit[-1]) if hit else (nearest, nearest)
    return _centred(run, neighbours, columns, first, last) if upper else (first, last)


def _over_rule(run: TextRun, columns: Sequence[Column], lines: Sequence[Rule]) -> tuple[int, int] | None:
    middle = (run.x0 + run.x1) / 2
    for line in lines:
        under = run.bottom - 3 <= line.top <= run.bottom + 0.7 * run.size and line.x0 <= middle <= line.x1
        covered = [j for j, column in enumerate(columns) if line.x0 - 4 <= column.middle <= line.x1 + 4]
        if under and 1 < len(covered) < len(columns) and line.x1 - line.x0 > 0.9 * (run.x1 - run.x0):
            return covered[0], covered[-1]
    return None


def _centred(
    run: TextRun, neighbours: Sequence[TextRun], columns: Sequence[Column], first: int, last: int
) -> tuple[int, int]:
    """The range around `first` to `last`, clear of the neighbours, on whose middle the title stands."""
    middle = (run.x0 + run.x1) / 2
    left = max((other.x1 for other in neighbours if other.x1 <= run.x0), default=float("-inf"))
    right = min((other.x0 for other in neighbours if other.x0 >= run.x1), default=float("inf"))

    def off(i: int, j: int) -> float:
        return abs((columns[i].x0 + columns[j].x1) / 2 - middle)

    ranges = [
        (i, j)
        for i in range(first + 1)
        for j in range(last, len(columns))
        if (columns[i].x1 > left and columns[j].x0 < right and (i, j) != (first, last))
    ]
    near = [(i, j) for i, j in ranges if off(i, j) < 0.1 * (columns[j].x1 - columns[i].x0)]
    if not near or (first == last and off(first, last) < 0.2 * run.size):
        return first, last
    best = min(near, key=lambda place: off(*place))
    return best if off(*best) < 0.4 * off(first, last) else (first, last)
