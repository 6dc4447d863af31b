"""OCR by the `tesseract` program, where it is installed."""

import csv
import io
import shutil
import subprocess
from itertools import groupby

from retrieval.errors import DocumentError
from retrieval.parse.flow import Line, Word, blocks, lines_of
from retrieval.ports import OcrEngine

SECONDS = 120
NEAR = 0.35
"""Share by which a line's height may differ from the usual one and still be body text: heights vary with
letters.
"""
CONFIDENCE = 30
"""Per cent under which a word is a speck."""


def unread(number: int, ocr: OcrEngine | None) -> str:
    """What the report says of a scanned page without text."""
    if ocr is None:
        return f"Page {number} is a scan and was not read. Install tesseract and ingest again."
    return f"Page {number} is a scan in which {ocr.name} found no text."


class Tesseract:
    """An `OcrEngine`: words with their boxes from tesseract, laid out like those of a text layer."""

    name = "tesseract"

    def __init__(self, program: str, seconds: float = SECONDS) -> None:
        self._program = program
        self._seconds = seconds

    @classmethod
    def find(cls) -> "Tesseract | None":
        """The engine, if the program is installed."""
        program = shutil.which("tesseract")
        return cls(program) if program else None

    def read(self, image_png: bytes) -> str:
        """Markdown of a page. Raises `DocumentError` if tesseract fails or takes too long."""
        command = [self._program, "stdin", "stdout", "--dpi", "200", "tsv"]
        try:
            done = subprocess.run(
                command, input=image_png, capture_output=True, timeout=self._seconds, check=True
            )
        except subprocess.TimeoutExpired as error:
            raise DocumentError(f"tesseract took over {self._seconds:.0f} s for one page.") from error
        except (OSError, subprocess.CalledProcessError) as error:
            raise DocumentError("tesseract failed on a page. Check its installation.") from error
        lines = _lines(done.stdout.decode("utf-8", "replace"))
        body = sorted(line.size for line in lines)[len(lines) // 2] if lines else 0.0
        return "\n\n".join(text for _, text in blocks(lines, body * 1.15) if text)


def _lines(tsv: str) -> list[Line]:
    """Lines of the page from tesseract's table of words."""
    rows = csv.DictReader(io.StringIO(tsv), delimiter="\t", quoting=csv.QUOTE_NONE)
    kept = [row for row in rows if row["text"] and row["text"].strip() and float(row["conf"]) >= CONFIDENCE]
    heights = sorted(int(row["height"]) for row in kept)
    usual = float(heights[len(heights) // 2]) if heights else 0.0
    words: list[Word] = []
    for _, group in groupby(kept, key=lambda row: (row["block_num"], row["par_num"], row["line_num"])):
        line = list(group)
        bottom = float(max(int(row["top"]) + int(row["height"]) for row in line))
        middle = float(sorted(int(row["height"]) for row in line)[len(line) // 2])
        size = usual if abs(middle - usual) < NEAR * usual else middle
        for row in line:
            left, width = float(row["left"]), float(row["width"])
            if text := row["text"].strip("|_ "):
                words.append(Word(text, left, left + width, bottom - size, bottom, size, False))
    return lines_of(words)
