"""Labels in the first column that stand once for a group of rows: each row is given its label."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise


@dataclass(frozen=True, slots=True)
class TableLine:
    """One row of a table's body. `apart`: a blank stands above it; `group` counts the full rules above it."""

    cells: tuple[str, ...]
    apart: bool = False
    group: int = 0

    @property
    def alone(self) -> bool:
        """Whether it holds nothing but its label."""
        return bool(self.cells[0]) and not any(self.cells[1:])


def with_labels(lines: Sequence[TableLine]) -> list[tuple[str, ...]]:
    """The rows with their labels: by the rules between groups, or from the top down."""
    if all(line.cells[0] for line in lines):
        return [line.cells for line in lines]
    if lines[-1].group > lines[0].group:
        groups = [list(group) for _, group in groupby(lines, key=lambda line: line.group)]
        return [row for group in groups for row in _ruled_group(group)]
    if not lines[0].cells[0]:
        return [line.cells for line in lines]
    return _from_top(lines)


def _ruled_group(lines: Sequence[TableLine]) -> list[tuple[str, ...]]:
    """The rows between two rules: their one label, wherever it stands, belongs to all of them."""
    labels = [line.cells[0] for line in lines if line.cells[0]]
    if len(labels) == 1 and (len(lines) > 1 or not lines[0].alone):
        return [(labels[0], *line.cells[1:]) for line in lines if not line.alone]
    return _from_top(lines, lines[0].apart) if lines[0].cells[0] else [line.cells for line in lines]


def _from_top(lines: Sequence[TableLine], spaced: bool = False) -> list[tuple[str, ...]]:
    """Labels in the first rows of their groups, perhaps over several of them; nothing where that is in doubt.

    A group begins at each label; where blanks part the groups, at a label under an empty cell or a blank.
    """
    doubtful = any(line.alone and not above.cells[0] for above, line in pairwise(lines))
    if doubtful:
        return [line.cells for line in lines]
    spaced = spaced or any(line.cells[0] and line.apart for line in lines[1:])
    rows: list[tuple[str, ...]] = []
    group: list[TableLine] = []
    for line in lines:
        under_label = bool(group) and bool(group[-1].cells[0])
        if group and line.cells[0] and (not spaced or not under_label or line.apart):
            rows += _labelled(group)
            group = []
        group.append(line)
    return rows + _labelled(group)


def _labelled(group: Sequence[TableLine]) -> list[tuple[str, ...]]:
    label = " ".join(filter(None, (line.cells[0] for line in group)))
    if len(group) < 2 or any(line.alone for line in group):
        return [line.cells for line in group]
    return [(label, *line.cells[1:]) for line in group]
