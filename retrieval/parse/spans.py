"""Tables whose header has several rows and whose cells span: brought into one header row and plain rows."""

from collections.abc import Sequence

from retrieval.parse.blocks import Table, one_line

LEVELS = " / "
"""Between the levels of a header: `Number of animals / Main / M`."""


def flatten(rows: Sequence[Sequence[str]], header_rows: int) -> Table:
    """A table whose first `header_rows` rows are joined column by column.

    `rows` repeat the text of a spanning cell in each column and row that it spans.
    """
    width = max((len(row) for row in rows), default=0)
    full = [[one_line(cell) for cell in row] + [""] * (width - len(row)) for row in rows]
    header = tuple(_joined([row[column] for row in full[:header_rows]]) for column in range(width))
    return Table(header, tuple(tuple(row) for row in full[header_rows:] if any(row)))


def _joined(levels: Sequence[str]) -> str:
    kept: list[str] = []
    for level in levels:
        if level and (not kept or kept[-1] != level):
            kept.append(level)
    return LEVELS.join(kept)


def header_depth(spans: Sequence[Sequence[int]]) -> int:
    """How many rows the header has, from which cell lies where: `spans[row][column]` is the cell's number.

    The header goes on while a cell spans several columns but not all, or reaches down from a row above.
    """
    depth = 1
    while depth < len(spans) and _open(spans[depth - 1], spans[depth]):
        depth += 1
    return depth if depth < len(spans) else 1


def _open(row: Sequence[int], below: Sequence[int]) -> bool:
    distinct = len(set(row))
    spanning = 1 < distinct < len(row) or (distinct == 1 and len(row) > 1)
    return spanning or any(a == b for a, b in zip(row, below, strict=False))
