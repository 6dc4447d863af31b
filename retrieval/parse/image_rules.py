"""Straight lines in the picture of a page: what makes a scanned table a grid."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from retrieval.parse.layout.geometry import Rule

WORKING_DPI = 150
DARK = 140
SHORTEST_ACROSS = 0.5
SHORTEST_DOWN = 0.22
"""Inches, longer than a letter is high."""
MOST_RULES = 2_000


def image_rules(image: Image.Image, dpi: int) -> list[Rule]:
    """Horizontal and vertical lines in points; none for a picture with very many of them."""
    factor = max(round(dpi / WORKING_DPI), 1)
    dark = _shrunk(np.asarray(image.convert("L")) < DARK, factor)
    points = 72 * factor / dpi
    pixels = 72 / points
    across = [
        Rule(start * points, row * points, end * points, (last + 1) * points)
        for row, last, start, end in _lines(dark, int(SHORTEST_ACROSS * pixels))
    ]
    down = [
        Rule(row * points, start * points, (last + 1) * points, end * points)
        for row, last, start, end in _lines(dark.T, int(SHORTEST_DOWN * pixels))
    ]
    rules = [rule for rule in (*across, *down) if min(rule.x1 - rule.x0, rule.bottom - rule.top) < 4]
    return rules if len(rules) <= MOST_RULES else []


def _shrunk(dark: NDArray[np.bool_], factor: int) -> NDArray[np.bool_]:
    """The image with blocks of factor x factor pixels as one, dark where any of them is."""
    height, width = (side // factor * factor for side in dark.shape)
    blocks = dark[:height, :width].reshape(height // factor, factor, width // factor, factor)
    return np.asarray(blocks.any(axis=(1, 3)), dtype=np.bool_)


def _lines(dark: NDArray[np.bool_], shortest: int) -> Iterator[tuple[int, int, int, int]]:
    """(first row, last row, start, end) of runs of dark pixels along rows, adjacent rows taken together."""
    open_lines: list[list[int]] = []
    for row, start, end in _runs(dark, shortest):
        for line in open_lines:
            if line[1] >= row - 2 and start <= line[3] + 2 and line[2] <= end + 2:
                line[1], line[2], line[3] = row, min(line[2], start), max(line[3], end)
                break
        else:
            open_lines.append([row, row, start, end])
        yield from (_closed(line) for line in open_lines if line[1] < row - 2)
        open_lines = [line for line in open_lines if line[1] >= row - 2]
    yield from map(_closed, open_lines)


def _closed(line: list[int]) -> tuple[int, int, int, int]:
    return line[0], line[1], line[2], line[3]


def _runs(dark: NDArray[np.bool_], shortest: int) -> Iterator[tuple[int, int, int]]:
    """(row, start, end) of each run of at least `shortest` dark pixels."""
    padded = np.zeros((dark.shape[0], dark.shape[1] + 2), dtype=np.int8)
    padded[:, 1:-1] = dark
    steps = np.diff(padded, axis=1)
    rows, starts = np.nonzero(steps == 1)
    _, ends = np.nonzero(steps == -1)
    long = ends - starts >= shortest
    yield from zip(rows[long].tolist(), starts[long].tolist(), ends[long].tolist(), strict=True)
