"""Tables that come closest, told once: as a table, not as a line of a row above a quote of them all."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from agents.evidence.values import Citation
from agents.reports.values import Cell, Statement, Table
from retrieval.markdown import cells, is_delimiter
from retrieval.molecules.vouched import MOLECULES

MOST_CHARACTERS, MOST_ROWS = 500, 8
"""How much of a table is shown around the row that was found."""
LEFT_OUT = "…"
Row = tuple[str, ...]


def near_table(
    statement: Statement, cited: Sequence[Citation], molecules: Sequence[str] = ()
) -> Table | None:
    """The table that a statement tells a row of: this row with those around it.

    Of a table of several molecules only the rows of the asked ones are shown. None where it cites no table of
    several such rows, or one so wide that a row is read more easily as a line. Every row cites the table, as
    its values rest on it; "…" stands for rows that are left out.
    """
    rows = table_rows(cited[0]) if len(cited) == 1 else []
    if len(rows) < 2:
        return None
    one = cited[0]
    heads = one.header
    found = max(range(len(rows)), key=lambda place: _told(statement.text, heads, rows[place]))
    own = _of_molecules(rows, heads, found, molecules)
    first, last = _around([rows[place] for place in own], own.index(found))
    if first == last:
        return None
    gap = (Cell(LEFT_OUT), *[Cell("")] * (len(heads) - 1))
    body: list[tuple[Cell, ...]] = []
    for before, place in pairwise((-1, *own[first : last + 1], len(rows))):
        body += [gap] if place > before + 1 else []
        for row in rows[place : place + 1]:
            body.append((Cell(row[0], statement.citations), *map(Cell, row[1:])))
    return Table(one.caption or " ".join(one.section[-1:]) or one.title, heads, tuple(body))


def table_rows(citation: Citation) -> list[Row]:
    """The rows of a quoted table without its heads; nothing for another quote, or one of ragged rows."""
    lines = citation.quote.splitlines()
    if not any(citation.header) or not all(line.lstrip().startswith("|") for line in lines):
        return []
    rows = list(_body(lines))
    return rows if all(len(row) == len(citation.header) for row in rows) else []


def _body(lines: Sequence[str]) -> Iterator[Row]:
    """The rows below the line of dashes; all where there is none."""
    below = next((i + 1 for i, line in enumerate(lines) if is_delimiter(line)), 0)
    yield from map(cells, lines[below:])


def _of_molecules(rows: Sequence[Row], heads: Row, found: int, molecules: Sequence[str]) -> list[int]:
    """The rows of the asked molecules, where a column of molecules says so of the row that was found."""

    names = "|".join(map(re.escape, molecules))
    whole = re.compile(rf"(?<![\w-])(?:{names})(?!\w)", re.IGNORECASE)
    for head, *column in zip(heads, *rows, strict=True):
        asked = [bool(names and whole.search(cell)) for cell in column]
        if MOLECULES.fullmatch(head.strip()) and asked[found]:
            return [place for place, is_asked in enumerate(asked) if is_asked]
    return list(range(len(rows)))


def _told(text: str, heads: Row, row: Row) -> int:
    """How many cells of a row a text tells under their heads."""
    return sum(f"{head}: {cell}" in text for head, cell in zip(heads, row, strict=True) if cell)


def _around(rows: Sequence[Row], found: int) -> tuple[int, int]:
    """The first and the last row to show: as many around the one that was found as there is room for."""
    first = last = found
    room = MOST_CHARACTERS - _size(rows[found])
    while last - first + 1 < MOST_ROWS:
        beside = [place for place in (first - 1, last + 1) if 0 <= place < len(rows)]
        fitting = [place for place in beside if _size(rows[place]) <= room]
        if not fitting:
            break
        place = min(fitting, key=lambda place: abs(place - found))
        first, last = min(first, place), max(last, place)
        room -= _size(rows[place])
    return first, last


def _size(row: Row) -> int:
    return sum(map(len, row)) + 2 * len(row)
