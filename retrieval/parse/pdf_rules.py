"""Lines and boxes drawn on a PDF page, and how much of it pictures cover."""

import ctypes
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import pypdfium2.raw as raw

from retrieval.parse.layout.geometry import Rule
from retrieval.parse.pdf_text import Frame

Matrix: TypeAlias = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
MOST_OBJECTS = 30_000
MOST_SEGMENTS = 4_000
THIN = 2.6
LEAST_LINES = 4
SHORTEST = 4.0
DEEPEST = 4


def page_rules(page: Any, frame: Frame) -> list[Rule]:
    """Straight horizontal and vertical lines.

    Edges of filled boxes count where hardly any line is drawn, since shading does not keep to the borders of
    cells. A drawing of very many strokes is a picture and gives none.
    """
    lines: list[Rule] = []
    fills: list[Rule] = []
    for count, (drawn, matrix) in enumerate(
        _objects(page.raw, raw.FPDFPage_CountObjects, raw.FPDFPage_GetObject)
    ):
        if count > MOST_OBJECTS:
            return []
        if raw.FPDFPageObj_GetType(drawn) == raw.FPDF_PAGEOBJ_PATH:
            stroked, filled = _painted(drawn)
            if stroked or filled:
                made = list(_path_rules(drawn, matrix, frame))
                (lines if stroked or len(made) == 1 else fills).extend(made)
    return lines if len(lines) >= LEAST_LINES else [*lines, *fills]


def picture_share(page: Any, frame: Frame) -> float:
    """Share of the page that its largest picture covers, 0 to 1."""
    largest = 0.0
    for drawn, matrix in _objects(page.raw, raw.FPDFPage_CountObjects, raw.FPDFPage_GetObject):
        if raw.FPDFPageObj_GetType(drawn) == raw.FPDF_PAGEOBJ_IMAGE:
            a, b, c, d, _, _ = _times(_matrix(drawn), matrix)
            largest = max(largest, abs(a * d - b * c))
    return min(largest / max(frame.width * frame.height, 1.0), 1.0)


def _objects(
    parent: Any, count: Any, get: Any, matrix: Matrix = IDENTITY, depth: int = 0
) -> Iterator[tuple[Any, Matrix]]:
    """Drawn objects, those within forms included, each with the matrix of the forms around it."""
    for i in range(count(parent)):
        drawn = get(parent, i)
        if raw.FPDFPageObj_GetType(drawn) != raw.FPDF_PAGEOBJ_FORM:
            yield drawn, matrix
        elif depth < DEEPEST:
            inner = _times(_matrix(drawn), matrix)
            yield from _objects(
                drawn, raw.FPDFFormObj_CountObjects, raw.FPDFFormObj_GetObject, inner, depth + 1
            )


def _matrix(drawn: Any) -> Matrix:
    found = raw.FS_MATRIX()
    if not raw.FPDFPageObj_GetMatrix(drawn, found):
        return IDENTITY
    return found.a, found.b, found.c, found.d, found.e, found.f


def _times(first: Matrix, second: Matrix) -> Matrix:
    """The matrix that applies `first`, then `second`."""
    a, b, c, d, e, f = first
    m, n, o, p, q, r = second
    return a * m + b * o, a * n + b * p, c * m + d * o, c * n + d * p, e * m + f * o + q, e * n + f * p + r


def _painted(drawn: Any) -> tuple[bool, bool]:
    """Whether a path is stroked, and whether it is filled with anything but white."""
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    if not raw.FPDFPath_GetDrawMode(drawn, fill, stroke):
        return False, False
    r, g, b, alpha = (ctypes.c_uint() for _ in range(4))
    raw.FPDFPageObj_GetFillColor(drawn, r, g, b, alpha)
    coloured = alpha.value > 0 and min(r.value, g.value, b.value) < 250
    return bool(stroke.value), bool(fill.value) and coloured


def _path_rules(drawn: Any, matrix: Matrix, frame: Frame) -> Iterator[Rule]:
    segments = raw.FPDFPath_CountSegments(drawn)
    if not 2 <= segments <= MOST_SEGMENTS:
        return
    points = _points(drawn, segments, _times(_matrix(drawn), matrix), frame)
    if segments <= 6:
        xs, ys = [x for x, _, _ in points], [y for _, y, _ in points]
        if min(max(xs) - min(xs), max(ys) - min(ys)) < THIN:
            yield from _rule(min(xs), min(ys), max(xs), max(ys))
            return
    for (x0, y0, _), (x1, y1, moves) in pairwise(_closed(points)):
        if not moves and (abs(x1 - x0) < 0.8 or abs(y1 - y0) < 0.8):
            yield from _rule(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def _points(drawn: Any, segments: int, matrix: Matrix, frame: Frame) -> list[tuple[float, float, bool]]:
    """Points of a path as shown; the flag is set where the pen moves without drawing."""
    a, b, c, d, e, f = matrix
    x, y = ctypes.c_float(), ctypes.c_float()
    points = []
    for i in range(segments):
        segment = raw.FPDFPath_GetPathSegment(drawn, i)
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        shown = frame.point(a * x.value + c * y.value + e, b * x.value + d * y.value + f)
        points.append((*shown, raw.FPDFPathSegment_GetType(segment) == raw.FPDF_SEGMENT_MOVETO))
    return points


def _closed(points: Sequence[tuple[float, float, bool]]) -> list[tuple[float, float, bool]]:
    """The points with each figure led back to its start."""
    made: list[tuple[float, float, bool]] = []
    start: tuple[float, float, bool] | None = None
    for point in points:
        if point[2]:
            if start is not None:
                made.append((start[0], start[1], False))
            start = point
        made.append(point)
    if start is not None and len(points) > 3:
        made.append((start[0], start[1], False))
    return made


def _rule(x0: float, top: float, x1: float, bottom: float) -> Iterator[Rule]:
    if max(x1 - x0, bottom - top) >= SHORTEST:
        yield Rule(x0, top, x1, bottom)
