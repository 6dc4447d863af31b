"""Reading scanned pages with the `tesseract` program, its words laid out as those of a PDF are.

A vision model is another engine (olmOCR: a page image in, its Markdown out, asked with `vision_prompt.md`);
it lives with the other model endpoints and needs only `name` and `read`.
"""

import csv
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO, StringIO
from statistics import median

from PIL import Image

from retrieval.errors import CorruptDocument
from retrieval.parse.blocks import render
from retrieval.parse.image_rules import image_rules
from retrieval.parse.layout.flow import flow
from retrieval.parse.layout.geometry import Leaf, Word
from retrieval.parse.layout.ruled import Box, grids
from retrieval.parse.pdfium import POINTS_PER_INCH

USUAL_DPI = 300
LEAST_CONFIDENCE = 20.0
"""Below it, a single character is taken for a speck; words and numbers are kept."""
AUTOMATIC, ONE_BLOCK = "3", "6"
"""Page segmentation modes: the first finds columns but passes over lone digits, which the second reads."""
DOUBTFUL = 65.0
"""Mean confidence (0 to 100) under which a page may lie on its side."""
HEADING_SIZE = 1.2
"""Font size over the page's median from which a line counts as larger print; below, sizes are noise."""


@dataclass(frozen=True, slots=True)
class Found:
    """A word that tesseract found: box in pixels (left, top, width, height), line, confidence 0 to 100."""

    text: str
    left: int
    top: int
    width: int
    height: int
    line: str
    confidence: float


@dataclass(slots=True)
class Tesseract:
    """The tesseract program (Apache-2.0), started once a page.

    `languages` as tesseract names them, joined with `+`. `timeout` in seconds a page.
    """

    program: str
    languages: str = "eng"
    timeout: float = 120.0
    name: str = "tesseract"

    @classmethod
    def find(cls, languages: str = "eng") -> "Tesseract | None":
        """The installed program; None where there is none."""
        program = shutil.which("tesseract")
        return cls(program, languages) if program else None

    def read(self, image_png: bytes) -> str:
        """Markdown of one page, turned upright if it lies on its side. May raise `CorruptDocument`."""
        with Image.open(BytesIO(image_png)) as opened:
            dpi = round(float(opened.info.get("dpi", (USUAL_DPI,))[0])) or USUAL_DPI
            image = opened.convert("L")
        rules, cleaned = image_rules(image, dpi)
        found = self._words(cleaned, dpi, AUTOMATIC)
        if _confidence(found) < DOUBTFUL and (turn := self._turn(image, dpi)):
            rules, cleaned = image_rules(image.rotate(-turn, expand=True), dpi)
            found = self._words(cleaned, dpi, AUTOMATIC)
        if boxes := [grid.box for grid in grids(rules)]:
            found = _completed(found, self._words(cleaned, dpi, ONE_BLOCK), boxes, dpi)
        scale = POINTS_PER_INCH / dpi
        words = tuple(_laid_out(found, scale))
        pages = flow([Leaf(1, cleaned.width * scale, cleaned.height * scale, words, tuple(rules))])
        return render(block for page in pages for block in page)[0].strip()

    def _words(self, image: Image.Image, dpi: int, mode: str) -> list[Found]:
        table = self._run(image, dpi, "-l", self.languages, "--psm", mode, "tsv")
        if table is None:
            raise CorruptDocument(
                f"tesseract could not read a page with the languages {self.languages!r}."
                " Check with `tesseract --list-langs` that they are installed."
            )
        return list(_parsed(table))

    def _turn(self, image: Image.Image, dpi: int) -> int:
        """Degrees clockwise that make the page upright, as tesseract's orientation detection sees it."""
        report = self._run(image, dpi, "--psm", "0") or ""
        turn = re.search(r"^Rotate: (\d+)", report, re.MULTILINE)
        return int(turn[1]) if turn else 0

    def _run(self, image: Image.Image, dpi: int, *arguments: str) -> str | None:
        """What tesseract prints about an image; None if it fails."""
        buffer = BytesIO()
        image.save(buffer, "PNG", compress_level=1)
        command = [self.program, "stdin", "stdout", "--dpi", str(dpi), *arguments]
        try:
            done = subprocess.run(
                command, input=buffer.getvalue(), capture_output=True, timeout=self.timeout, check=False
            )
        except subprocess.TimeoutExpired as error:
            message = (
                f"tesseract took over {self.timeout:.0f} s for one page. Read it by eye, or raise the limit."
            )
            raise CorruptDocument(message) from error
        except OSError as error:
            raise CorruptDocument(f"tesseract cannot be started ({error}). Install it again.") from error
        return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


def _parsed(table: str) -> list[Found]:
    """Words of tesseract's TSV output."""
    found = []
    for row in csv.DictReader(StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        text = (row.get("text") or "").strip()
        certain = float(row["conf"]) >= LEAST_CONFIDENCE or len(re.findall(r"\w", text)) > 1
        if row["level"] == "5" and text and certain:
            left, top, width, height = (int(row[name]) for name in ("left", "top", "width", "height"))
            line = ".".join(row[name] for name in ("block_num", "par_num", "line_num"))
            found.append(Found(text, left, top, width, height, line, float(row["conf"])))
    return found


def _confidence(words: Sequence[Found]) -> float:
    """Mean confidence over the characters; 0 for no words."""
    characters = sum(len(word.text) for word in words)
    return sum(word.confidence * len(word.text) for word in words) / max(characters, 1)


def _completed(
    found: Sequence[Found], further: Sequence[Found], boxes: Sequence[Box], dpi: int
) -> list[Found]:
    """The words, with those of a further reading that stand in a table (`boxes`, points) where none was."""
    scale = POINTS_PER_INCH / dpi
    missed = []
    for word in further:
        x, y = (word.left + word.width / 2) * scale, (word.top + word.height / 2) * scale
        inside = any(left < x < right and top < y < bottom for left, top, right, bottom in boxes)
        if inside and not any(_overlap(word, other) for other in found):
            missed.append(word)
    return [*found, *missed]


def _overlap(a: Found, b: Found) -> bool:
    across = min(a.left + a.width, b.left + b.width) - max(a.left, b.left)
    return across > 0 and min(a.top + a.height, b.top + b.height) > max(a.top, b.top)


def _laid_out(found: Sequence[Found], scale: float) -> Iterator[Word]:
    """Words with boxes in points (`scale` points a pixel), of one font size but for clearly larger lines."""
    usual = median(map(_font_size, found)) if found else 1.0
    lines: dict[str, list[float]] = {}
    for word in found:
        lines.setdefault(word.line, []).append(_font_size(word))
    for word in found:
        if re.search(r"\w|[<>=±+%*-]", word.text):
            ratio = median(lines[word.line]) / usual
            size = scale * usual * (round(ratio * 5) / 5 if HEADING_SIZE < ratio < 5 else 1.0)
            left, top = word.left * scale, word.top * scale
            yield Word(word.text, left, top, left + word.width * scale, top + word.height * scale, size)


def _font_size(word: Found) -> float:
    """Font size in pixels, from the height of the word and which of its letters rise and descend."""
    rises = re.search(r"[A-Z0-9bdfhiklt()\[\]/%]", word.text) is not None
    descends = re.search(r"[gjpqy()\[\]/;,Q]", word.text) is not None
    return word.height / (0.52 + 0.2 * rises + 0.21 * descends)
