"""Tables drawn with lines: the grid is where horizontal and vertical rules cross."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import TypeAlias

from retrieval.groups import grouped
from retrieval.parse.blocks import Table
from retrieval.parse.layout.cells import is_number
from retrieval.parse.layout.geometry import Placed, Rule, Word, cluster, lines_of_words, rows_of
from retrieval.parse.layout.text import joined
from retrieval.parse.spans import flatten, header_depth

Box: TypeAlias = tuple[float, float, float, float]
Place: TypeAlias = tuple[int, int]

SNAP = 3.0
"""Rules within so many points are one."""
TOUCH = 4.5
"""Rules nearer than this touch: double lines leave a gap between them."""


def ruled_tables(words: Sequence[Word], rules: Sequence[Rule]) -> tuple[list[Placed], list[Word]]:
    """Tables of at least two columns and rows, and the words outside of them."""
    tables = []
    rest = list(words)
    for grid in grids(rules):
        inside = [word for word in rest if grid.holds(word)]
        placed = grid.table(inside) if inside else None
        if placed is not None:
            taken = set(map(id, inside))
            rest = [word for word in rest if id(word) not in taken]
            tables.append(placed)
    return tables, rest


@dataclass(frozen=True)
class Grid:
    """Positions of the column and row borders, and the rules between the cells."""

    xs: list[float]
    ys: list[float]
    across: list[Rule]
    down: list[Rule]

    @property
    def box(self) -> Box:
        """Left, top, right and bottom border."""
        return self.xs[0], self.ys[0], self.xs[-1], self.ys[-1]

    def holds(self, word: Word) -> bool:
        """Whether a word stands within the grid."""
        x, y = word.middle
        return self.xs[0] - 1 <= x <= self.xs[-1] + 1 and self.ys[0] - 1 <= y <= self.ys[-1] + 1

    def table(self, words: Sequence[Word]) -> Placed | None:
        """The table with these words in its cells; None where there is none."""
        numbers = self._cells()
        contents: dict[int, list[Word]] = {}
        for word in words:
            contents.setdefault(self._cell_of(word, numbers), []).append(word)
        filled = [row for row in numbers if any(number in contents for number in row)]
        used = {number for row in filled for number in row}
        if len(filled) < 2 or all(len(set(row)) == 1 for row in filled) or len(contents) < 0.25 * len(used):
            return None
        if _is_drawing(numbers, contents) or _is_crowded(contents):
            return None
        depth = header_depth(filled)
        if _is_label_list(filled, contents):
            depth = 0
        texts = [[_text(contents.get(number, ())) for number in row] for row in filled[:depth]]
        for row in filled[depth:]:
            texts += _body_rows(row, contents)
        table = self._narrowed(flatten(texts, depth))
        return Placed((table,), *self.box) if len(table.header) > 1 else None

    def _narrowed(self, table: Table) -> Table:
        """The table without columns that are empty, or repeat the one to the left (a border drawn twice)."""
        columns = list(zip(table.header, *table.rows, strict=True))
        kept = [j for j, column in enumerate(columns) if any(column) and not (j and column == columns[j - 1])]
        rows = [tuple(row[j] for j in kept) for row in (table.header, *table.rows)]
        return Table(rows[0], tuple(rows[1:]), tuple(round(self.xs[j], 1) for j in kept))

    def _cell_of(self, word: Word, numbers: list[list[int]]) -> int:
        x, y = word.middle
        row = min(max(bisect_right(self.ys, y) - 1, 0), len(numbers) - 1)
        column = min(max(bisect_right(self.xs, x) - 1, 0), len(numbers[0]) - 1)
        return numbers[row][column]

    def _cells(self) -> list[list[int]]:
        """Number of the cell at each place of the grid; places without a rule between them are one cell."""
        rows, columns = range(len(self.ys) - 1), range(len(self.xs) - 1)
        groups = grouped(product(rows, columns), self._open_borders())
        numbers = {place: number for number, group in enumerate(groups) for place in group}
        return [[numbers[i, j] for j in columns] for i in rows]

    def _open_borders(self) -> Iterator[tuple[Place, Place]]:
        """Places side by side or above each other without a rule between them."""
        for i, (top, bottom) in enumerate(pairwise(self.ys)):
            for j, (left, right) in enumerate(pairwise(self.xs)):
                if j and not _crossed(self.down, left, (top + bottom) / 2):
                    yield (i, j), (i, j - 1)
                if i and not _crossed(self.across, top, (left + right) / 2):
                    yield (i, j), (i - 1, j)


def _is_drawing(numbers: Sequence[Sequence[int]], contents: dict[int, list[Word]]) -> bool:
    """Boxes of a diagram: text stands also between them, in a space that is no rectangle."""
    places: dict[int, list[tuple[int, int]]] = {}
    for i, row in enumerate(numbers):
        for j, number in enumerate(row):
            places.setdefault(number, []).append((i, j))
    for number in contents:
        rows, columns = zip(*places[number], strict=True)
        box = (max(rows) - min(rows) + 1) * (max(columns) - min(columns) + 1)
        if len(places[number]) < box and len(contents[number]) > 3:
            return True
    return False


def _is_crowded(contents: dict[int, list[Word]]) -> bool:
    """Whether cells hold several numbers side by side: columns that are not ruled off from each other."""
    crowded = 0
    for words in contents.values():
        rows = rows_of(words, 1.0)
        crowded += any(len(row.runs) > 1 and all(is_number(run.text) for run in row.runs) for row in rows)
    return crowded > 0.2 * len(contents)


def _crossed(rules: Sequence[Rule], at: float, along: float) -> bool:
    """Whether one of the rules lies at the border `at` and passes the place `along`."""
    for rule in rules:
        if rule.horizontal:
            hit = abs((rule.top + rule.bottom) / 2 - at) <= SNAP and rule.x0 - SNAP <= along <= rule.x1 + SNAP
        else:
            hit = abs((rule.x0 + rule.x1) / 2 - at) <= SNAP and rule.top - SNAP <= along <= rule.bottom + SNAP
        if hit:
            return True
    return False


def grids(rules: Sequence[Rule]) -> list[Grid]:
    """The grids of a page, top to bottom: of rules that touch, and of rules drawn cell by cell."""
    made: list[Grid] = []
    rest: list[Rule] = []
    for group in _touching(rules):
        grid = _grid(group)
        if grid is None:
            rest += [rule for rule in group if rule.horizontal]
        else:
            made.append(grid)
    implied = [_grid(group) for group in _touching([*rest, *implied_borders(rest)])]
    return sorted([*made, *filter(None, implied)], key=lambda grid: grid.ys[0])


def _grid(group: Sequence[Rule]) -> Grid | None:
    """The grid of rules that touch; None where there are not at least two columns and rows."""
    across = [rule for rule in group if rule.horizontal]
    down = [rule for rule in group if not rule.horizontal]
    if not across or not down:
        return None
    middles = [(rule.x0 + rule.x1) / 2 for rule in down]
    xs = _borders(middles, [x for rule in across for x in (rule.x0, rule.x1)])
    heights = [(rule.top + rule.bottom) / 2 for rule in across]
    ys = _borders(heights, [y for rule in down for y in (rule.top, rule.bottom)])
    return Grid(xs, ys, across, down) if len(xs) > 2 and len(ys) > 2 else None


def implied_borders(rules: Sequence[Rule]) -> list[Rule]:
    """Vertical borders that are not drawn, but show in horizontal rules drawn cell by cell.

    Where the pieces of two successive rules end at the same place, a border runs between them.
    """
    across = sorted((rule for rule in rules if rule.horizontal), key=lambda rule: rule.top)
    ends = [(x, rule.top) for rule in across for x in (rule.x0, rule.x1)]
    borders = []
    for x in cluster([x for x, _ in ends], SNAP):
        stops = {round(top) for end, top in ends if abs(end - x) <= SNAP}
        passing = {round(rule.top) for rule in across if rule.x0 < x - SNAP and x + SNAP < rule.x1}
        heights = sorted(stops | passing)
        for above, below in pairwise(heights):
            if {above, below} <= stops - passing and below - above > SNAP:
                borders.append(Rule(x, above, x, below))
    return borders


def _borders(lines: Iterable[float], ends: Sequence[float]) -> list[float]:
    """Borders at the lines, and at the outermost ends of the crossing ones where no line closes the grid."""
    borders = cluster(lines, SNAP)
    if min(ends) < borders[0] - 3 * SNAP:
        borders.insert(0, min(ends))
    if max(ends) > borders[-1] + 3 * SNAP:
        borders.append(max(ends))
    return borders


def _touching(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Groups of rules that touch or cross, directly or through others."""
    ordered = sorted(rules, key=lambda rule: rule.top)

    def pairs() -> Iterator[tuple[int, int]]:
        near: list[int] = []
        for i, rule in enumerate(ordered):
            near = [j for j in near if ordered[j].bottom >= rule.top - TOUCH]
            yield from (
                (i, j) for j in near if ordered[j].x0 <= rule.x1 + TOUCH and rule.x0 <= ordered[j].x1 + TOUCH
            )
            near.append(i)

    return [[ordered[i] for i in group] for group in grouped(range(len(ordered)), pairs())]


def _text(words: Iterable[Word]) -> str:
    return joined([" ".join(word.text for word in line) for line in lines_of_words(words)])


def _body_rows(row: Sequence[int], contents: dict[int, list[Word]]) -> list[list[str]]:
    """One row of texts, or several where the lines of its cells stand side by side without rules between."""
    cells = {number: lines_of_words(contents.get(number, ())) for number in set(row)}
    heights = cluster((line[0].middle[1] for lines in cells.values() for line in lines), 3.0)
    filled = [lines for lines in cells.values() if lines]
    even = len(filled) > 1 and sum(map(len, filled)) >= 0.8 * len(heights) * len(filled)
    short = all(len(line) <= 3 for lines in filled for line in lines)
    matched = (
        len(filled) > 2 and len(heights) > 3 and sum(map(len, filled)) > 0.9 * len(heights) * len(filled)
    )
    if len(heights) < 3 or not (matched or (even and short)):
        return [[_text(contents.get(number, ())) for number in row]]
    edges = [*((a + b) / 2 for a, b in pairwise(heights)), float("inf")]
    split: list[list[str]] = []
    for i, low in enumerate(edges):
        high = edges[i - 1] if i else float("-inf")
        split.append(
            [_text(w for w in contents.get(number, ()) if high < w.middle[1] <= low) for number in row]
        )
    return split


def _is_label_list(rows: Sequence[Sequence[int]], contents: dict[int, list[Word]]) -> bool:
    """Two columns, labels beside values, rather than a header above rows: the first column alone is bold."""
    if any(len(set(row)) != 2 for row in rows):
        return False
    labels = [word for row in rows for word in contents.get(row[0], ())]
    values = [word for row in rows for word in contents.get(row[-1], ())]
    first_value = contents.get(rows[0][-1], ())
    if all(_text(contents.get(row[0], ())).endswith(":") for row in rows):
        return True
    bold_labels = bool(labels) and sum(word.bold for word in labels) > 0.8 * len(labels)
    return bold_labels and not any(word.bold for word in first_value) and len(values) > 0
