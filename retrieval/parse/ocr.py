"""Reading scanned pages with the `tesseract` program, its words laid out as those of a PDF are.

A vision model is another engine (olmOCR: a page image in, its Markdown out, asked with `vision_prompt.md`);
it lives with the other model endpoints and needs only `name` and `read`.
"""

import csv
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO, StringIO
from statistics import median

from PIL import Image

from retrieval.errors import CorruptDocument
from retrieval.parse.blocks import render
from retrieval.parse.image_rules import image_rules
from retrieval.parse.layout.flow import flow
from retrieval.parse.layout.geometry import Leaf, Word
from retrieval.parse.pdfium import POINTS_PER_INCH

USUAL_DPI = 300
LEAST_CONFIDENCE = 20.0
DOUBTFUL = 65.0
"""Mean confidence (0 to 100) under which a page may lie on its side."""
HEADING_HEIGHT = 1.35
"""Line height over the page's median from which a line counts as larger print; below, heights are noise."""


@dataclass(frozen=True, slots=True)
class Found:
    """A word that tesseract found: box in pixels (left, top, width, height) and confidence, 0 to 100."""

    text: str
    left: int
    top: int
    width: int
    height: int
    line_height: int
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
        found = self._words(image, dpi)
        if _confidence(found) < DOUBTFUL and (turn := self._turn(image, dpi)):
            image = image.rotate(-turn, expand=True)
            found = self._words(image, dpi)
        pages = flow([_leaf(found, image, dpi)])
        return render(block for page in pages for block in page)[0].strip()

    def _words(self, image: Image.Image, dpi: int) -> list[Found]:
        table = self._run(image, dpi, "-l", self.languages, "--psm", "3", "tsv")
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
    line_height = 0
    for row in csv.DictReader(StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        if row["level"] == "4":
            line_height = int(row["height"])
        text = (row.get("text") or "").strip()
        if row["level"] == "5" and text and float(row["conf"]) >= LEAST_CONFIDENCE:
            left, top, width, height = (int(row[name]) for name in ("left", "top", "width", "height"))
            found.append(Found(text, left, top, width, height, line_height, float(row["conf"])))
    return found


def _confidence(words: Sequence[Found]) -> float:
    """Mean confidence over the characters; 0 for no words."""
    characters = sum(len(word.text) for word in words)
    return sum(word.confidence * len(word.text) for word in words) / max(characters, 1)


def _leaf(found: Sequence[Found], image: Image.Image, dpi: int) -> Leaf:
    """The page as the layout reads it: boxes in points, one font size but for clearly larger lines."""
    scale = POINTS_PER_INCH / dpi
    usual = median(word.line_height for word in found) if found else 1
    words = []
    for word in found:
        if not re.search(r"\w|[<>=±+%*-]", word.text):
            continue
        larger = word.line_height > HEADING_HEIGHT * usual and word.line_height < 6 * usual
        size = 0.8 * scale * (round(word.line_height / usual * 4) / 4 * usual if larger else usual)
        left, top = word.left * scale, word.top * scale
        right, bottom = left + word.width * scale, top + word.height * scale
        words.append(Word(word.text, left, top, right, bottom, size))
    rules = image_rules(image, dpi)
    return Leaf(1, image.width * scale, image.height * scale, tuple(words), tuple(rules))
