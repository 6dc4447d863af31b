"""Straight lines in the picture of a page: what makes a scanned table a grid, and what OCR stumbles over."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from retrieval.parse.layout.geometry import Rule

WORKING_DPI = 150
DARK = 0.86
"""Share of the paper's brightness under which a pixel may be part of a line; thin ones are scanned grey."""
SHORTEST_ACROSS = 0.5
SHORTEST_DOWN = 0.3
"""Inches, longer than the letters of a title are high."""
THICKEST = 0.06
SKEW = 0.015
"""Slope that a line may have, since pages lie askew in a scanner."""
MOST_RULES = 2_000

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Stripe:
    """A line along rows of pixels, from `first` to `last` row and `start` to `end` column, ends exclusive."""

    first: int
    last: int
    start: int
    end: int

    @property
    def length(self) -> int:
        """Pixels along the rows."""
        return self.end - self.start


def image_rules(image: Image.Image, dpi: int) -> tuple[list[Rule], Image.Image]:
    """The lines of a grey picture, in points, and the picture without them; slightly skewed lines count.

    A picture with very many lines is a drawing and is left as it is.
    """
    pixels = np.asarray(image.convert("L"))
    factor = max(round(dpi / WORKING_DPI), 1)
    inch = dpi / factor
    dark = pixels < DARK * float(np.median(pixels))
    across, drawn_across = _lines(_shrunk(dark, factor), SHORTEST_ACROSS * inch, THICKEST * inch)
    down, drawn_down = _lines(_shrunk(dark.T, factor), SHORTEST_DOWN * inch, THICKEST * inch)
    if not across or len(across) + len(down) > MOST_RULES:
        return [], image
    points = 72 / inch
    rules = [Rule(s.start * points, s.first * points, s.end * points, s.last * points) for s in across]
    rules += [Rule(s.first * points, s.start * points, s.last * points, s.end * points) for s in down]
    return rules, Image.fromarray(_erased(pixels, drawn_across | drawn_down.T, factor))


def _shrunk(dark: Mask, factor: int) -> Mask:
    """The picture with blocks of factor x factor pixels as one: dark where a whole row of the block is.

    Lines along the rows stay whole, and the gaps between letters stay open.
    """
    height, width = (side // factor * factor for side in dark.shape)
    blocks = dark[:height, :width].reshape(height // factor, factor, width // factor, factor)
    whole = np.asarray(np.all(blocks, axis=3), dtype=np.bool_)
    return np.asarray(np.any(whole, axis=1), dtype=np.bool_)


def _thickened(mask: Mask) -> Mask:
    """The mask with the pixels above and below, so that the steps of a skewed line hang together."""
    grown = mask.copy()
    grown[1:] |= mask[:-1]
    grown[:-1] |= mask[1:]
    return grown


def _lines(dark: Mask, shortest: float, thickest: float) -> tuple[list[Stripe], Mask]:
    """Lines along the rows, and their pixels."""
    runs = list(_runs(_thickened(dark), round(shortest)))
    long = np.zeros_like(dark)
    for row, start, end in runs:
        long[row, start:end] = dark[row, start:end]
    stripes = [
        stripe for stripe in _stripes(runs) if stripe.last - stripe.first <= thickest + SKEW * stripe.length
    ]
    drawn = np.zeros_like(dark)
    for stripe in stripes:
        place = np.s_[stripe.first : stripe.last, stripe.start : stripe.end]
        drawn[place] = long[place]
    return stripes, drawn


def _erased(pixels: NDArray[np.uint8], mask: Mask, factor: int) -> NDArray[np.uint8]:
    """The picture with the masked pixels white."""
    whole = mask.repeat(factor, axis=0).repeat(factor, axis=1)
    cleaned = pixels.copy()
    cleaned[: whole.shape[0], : whole.shape[1]][whole] = 255
    return cleaned


def _stripes(runs: Iterable[tuple[int, int, int]]) -> Iterator[Stripe]:
    """Runs of dark pixels along rows, those of adjacent rows taken together."""
    open_lines: list[list[int]] = []
    for row, start, end in runs:
        yield from (Stripe(*line) for line in open_lines if line[1] < row - 2)
        open_lines = [line for line in open_lines if line[1] >= row - 2]
        for line in open_lines:
            if start <= line[3] + 2 and line[2] <= end + 2:
                line[1], line[2], line[3] = row + 1, min(line[2], start), max(line[3], end)
                break
        else:
            open_lines.append([row, row + 1, start, end])
    yield from (Stripe(*line) for line in open_lines)


def _runs(dark: Mask, shortest: int) -> Iterator[tuple[int, int, int]]:
    """(row, start, end) of each run of at least `shortest` dark pixels."""
    padded = np.zeros((dark.shape[0], dark.shape[1] + 2), dtype=np.int8)
    padded[:, 1:-1] = dark
    steps = np.diff(padded, axis=1)
    rows, starts = np.nonzero(steps == 1)
    _, ends = np.nonzero(steps == -1)
    long = ends - starts >= shortest
    yield from zip(rows[long].tolist(), starts[long].tolist(), ends[long].tolist(), strict=True)
