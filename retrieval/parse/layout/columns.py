"""Reading order: columns of prose are read one after the other, what stands across them parts them."""

from collections.abc import Iterator, Sequence
from statistics import median
from typing import TypeAlias

from retrieval.parse.layout.geometry import Placed, Rule, TextRun, Word, rows_of

Region: TypeAlias = tuple[list[Word], list[Placed]]
Band: TypeAlias = tuple[float, float]

GUTTER_GAP = 0.8
"""Gap between columns in font sizes, at least."""
LEAST_LINES = 6
LEAST_HEIGHT = 60.0
"""Points of prose side by side that show a page to have columns."""


def regions(
    words: Sequence[Word], tables: Sequence[Placed], zones: Sequence[Sequence[Rule]] = ()
) -> list[Region]:
    """Words and tables of each region in reading order; one region where the page has one column.

    Between what stands across the gutter, the left column comes before the right one; where there is no
    prose on both sides, or a table stands between rules across it (`zones`), nothing is parted.
    """
    runs = [run for row in rows_of(words, GUTTER_GAP) for run in row.runs]
    gutter = find_gutter(runs)
    if gutter is None:
        return [(list(words), list(tables))]
    wide = [(table.top, table.bottom) for table in tables if table.x0 < gutter - 2 < table.x1 - 4]
    wide += [(zone[0].top, zone[-1].bottom) for zone in zones if zone[0].x0 < gutter - 2 < zone[0].x1 - 4]
    made: list[Region] = []
    top = float("-inf")
    for first, last in _columned(runs, gutter, wide):
        made.append(_within(words, tables, (top, first), gutter, 0))
        made += [_within(words, tables, (first, last), gutter, side) for side in (-1, 1)]
        top = last
    made.append(_within(words, tables, (top, float("inf")), gutter, 0))
    return [region for region in made if region[0] or region[1]]


def find_gutter(runs: Sequence[TextRun]) -> float | None:
    """The blank between two columns of prose, nearest to the middle; None where there is none."""
    if len(runs) < 2 * LEAST_LINES:
        return None
    left, right = min(run.x0 for run in runs), max(run.x1 for run in runs)
    width = right - left
    starts = sorted({round(run.x0) for run in runs if left + 0.2 * width < run.x0 < right - 0.15 * width})
    found = [x - 3.0 for x in starts if any(_parts(runs, x - 3.0, band) for band in _gaps(runs, x - 3.0))]
    return min(found, key=lambda x: abs(x - (left + right) / 2), default=None)


def _gaps(runs: Sequence[TextRun], x: float, wide: Sequence[Band] = ()) -> Iterator[Band]:
    """The heights between the runs, and the wide tables, that stand across `x`."""
    across = [(run.top, run.bottom) for run in runs if run.x0 < x - 2 and run.x1 > x + 2]
    bottom = float("-inf")
    for first, last in sorted([*across, *wide, (float("inf"), float("inf"))]):
        if first > bottom:
            yield bottom, first
        bottom = max(bottom, last)


def _columned(runs: Sequence[TextRun], gutter: float, wide: Sequence[Band]) -> list[Band]:
    """The heights in which prose stands on both sides of the gutter."""
    return [band for band in _gaps(runs, gutter, wide) if _parts(runs, gutter, band, least=2, height=0.0)]


def _parts(
    runs: Sequence[TextRun], x: float, band: Band, least: int = LEAST_LINES, height: float = LEAST_HEIGHT
) -> bool:
    """Whether prose stands on both sides of `x`, side by side, between two heights."""
    inside = [run for run in runs if band[0] <= run.top and run.bottom <= band[1]]
    before = [run for run in inside if run.x1 <= x + 1]
    after = [run for run in inside if run.x0 >= x]
    if min(len(before), len(after)) < least:
        return False
    beside = min(max(run.bottom for run in side) for side in (before, after)) - max(
        min(run.top for run in side) for side in (before, after)
    )
    return beside > height and _is_prose(before) and _is_prose(after)


def _is_prose(runs: Sequence[TextRun]) -> bool:
    """Lines that mostly fill their column with words."""
    starts, ends = sorted(run.x0 for run in runs), sorted(run.x1 for run in runs)
    width = ends[int(0.7 * len(ends))] - starts[int(0.3 * len(starts))]
    filled = median(run.x1 - run.x0 for run in runs) > 0.55 * width
    return filled and median(len(run.words) for run in runs) >= 4


def _within(words: Sequence[Word], tables: Sequence[Placed], band: Band, gutter: float, side: int) -> Region:
    """Words and tables whose middle lies between two heights; on one side of the gutter, or on both (0)."""

    def holds(x: float, y: float) -> bool:
        return band[0] <= y < band[1] and (side == 0 or (x - gutter) * side > 0)

    inside = [word for word in words if holds(*word.middle)]
    return inside, [t for t in tables if holds((t.x0 + t.x1) / 2, (t.top + t.bottom) / 2)]
