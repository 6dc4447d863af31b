"""Tables without vertical lines: columns are where the runs of successive rows stand over each other."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from retrieval.parse.blocks import CAPTION, Table
from retrieval.parse.layout.geometry import Row, Rule, Run, Word, rows_of
from retrieval.parse.layout.ruled import Placed
from retrieval.parse.layout.text import joined
from retrieval.parse.spans import flatten

PROSE_GAP = 1.1
"""Gap between runs, in font sizes, where prose may stand."""
TABLE_GAP = 0.55
"""Gap between cells within the rules of a table, where prose does not stand."""
NUMERIC = re.compile(
    r"[<>≤≥~±(\[]*[-+−–]?\d[\d.,:/%()\[\]±<>\s–−-]*[*#†‡§¶a-d]*|[-–—]+|N\.?[ADS]\.?", re.IGNORECASE
)
MARK = re.compile(r"(?:[•▪●◦‣–\-*]|\(?(?:\d{1,2}|[a-z]|[ivx]+)[.)]|\d+(?:\.\d+)+\.?)$")
NOTE = re.compile(r"(?:note\b|source\b|[*#†‡§¶]|[a-z-]+\s*[:=]|[a-z]\))", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Column:
    """Horizontal extent of a column's cells."""

    x0: float
    x1: float


def aligned_tables(words: Sequence[Word], rules: Sequence[Rule]) -> tuple[list[Placed], list[Word]]:
    """Tables between horizontal rules, then tables by alignment alone; and the words outside of them."""
    rest = list(words)
    tables: list[Placed] = []
    for zone in rule_zones(rules):
        rest = _take(rest, zone[0].top - 2, zone[-1].bottom + 2, zone, tables)
    for first, last in _tabular_stretches(rows_of(rest, PROSE_GAP)):
        rest = _take(rest, first.top - 0.5, last.bottom + 0.5, (), tables)
    return sorted(tables, key=lambda placed: placed.top), rest


def _take(
    words: list[Word], top: float, bottom: float, zone: Sequence[Rule], tables: list[Placed]
) -> list[Word]:
    """Words left after making a table of those between two heights, if they are one."""
    x0 = min((rule.x0 for rule in zone), default=float("-inf")) - 6
    x1 = max((rule.x1 for rule in zone), default=float("inf")) + 6
    inside = [w for w in words if top <= w.middle[1] <= bottom and x0 <= w.middle[0] <= x1]
    rows = rows_of(inside, TABLE_GAP if zone else PROSE_GAP)
    table = _table(rows, zone) if len(rows) > 1 else None
    if table is None:
        return words
    left, right = min(word.x0 for word in inside), max(word.x1 for word in inside)
    tables.append(Placed(table, left, rows[0].top, right, rows[-1].bottom))
    taken = set(map(id, inside))
    return [word for word in words if id(word) not in taken]


def rule_zones(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Groups of wide horizontal rules of about the same extent: top, header and bottom line of a table."""
    wide = sorted(
        (rule for rule in rules if rule.horizontal and rule.x1 - rule.x0 > 90), key=lambda rule: rule.top
    )
    zones: list[list[Rule]] = []
    for rule in wide:
        for zone in zones:
            if abs(zone[0].x0 - rule.x0) < 8 and abs(zone[0].x1 - rule.x1) < 8:
                zone.append(rule)
                break
        else:
            zones.append([rule])
    return [zone for zone in zones if zone[-1].top - zone[0].top > 15]


def _tabular_stretches(rows: Sequence[Row]) -> list[tuple[Row, Row]]:
    """Stretches of rows that stand close together and have several runs each, wrapped cells among them."""
    stretches: list[list[Row]] = []
    for above, row in pairwise((None, *rows)):
        assert row is not None
        if not _tabular(row):
            wraps = (
                above is not None and stretches and stretches[-1][-1] is above and _wraps(stretches[-1], row)
            )
            if not wraps:
                continue
        if above is not None and stretches and stretches[-1][-1] is above and _near(above, row):
            stretches[-1].append(row)
        elif _tabular(row):
            stretches.append([row])
    return [(rows[0], _trimmed(rows)) for rows in stretches if _is_table(rows)]


def _tabular(row: Row) -> bool:
    """Several runs, the first of which is no list mark or heading number."""
    if len(row.runs) < 2 or CAPTION.match(row.runs[0].text):
        return False
    return len(row.runs) > 2 or not MARK.fullmatch(row.runs[0].text)


def _near(above: Row, row: Row) -> bool:
    return row.top - above.bottom < 1.6 * row.size


def _wraps(stretch: Sequence[Row], row: Row) -> bool:
    """Whether a row of one run goes on within a cell: it begins where a column other than the first begins."""
    run = row.runs[0]
    starts = [other.x0 for above in stretch[-4:] for other in above.runs[1:]]
    return len(row.runs) == 1 and any(abs(run.x0 - start) < 4 for start in starts)


def _trimmed(rows: Sequence[Row]) -> Row:
    return rows[-1]


def _is_table(rows: Sequence[Row]) -> bool:
    """Enough evidence that rows are a table and not prose with wide blanks."""
    tabular = [row for row in rows if len(row.runs) > 1]
    columns = columns_of(rows)
    if len(columns) < 2 or len(tabular) < 2:
        return False
    if len(columns) == 2:
        left = [row.runs[0] for row in tabular]
        same_start = len({round(row.runs[1].x0 / 4) for row in tabular}) <= 1 + len(tabular) // 4
        short = all(len(run.text) <= 45 for run in left)
        return short and (same_start or _numeric_share(tabular) > 0.5)
    return len(tabular) >= 3 or _numeric_share(tabular) > 0.4


def _numeric_share(rows: Sequence[Row]) -> float:
    runs = [run for row in rows for run in row.runs[1:]]
    return sum(bool(NUMERIC.fullmatch(run.text)) for run in runs) / max(len(runs), 1)


def columns_of(rows: Sequence[Row]) -> list[Column]:
    """Extents of the columns, from the rows with the most runs to those with the fewest; spanning runs are ignored."""
    columns: list[Column] = []
    for row in sorted(rows, key=lambda row: -len(row.runs)):
        if len(row.runs) == 1 and len(columns) > 1:
            continue
        for run in row.runs:
            columns = _with(columns, run)
    return columns


def _with(columns: list[Column], run: Run) -> list[Column]:
    """The columns with a run added: to the one it overlaps, or as a new one; unchanged where it spans several."""
    hit = [column for column in columns if run.x0 < column.x1 + 1 and column.x0 - 1 < run.x1]
    if len(hit) > 1:
        return columns
    if not hit:
        return sorted([*columns, Column(run.x0, run.x1)], key=lambda column: column.x0)
    grown = Column(min(hit[0].x0, run.x0), max(hit[0].x1, run.x1))
    return [grown if column is hit[0] else column for column in columns]


def _table(rows: list[Row], zone: Sequence[Rule]) -> Table | None:
    """The table made of these rows; None if they do not stand in columns."""
    columns = columns_of(rows)
    if len(columns) < 2 or (zone and sum(len(row.runs) > 1 for row in rows) < max(2, 0.4 * len(rows))):
        return None
    depth = header_rows(rows, zone)
    header = [_header_cells(row, columns) for row in rows[:depth]]
    body = _body(rows[depth:], columns)
    return flatten([*header, *body], depth) if body else None


def header_rows(rows: Sequence[Row], zone: Sequence[Rule]) -> int:
    """How many rows the header has: those over the last rule within the upper part, else one of names over numbers."""
    if zone:
        inner = [rule for rule in zone if rows[0].middle < rule.top < rows[-1].middle]
        for rule in reversed(inner):
            above = sum(row.middle < rule.top for row in rows)
            if above <= max(2, 0.45 * len(rows)) and above <= 8:
                return above
    first = rows[0]
    names = not any(NUMERIC.fullmatch(run.text) for run in first.runs) and len(first.runs) > 1
    below = [row for row in rows[1:] if len(row.runs) > 1]
    bold = all(run.bold for run in first.runs) and not all(run.bold for row in below for run in row.runs)
    if names and (bold or _numeric_share(below) > 0.3):
        return 1
    return 0


def _header_cells(row: Row, columns: Sequence[Column]) -> list[str]:
    """The texts over each column; a run that is centred over several columns stands in all of them."""
    cells = [""] * len(columns)
    spans = [_span(run, row.runs, columns) for run in row.runs]
    for run, (first, last) in zip(row.runs, spans, strict=True):
        for j in range(first, last + 1):
            cells[j] = f"{cells[j]} {run.text}".strip()
    return cells


def _span(run: Run, neighbours: Sequence[Run], columns: Sequence[Column]) -> tuple[int, int]:
    """First and last column that a header covers: those it overlaps, widened evenly while its middle stays."""
    hit = [j for j, column in enumerate(columns) if run.x0 < column.x1 and column.x0 < run.x1]
    nearest = min(range(len(columns)), key=lambda j: abs(columns[j].x0 + columns[j].x1 - run.x0 - run.x1))
    first, last = (hit[0], hit[-1]) if hit else (nearest, nearest)
    if first == last and len(hit) == 1:
        return first, last
    centre = (run.x0 + run.x1) / 2
    left = max((other.x1 for other in neighbours if other.x1 < run.x0), default=float("-inf"))
    right = min((other.x0 for other in neighbours if other.x0 > run.x1), default=float("inf"))
    best = (first, last)
    for i in range(first, 0 - 1, -1):
        for j in range(last, len(columns)):
            inside = columns[i].x0 > left and columns[j].x1 < right
            off = abs((columns[i].x0 + columns[j].x1) / 2 - centre)
            if inside and j - i > best[1] - best[0] and off < 0.12 * (columns[j].x1 - columns[i].x0):
                best = (i, j)
    return best


def _body(rows: Sequence[Row], columns: Sequence[Column]) -> list[list[str]]:
    """Rows of cells: wrapped lines go to the row above, labels of a group of rows stand in each of them."""
    lines = [_cells(row, columns) for row in rows]
    merged: list[list[list[str]]] = []
    tops: list[tuple[Row, list[list[str]]]] = []
    for row, cells in zip(rows, lines, strict=True):
        if tops and _continues(row, cells, tops[-1][0], merged[-1], columns):
            merged[-1] = [[*above, *below] for above, below in zip(merged[-1], cells, strict=True)]
        else:
            merged.append(cells)
        tops.append((row, cells))
    texts = [[joined(cell) for cell in row] for row in merged]
    return _with_group_labels(texts)


def _cells(row: Row, columns: Sequence[Column]) -> list[list[str]]:
    """The lines of each cell of one row (one line or none)."""
    cells: list[list[str]] = [[] for _ in columns]
    for run in row.runs:
        overlaps = [min(run.x1, column.x1) - max(run.x0, column.x0) for column in columns]
        first = next((j for j, overlap in enumerate(overlaps) if overlap > 0), None)
        if first is None:
            first = max(range(len(columns)), key=lambda j: overlaps[j])
        cells[first] = [" ".join([*cells[first], run.text])]
    return cells


def _continues(
    row: Row, cells: list[list[str]], above: Row, cells_above: list[list[str]], columns: Sequence[Column]
) -> bool:
    """Whether a row goes on with the cells above: nothing in the first column, no numbers, close under full cells."""
    if cells[0] or row.top - above.bottom > 0.6 * row.size:
        return False
    filled = [j for j, cell in enumerate(cells) if cell]
    if any(NUMERIC.fullmatch(cells[j][0]) for j in filled) or not all(cells_above[j] for j in filled):
        return False
    return all(columns[j].x1 - columns[j].x0 > 8 * row.size for j in filled) or len(filled) == 1


def _with_group_labels(rows: list[list[str]]) -> list[list[str]]:
    """Rows in which a label that stands once for a group of rows, over one or more of them, stands in each.

    A group begins at a label under an empty first cell; every row of it has its own second cell.
    """
    starts = [i for i, row in enumerate(rows) if row[0] and (i == 0 or not rows[i - 1][0])]
    if not starts or len(starts) == len(rows) or starts[0] != 0:
        return rows
    labelled = []
    for first, last in zip(starts, [*starts[1:], len(rows)], strict=True):
        group = rows[first:last]
        label = " ".join(filter(None, (row[0] for row in group)))
        whole = len(group) > 1 and not all(row[0] for row in group) and all(any(row[1:]) for row in group)
        labelled += [[label, *row[1:]] for row in group] if whole else group
    return labelled
