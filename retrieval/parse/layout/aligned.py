"""Tables without vertical lines: columns are where the runs of successive rows stand over each other."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from retrieval.captions import CAPTION
from retrieval.parse.layout.cells import columns_of, is_number, placed_table
from retrieval.parse.layout.geometry import Placed, Row, Rule, TextRun, Word, rows_of

PROSE_GAP = 1.1
"""Gap between runs, in font sizes, where prose may stand."""
TABLE_GAP = 0.55
"""Gap between cells within the rules of a table, where prose does not stand."""
MARK = re.compile(r"(?:[•▪●◦‣–\-*]|\(?(?:\d{1,2}|[a-z]|[ivx]+)[.)]|\d+(?:\.\d+)+\.?)$")
WIDE_RULE = 90.0
"""Points from which a horizontal rule may bound a table."""


def aligned_tables(words: Sequence[Word], rules: Sequence[Rule]) -> tuple[list[Placed], list[Word]]:
    """Tables between horizontal rules, then tables by alignment alone; and the words outside of them."""
    rest = list(words)
    tables: list[Placed] = []
    lines = whole_lines(rules)
    for zone in rule_zones(lines, rest):
        inside = [word for word in rest if _between(word, zone)]
        _take(inside, rows_of(inside, TABLE_GAP), zone, lines, rest, tables)
    for stretch in _stretches(rows_of(rest, PROSE_GAP)):
        _take([word for row in stretch for word in row.words], stretch, (), (), rest, tables)
    return sorted(tables, key=lambda placed: placed.top), rest


def _take(
    inside: Sequence[Word],
    rows: Sequence[Row],
    zone: Sequence[Rule],
    lines: Sequence[Rule],
    rest: list[Word],
    tables: list[Placed],
) -> None:
    """Make a table of these rows, if they are one, and take its words from the rest."""
    placed = placed_table(rows, zone, lines) if len(rows) > 1 else None
    if placed is not None:
        tables.append(placed)
        taken = set(map(id, inside))
        rest[:] = [word for word in rest if id(word) not in taken]


def _between(word: Word, zone: Sequence[Rule]) -> bool:
    x, y = word.middle
    return zone[0].top - 2 <= y <= zone[-1].bottom + 2 and zone[0].x0 - 6 <= x <= zone[0].x1 + 6


def whole_lines(rules: Sequence[Rule]) -> list[Rule]:
    """Horizontal rules, those drawn piece by piece (one for each cell) put together, top to bottom."""
    whole: list[Rule] = []
    for rule in sorted(
        (rule for rule in rules if rule.horizontal), key=lambda rule: (round(rule.top), rule.x0)
    ):
        last = whole[-1] if whole else None
        if last is not None and abs(last.top - rule.top) < 1.5 and rule.x0 <= last.x1 + 2.5:
            whole[-1] = Rule(last.x0, last.top, max(last.x1, rule.x1), last.bottom)
        else:
            whole.append(rule)
    return whole


def rule_zones(lines: Sequence[Rule], words: Sequence[Word]) -> list[list[Rule]]:
    """Groups of wide rules of one extent with a table between them: its top, header and bottom line."""
    groups: list[list[Rule]] = []
    for rule in (rule for rule in lines if rule.x1 - rule.x0 > WIDE_RULE):
        for group in groups:
            if abs(group[0].x0 - rule.x0) < 8 and abs(group[0].x1 - rule.x1) < 8:
                group.append(rule)
                break
        else:
            groups.append([rule])
    zones = [zone for group in groups for zone in _parted(group, words)]
    return [zone for zone in zones if zone[-1].top - zone[0].top > 15]


def _parted(group: Sequence[Rule], words: Sequence[Word]) -> Iterator[list[Rule]]:
    """The rules of each table: prose between two rules parts one table from the next."""
    zone = [group[0]]
    for above, below in pairwise(group):
        rows = rows_of([word for word in words if _between(word, (above, below))], TABLE_GAP)
        prose = [row for row in rows if len(row.words) > 5 * len(row.runs)]
        if len(prose) > 0.4 * len(rows):
            yield zone
            zone = []
        zone.append(below)
    yield zone


def _stretches(rows: Sequence[Row]) -> list[list[Row]]:
    """Stretches of rows that stand close together in columns, the lines of wrapped cells among them."""
    stretches: list[list[Row]] = []
    above: Row | None = None
    for row in rows:
        current = stretches[-1] if stretches and above is not None and stretches[-1][-1] is above else None
        near = current is not None and above is not None and row.top - above.bottom < 1.6 * row.size
        row = _aligned(row, current) if near and current else row
        if near and current and (_tabular(row) or _wraps(current, row)):
            current.append(row)
        elif _tabular(row):
            stretches.append([row])
        above = row
    return [trimmed for stretch in stretches if _is_table(trimmed := _trimmed(stretch))]


def _tabular(row: Row) -> bool:
    """Several runs, the first of which is no list mark or heading number."""
    if len(row.runs) < 2 or CAPTION.match(row.runs[0].text):
        return False
    return len(row.runs) > 2 or not MARK.fullmatch(row.runs[0].text)


def _aligned(row: Row, stretch: Sequence[Row]) -> Row:
    """The row, parted also at a narrow gap where the second column of a list of labels begins."""
    starts = [other.runs[1].x0 for other in stretch if len(other.runs) == 2]
    if len(row.runs) != 1 or len(starts) < 3 or max(starts) - min(starts) > 3:
        return row
    words = row.runs[0].words
    cut = next((i for i, word in enumerate(words) if i and abs(word.x0 - starts[0]) < 2), None)
    if cut is None or abs(words[0].x0 - stretch[0].runs[0].x0) > 4 or cut > 5:
        return row
    return Row((TextRun(words[:cut]), TextRun(words[cut:])), row.words)


def _wraps(stretch: Sequence[Row], row: Row) -> bool:
    """Whether a row of one run goes on within a cell of the stretch: it begins where a column begins."""
    if len(row.runs) != 1:
        return False
    run = row.runs[0]
    starts = [other.x0 for above in stretch for other in above.runs[1:]]
    if any(abs(run.x0 - start) < 4 for start in starts):
        return True
    label = abs(run.x0 - stretch[0].runs[0].x0) < 4 and run.x1 < min(starts) and _is_label_list(stretch)
    return label and not run.bold


def _is_label_list(stretch: Sequence[Row]) -> bool:
    labels = [row.runs[0].text for row in stretch if len(row.runs) == 2]
    return len(labels) > 1 and sum(label.endswith(":") for label in labels) > 0.5 * len(labels)


def _trimmed(stretch: list[Row]) -> list[Row]:
    """The stretch without rows of one run in its first column at the end: what follows a table."""
    rows = list(stretch)
    while len(rows) > 1 and len(rows[-1].runs) == 1 and abs(rows[-1].runs[0].x0 - rows[0].runs[0].x0) < 4:
        rows.pop()
    return rows


def _is_table(rows: Sequence[Row]) -> bool:
    """Enough evidence that rows are a table and not prose with wide blanks."""
    tabular = [row for row in rows if len(row.runs) > 1]
    columns = columns_of(rows)
    if len(columns) < 2 or len(tabular) < 2:
        return False
    if len(columns) == 2:
        same_start = len({round(row.runs[1].x0 / 4) for row in tabular}) <= 1 + len(tabular) // 4
        short = all(len(row.runs[0].text) <= 45 for row in tabular)
        return short and (same_start or _numbers(tabular) > 0.5)
    return len(tabular) >= 3 or _numbers(tabular) > 0.4


def _numbers(rows: Sequence[Row]) -> float:
    runs = [run for row in rows for run in row.runs[1:]]
    return sum(is_number(run.text) for run in runs) / max(len(runs), 1)
