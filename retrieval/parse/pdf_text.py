"""Words of a PDF page with their boxes and looks, from the characters of its text layer."""

import ctypes
import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import pypdfium2.raw as raw

from retrieval.parse.layout.geometry import Word
from retrieval.parse.raised import raised

SYMBOL_FONT = dict(
    zip(
        (0xF061 + i for i in range(26)),
        "αβχδεφγηιϕκλμνοπθρστυϖωξψζ",
        strict=True,
    )
) | {0xF0A3: "≤", 0xF0B3: "≥", 0xF0B1: "±", 0xF0B4: "×", 0xF0B0: "°", 0xF0AE: "→", 0xF044: "Δ", 0xF057: "Ω"}
"""Characters of Word's Symbol font, which PDF files keep in the private area of Unicode."""
BREAK = 0.28
"""Gap between the characters of two words, in font sizes."""


@dataclass(frozen=True, slots=True)
class Frame:
    """How page coordinates become points from the top left of the page as it is shown: (a, b, c, d, e, f)."""

    matrix: tuple[float, float, float, float, float, float]
    width: float
    height: float

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A point as shown, y downwards."""
        a, b, c, d, e, f = self.matrix
        return a * x + c * y + e, b * x + d * y + f

    def box(self, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        """A box as shown: left, top, right, bottom."""
        ax, ay = self.point(x0, y0)
        bx, by = self.point(x1, y1)
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)

    def quarter(self, angle: float) -> int:
        """Quarter turns clockwise, as shown, of text written at `angle` (radians) on the page."""
        a, b, c, d, _, _ = self.matrix
        x, y = math.cos(angle), math.sin(angle)
        return round(math.atan2(b * x + d * y, a * x + c * y) / (math.pi / 2)) % 4

    def turned(self, quarters: int) -> "Frame":
        """The frame in which text turned by so many quarters stands upright."""
        frame = self
        for _ in range(quarters):
            a, b, c, d, e, f = frame.matrix
            frame = Frame((b, -a, d, -c, f, frame.width - e), frame.height, frame.width)
        return frame


def frame_of(page: Any) -> Frame:
    """The frame of a page, its rotation and crop box taken into account."""
    width, height = page.get_size()
    scale = 1000

    def device(x: float, y: float) -> tuple[float, float]:
        left, top = ctypes.c_int(), ctypes.c_int()
        raw.FPDF_PageToDevice(page.raw, 0, 0, round(width * scale), round(height * scale), 0, x, y, left, top)
        return left.value / scale, top.value / scale

    e, f = device(0, 0)
    (ax, ay), (cx, cy) = device(1000, 0), device(0, 1000)
    return Frame(((ax - e) / 1000, (ay - f) / 1000, (cx - e) / 1000, (cy - f) / 1000, e, f), width, height)


@dataclass(frozen=True, slots=True)
class Look:
    """Size, weight and direction of a text object."""

    size: float
    bold: bool
    angle: float
    symbol: bool


@dataclass(frozen=True, slots=True)
class Char:
    """One character with its box in page coordinates; " " parts words."""

    text: str
    box: tuple[float, float, float, float]
    look: Look


def page_words(textpage: Any, frame: Frame) -> tuple[list[Word], Frame]:
    """Words of a page in the order of the file, and the frame in which most of them stand upright."""
    chars = list(_chars(textpage))
    turns: dict[int, int] = {}
    for char in chars:
        if char.text != " ":
            quarter = frame.quarter(char.look.angle)
            turns[quarter] = turns.get(quarter, 0) + 1
    main = max(turns, key=lambda turn: turns[turn], default=0)
    frames = {turn: frame.turned(turn) for turn in turns}
    words = []
    for group in _groups(chars, frame, frames):
        turn = frame.quarter(group[0].look.angle)
        if word := _word(group, frames[main], turn != main, frames[turn]):
            words.append(word)
    return words, frames.get(main, frame)


def _chars(textpage: Any) -> Iterator[Char]:
    looks: dict[int, Look] = {}
    handle = textpage.raw
    box = raw.FS_RECTF()
    for i in range(textpage.count_chars()):
        code = raw.FPDFText_GetUnicode(handle, i)
        if code in (0, 9, 10, 13, 32, 0xA0) or (raw.FPDFText_IsGenerated(handle, i) == 1 and code != 2):
            yield Char(" ", (0, 0, 0, 0), BLANK)
            continue
        owner = raw.FPDFText_GetTextObject(handle, i)
        key = ctypes.cast(owner, ctypes.c_void_p).value or 0
        if key not in looks:
            looks[key] = _look(owner, handle, i)
        raw.FPDFText_GetLooseCharBox(handle, i, box)
        yield Char(_character(code, looks[key]), (box.left, box.bottom, box.right, box.top), looks[key])


BLANK = Look(0.0, False, 0.0, False)
TEX_FONT = {16: "“", 17: "”", 21: "–", 22: "—", 27: "ff", 28: "fi", 29: "fl", 30: "ffi", 31: "ffl"}
"""Signs below 32 of fonts in TeX's T1 encoding, which many such files do not name."""


def _character(code: int, look: Look) -> str:
    if code in (2, 0xFFFE):
        return "-"
    if 0xF000 <= code <= 0xF0FF:
        return SYMBOL_FONT.get(code, "•") if look.symbol else "•"
    text = chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
    if 0xFB00 <= code <= 0xFB06:
        return unicodedata.normalize("NFKC", text)
    return text if code >= 32 else TEX_FONT.get(code, "\ufffd")


def _look(owner: Any, handle: Any, i: int) -> Look:
    matrix = raw.FS_MATRIX()
    size = ctypes.c_float()
    if (
        not owner
        or not raw.FPDFPageObj_GetMatrix(owner, matrix)
        or not raw.FPDFTextObj_GetFontSize(owner, size)
    ):
        return Look(raw.FPDFText_GetFontSize(handle, i), False, 0.0, False)
    name = _font_name(handle, i)
    weight = raw.FPDFText_GetFontWeight(handle, i)
    bold = weight >= 600 or bool(re.search(r"bold|black|heavy|semibold|demi", name, re.IGNORECASE))
    scale = math.hypot(matrix.c, matrix.d)
    return Look(abs(size.value) * scale, bold, math.atan2(matrix.b, matrix.a), "symbol" in name.lower())


def _font_name(handle: Any, i: int) -> str:
    buffer = ctypes.create_string_buffer(128)
    length = raw.FPDFText_GetFontInfo(handle, i, buffer, 128, ctypes.c_int())
    return buffer.value.decode("utf-8", "replace") if 0 < length <= 128 else ""


def _groups(chars: Sequence[Char], frame: Frame, frames: dict[int, Frame]) -> Iterator[list[Char]]:
    """Characters that make a word: next to each other, on one line, written in one direction."""
    group: list[Char] = []
    for char in chars:
        if char.text == " ":
            if group:
                yield group
            group = []
            continue
        if group and not _adjoin(group[-1], char, frame, frames):
            yield group
            group = []
        if not (group and _printed_twice(group[-1], char)):
            group.append(char)
    if group:
        yield group


def _adjoin(left: Char, right: Char, frame: Frame, frames: dict[int, Frame]) -> bool:
    if left.look is not right.look and abs(left.look.angle - right.look.angle) > 0.1:
        return False
    upright = frames[frame.quarter(left.look.angle)]
    a, b = upright.box(*left.box), upright.box(*right.box)
    size = max(left.look.size, right.look.size, 1.0)
    same_line = min(a[3], b[3]) - max(a[1], b[1]) > 0.3 * min(a[3] - a[1], b[3] - b[1])
    ligature = left.box == right.box  # PDFium gives each letter of "fi" the box of the whole
    return ligature or (same_line and -0.6 * size < b[0] - a[2] < BREAK * size)


def _printed_twice(a: Char, b: Char) -> bool:
    """A character printed over itself, a little shifted, to look bold. Letters of a ligature share a box."""
    shift = abs(a.box[0] - b.box[0]) + abs(a.box[1] - b.box[1])
    return a.text == b.text and 0 < shift < 0.12 * max(a.look.size, 1.0)


def _word(group: Sequence[Char], main: Frame, turned: bool, upright: Frame) -> Word | None:
    """A word; None where it lies off the page."""
    x0, y0 = min(char.box[0] for char in group), min(char.box[1] for char in group)
    x1, y1 = max(char.box[2] for char in group), max(char.box[3] for char in group)
    left, top, right, bottom = main.box(x0, y0, x1, y1)
    if right < 0 or bottom < 0 or left > main.width or top > main.height:
        return None
    size = max(char.look.size for char in group)
    text = _raised(group, upright, size)
    bold = sum(char.look.bold for char in group) * 2 > len(group)
    return Word(text, left, top, right, bottom, size, bold, turned)


def _raised(group: Sequence[Char], upright: Frame, size: float) -> str:
    """The word's text, what stands small and above its line as superscripts."""
    small = [char.look.size < 0.85 * size for char in group]
    if not any(small) or all(small):
        return "".join(char.text for char in group)
    line = max(upright.box(*char.box)[3] for char, little in zip(group, small, strict=True) if not little)
    high = [
        little and line - upright.box(*char.box)[3] > 0.22 * size
        for char, little in zip(group, small, strict=True)
    ]
    text = ""
    for above, part in groupby(zip(group, high, strict=True), key=lambda pair: pair[1]):
        run = "".join(char.text for char, _ in part)
        text += raised(run, text) if above else run
    return text
