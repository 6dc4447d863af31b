"""Reading order: columns of prose are read one after the other, what stands across them parts them."""

from collections.abc import Sequence
from statistics import median

from retrieval.parse.layout.geometry import Placed, Run, Word, rows_of

GUTTER_GAP = 0.8
"""Gap between columns in font sizes, at least."""
LEAST_ROWS = 6


def regions(words: Sequence[Word], tables: Sequence[Placed]) -> list[tuple[list[Word], list[Placed]]]:
    """Words and tables of each region in reading order; one region where the page has one column."""
    runs = [run for row in rows_of(words, GUTTER_GAP) for run in row.runs]
    gutter = find_gutter(runs)
    if gutter is None:
        return [(list(words), list(tables))]
    across = [run for run in runs if run.x0 < gutter - 2 and run.x1 > gutter + 2]
    wide = [table for table in tables if table.x0 < gutter - 2 and table.x1 > gutter + 2]
    bands = sorted([(run.top, run.bottom) for run in across] + [(table.top, table.bottom) for table in wide])
    return _banded(words, tables, gutter, _joined_bands(bands))


def find_gutter(runs: Sequence[Run]) -> float | None:
    """The height-long blank between two columns of prose, nearest to the middle; None where there is none."""
    if len(runs) < 2 * LEAST_ROWS:
        return None
    left, right = min(run.x0 for run in runs), max(run.x1 for run in runs)
    starts = sorted(
        {
            round(run.x0)
            for run in runs
            if left + 0.2 * (right - left) < run.x0 < right - 0.15 * (right - left)
        }
    )
    found = [x - 3.0 for x in starts if _is_gutter(x - 3.0, runs)]
    return min(found, key=lambda x: abs(x - (left + right) / 2), default=None)


def _is_gutter(x: float, runs: Sequence[Run]) -> bool:
    """Whether prose stands on both sides of `x`, side by side, and little across it."""
    before = [run for run in runs if run.x1 <= x + 1]
    after = [run for run in runs if run.x0 >= x]
    across = len(runs) - len(before) - len(after)
    if min(len(before), len(after)) < LEAST_ROWS or across > 0.3 * len(runs):
        return False
    beside = min(_bottom(before), _bottom(after)) - max(_top(before), _top(after))
    return beside > 60 and _is_prose(before) and _is_prose(after)


def _is_prose(runs: Sequence[Run]) -> bool:
    """Lines that mostly fill their column with words."""
    width = max(run.x1 for run in runs) - min(run.x0 for run in runs)
    filled = median(run.x1 - run.x0 for run in runs) > 0.55 * width
    return filled and median(len(run.words) for run in runs) >= 4


def _top(runs: Sequence[Run]) -> float:
    return min(run.top for run in runs)


def _bottom(runs: Sequence[Run]) -> float:
    return max(run.bottom for run in runs)


def _joined_bands(bands: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    joined: list[tuple[float, float]] = []
    for top, bottom in bands:
        if joined and top - joined[-1][1] < 12:
            joined[-1] = (joined[-1][0], max(bottom, joined[-1][1]))
        else:
            joined.append((top, bottom))
    return joined


def _banded(
    words: Sequence[Word], tables: Sequence[Placed], gutter: float, bands: Sequence[tuple[float, float]]
) -> list[tuple[list[Word], list[Placed]]]:
    """Regions from top to bottom: between the bands across the page, the left column before the right one."""
    made = []
    top = float("-inf")
    for band_top, band_bottom in [*bands, (float("inf"), float("inf"))]:
        made += [_within(words, tables, top, band_top, gutter, side) for side in (-1, 1)]
        made.append(_within(words, tables, band_top, band_bottom, gutter, 0))
        top = band_bottom
    return [(words, tables) for words, tables in made if words or tables]


def _within(
    words: Sequence[Word], tables: Sequence[Placed], top: float, bottom: float, gutter: float, side: int
) -> tuple[list[Word], list[Placed]]:
    """Words and tables whose middle lies between two heights; on one side of the gutter, or on both (0)."""

    def holds(x: float, y: float) -> bool:
        return top <= y < bottom and (side == 0 or (x - gutter) * side > 0)

    inside = [word for word in words if holds(*word.middle)]
    return inside, [t for t in tables if holds((t.x0 + t.x1) / 2, (t.top + t.bottom) / 2)]
