"""Rows that stand in columns as a table: header, cells, and the labels that stand for several rows."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from retrieval.parse.blocks import Block, Item, Paragraph, Table
from retrieval.parse.layout.geometry import Placed, Row, Rule
from retrieval.parse.layout.header import Column, read_header
from retrieval.parse.layout.labels import TableLine, with_labels
from retrieval.parse.layout.text import joined

NUMBER = re.compile(
    r"[<>≤≥~±(\[]*[-+−–]?\d[\d.,:/%()\[\]±<>\s–−-]*[*#†‡§¶a-d]*|[-–—+]+|N\.?[ADS]\.?", re.IGNORECASE
)
LABEL = re.compile(r"[A-Z][\w .,/()-]{0,30}:(?:\s|$)")
PAGE = re.compile(r"\d{1,4}|[ivxl]{1,6}")


def is_number(text: str) -> bool:
    """Whether a cell holds a number, a sign or a mark for a missing one."""
    return NUMBER.fullmatch(text) is not None


def columns_of(rows: Sequence[Row]) -> list[Column]:
    """Extents of the columns, from the rows with most runs to those with fewest, spanning runs left out."""
    columns: list[Column] = []
    for row in sorted(rows, key=lambda row: -len(row.runs)):
        if len(row.runs) == 1 and len(columns) > 1:
            continue
        for run in row.runs:
            columns = _with(columns, run.x0, run.x1)
    return columns


def _with(columns: list[Column], x0: float, x1: float) -> list[Column]:
    """The columns with a run added: to the one it overlaps, or as a new one; not where it spans several."""
    hit = [column for column in columns if x0 < column.x1 + 1 and column.x0 - 1 < x1]
    if len(hit) > 1:
        return columns
    if not hit:
        return sorted([*columns, Column(x0, x1)], key=lambda column: column.x0)
    grown = Column(min(hit[0].x0, x0), max(hit[0].x1, x1))
    return [grown if column is hit[0] else column for column in columns]


def placed_table(rows: Sequence[Row], zone: Sequence[Rule], lines: Sequence[Rule]) -> Placed | None:
    """The table of these rows with its box; None if they do not stand in columns.

    `zone` are the full rules that bound and part it, `lines` all horizontal rules of the page.
    """
    notes, inner = _notes(rows, zone)
    tabular = sum(len(row.runs) > 1 for row in inner)
    if tabular < 2 or (zone and tabular < 0.4 * len(inner)):
        return None
    depth = header_rows(inner, zone)
    columns = columns_of(inner[max(depth - 1, 0) :])
    if len(columns) < 2:
        return None
    header = read_header(inner[:depth], columns, lines)
    body = _texts(inner[depth:], header.columns, zone, named=depth > 0)
    if not body:
        return None
    table = Table(header.names, tuple(body), tuple(round(c.x0, 1) for c in header.columns))
    blocks: tuple[Block, ...] = _contents(table) if _is_contents(table) else (*notes, table)
    words = [word for row in rows for word in row.words]
    left, right = min(word.x0 for word in words), max(word.x1 for word in words)
    return Placed(blocks, left, rows[0].top, right, rows[-1].bottom)


def _notes(rows: Sequence[Row], zone: Sequence[Rule]) -> tuple[list[Block], Sequence[Row]]:
    """Lines such as `Study No.: 12  Species: Rat` between the first two of three rules; the other rows."""
    if len(zone) < 3:
        return [], rows
    first = [row for row in rows if row.middle < zone[1].top]
    labels = [LABEL.match(run.text) is not None for row in first for run in row.runs]
    rest = rows[len(first) :]
    if not labels or sum(labels) < 0.6 * len(labels) or len(rest) < 2:
        return [], rows
    return [Paragraph("\n".join("; ".join(run.text for run in row.runs) for row in first))], rest


def header_rows(rows: Sequence[Row], zone: Sequence[Rule]) -> int:
    """How many rows the header has: those over the first full rule, or over a later one if they are names.

    Without rules, rows of names over rows of numbers.
    """
    depth = 0
    for rule in (rule for rule in zone if rows[0].middle < rule.top < rows[-1].middle):
        above = sum(row.middle < rule.top for row in rows)
        if above > 8 or (depth and (above > depth + 2 or not all(map(_names_only, rows[depth:above])))):
            break
        depth = above if not depth or number_share(rows[above:]) > 0.3 else depth
    if depth:
        return depth
    while depth < min(3, len(rows) - 1) and _names_only(rows[depth]):
        depth += 1
    if depth and number_share(rows[depth:]) > 0.3:
        return depth if depth < len(rows) - 1 else 1
    bold = all(run.bold for run in rows[0].runs) and not all(run.bold for row in rows[1:] for run in row.runs)
    return 1 if bold and _names_only(rows[0]) else 0


def number_share(rows: Sequence[Row]) -> float:
    """Share of numbers among the cells beside the first of each row."""
    numbers = [is_number(run.text) for row in rows for run in row.runs[1:]]
    return sum(numbers) / max(len(numbers), 1)


def _names_only(row: Row) -> bool:
    return len(row.runs) > 1 and not any(is_number(run.text) for run in row.runs[1:])


@dataclass
class _BodyRow:
    """A row in the making: the lines of each cell, whether a blank stands above, and how many rules do."""

    cells: list[list[str]]
    apart: bool
    group: int


def _body(rows: Sequence[Row], columns: Sequence[Column], zone: Sequence[Rule]) -> list[_BodyRow]:
    """Rows of cells; wrapped lines go to the row above."""
    pitches = [below.middle - above.middle for above, below in pairwise(rows)]
    usual = median(pitches) if pitches else 0.0
    lines: list[_BodyRow] = []
    above: Row | None = None
    for row in rows:
        cells = _cells(row, columns)
        apart = above is not None and row.middle - above.middle > 1.35 * usual
        if lines and above is not None and _continues(row, cells, above, lines[-1], columns):
            lines[-1].cells = [[*a, *b] for a, b in zip(lines[-1].cells, cells, strict=True)]
        else:
            lines.append(_BodyRow(cells, apart, sum(rule.top < row.middle for rule in zone)))
        above = row
    return lines


def _texts(
    rows: Sequence[Row], columns: Sequence[Column], zone: Sequence[Rule], named: bool
) -> list[tuple[str, ...]]:
    """The texts of the body's rows, labels of groups in each row where the columns are named."""
    if len(columns) == 2 and _is_label_list(rows, columns):
        return _label_list(rows, columns)
    lines = [
        TableLine(tuple(map(joined, line.cells)), line.apart, line.group)
        for line in _body(rows, columns, zone)
    ]
    return with_labels(lines) if named and lines else [line.cells for line in lines]


def _cells(row: Row, columns: Sequence[Column]) -> list[list[str]]:
    """The text of each cell of one printed row, as a list of one line or none."""
    cells: list[list[str]] = [[] for _ in columns]
    for run in row.runs:
        overlaps = [min(run.x1, column.x1) - max(run.x0, column.x0) for column in columns]
        first = next((j for j, overlap in enumerate(overlaps) if overlap > 0), None)
        if first is None:
            first = max(range(len(columns)), key=lambda j: overlaps[j])
        cells[first] = [" ".join([*cells[first], run.text])]
    return cells


def _continues(
    row: Row, cells: list[list[str]], above: Row, line: _BodyRow, columns: Sequence[Column]
) -> bool:
    """Whether a row goes on with the cells above: empty first cell, no numbers, close under filled cells."""
    if cells[0] or row.top - above.bottom > 0.6 * row.size:
        return False
    filled = [j for j, cell in enumerate(cells) if cell]
    if any(is_number(cells[j][0]) for j in filled) or not all(line.cells[j] for j in filled):
        return False
    return all(columns[j].x1 - columns[j].x0 > 8 * row.size for j in filled) or len(filled) == 1


def _is_label_list(rows: Sequence[Row], columns: Sequence[Column]) -> bool:
    labels = [cells[0][0] for cells in (_cells(row, columns) for row in rows) if cells[0] and cells[1]]
    return bool(labels) and sum(label.endswith(":") for label in labels) >= 0.5 * len(labels)


def _label_list(rows: Sequence[Row], columns: Sequence[Column]) -> list[tuple[str, ...]]:
    """Labels beside values, both of which may wrap: a label goes on until its colon."""
    entries: list[list[list[str]]] = []
    for row in rows:
        label, value = _cells(row, columns)
        if entries and (not label or not joined(entries[-1][0]).endswith(":")):
            entries[-1][0] += label
            entries[-1][1] += value
        else:
            entries.append([label, value])
    return [(joined(label), joined(value)) for label, value in entries]


def _is_contents(table: Table) -> bool:
    """Whether a table is a table of contents: ascending page numbers in the last column, no header."""
    pages = [row[-1] for row in table.rows]
    if any(table.header) or len(pages) < 4 or not all(PAGE.fullmatch(page) for page in pages):
        return False
    numbers = [int(page) for page in pages if page.isdecimal()]
    return numbers == sorted(numbers) and all(any(map(str.isalpha, " ".join(row[:-1]))) for row in table.rows)


def _contents(table: Table) -> tuple[Block, ...]:
    return tuple(Item(" ".join(filter(None, row))) for row in table.rows)
