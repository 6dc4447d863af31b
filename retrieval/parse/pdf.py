"""PDF: the text layer by geometry, tables, headings by font, page numbers; pages without text by OCR."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pdfplumber
import pypdfium2

from retrieval.errors import CorruptDocument, DocumentTooLarge, EncryptedDocument
from retrieval.models import ParsedFile
from retrieval.page_image import PDFIUM, page_bitmap
from retrieval.parse.flow import Line, Word, blocks, columns_of, lines_of
from retrieval.parse.limits import Limits
from retrieval.parse.ocr import unread
from retrieval.parse.pages import paged
from retrieval.parse.tables import pipe_table
from retrieval.ports import OcrEngine

SHARE = 0.3
"""Share of the pages that have a line which counts as running."""
EDGE = 3
"""Lines at the top and at the bottom of a page among which running headers and footers are looked for."""
READABLE = 0.6
"""Share of a text layer's characters that must be letters, digits or common marks; a poorer layer is read by
OCR.
"""
LEAST = 15
"""Characters under which a page with a picture counts as scanned."""
SCALE = 200 / 72
PAGE_NUMBER = re.compile(r"^(?:page\s*)?\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?$", re.IGNORECASE)


def parse_pdf(path: Path, ocr: OcrEngine | None, limits: Limits) -> ParsedFile:
    """A PDF file."""
    _openable(path, limits)
    with path.open("rb") as file, pdfplumber.open(file) as pdf:
        pages = [_read(page) for page in pdf.pages]
        metadata = {
            key.lower(): str(pdf.metadata[key]) for key in ("Title", "Author") if pdf.metadata.get(key)
        }
    running = _running(pages)
    body = _body_size(pages)
    texts, warnings = [], []
    for number, page in enumerate(pages, 1):
        if page.scanned:
            text, warning = _by_ocr(path, number, ocr)
            warnings += [warning] if warning else []
        else:
            text = _markdown(page, running if number > 1 else set(), body)
        texts.append(text + "\n\n")
    return paged(texts, metadata, tuple(warnings))


class _Page:
    """What is on a page: words outside of tables, tables with their place, and whether it is a picture of a
    page.
    """

    def __init__(
        self, words: list[Word], tables: list[tuple[float, str]], width: float, height: float, scanned: bool
    ) -> None:
        self.words = words
        self.tables = tables
        self.width = width
        self.height = height
        self.scanned = scanned
        self.lines = [lines_of(column) for column in columns_of(words, width)] if words else []


def _openable(path: Path, limits: Limits) -> None:
    """Raises the error of a file that cannot be opened, or has too many pages."""
    with PDFIUM:
        try:
            document = pypdfium2.PdfDocument(path)
        except pypdfium2.PdfiumError as error:
            if "password" in str(error).lower():
                raise EncryptedDocument("The PDF needs a password. Save it without one.") from error
            raise CorruptDocument("The PDF is damaged, or is none. Export or scan it again.") from error
        count = len(document)
        document.close()
    if count > limits.pages:
        raise DocumentTooLarge(f"The PDF has {count} pages, over the limit of {limits.pages}. Split it.")


def _read(page: Any) -> _Page:
    """Words and ruled tables of a page."""
    found = page.extract_words(extra_attrs=["fontname", "size", "upright"])
    words = [_word(w) for w in found if w["upright"]] or [_word(w) for w in found]
    tables = []
    for table in page.find_tables():
        rows = [[text or "" for text in row] for row in table.extract()]
        if len(rows) > 1 and max(map(len, rows)) > 1 and (text := pipe_table(rows)):
            words = [word for word in words if not _inside(word, table.bbox)]
            tables.append((float(table.bbox[1]), text))
    text = "".join(w["text"] for w in found)
    scanned = (len(text) < LEAST and bool(page.images)) or _garbage(text)
    made = _Page(words, tables, float(page.width), float(page.height), scanned)
    page.close()
    return made


def _word(found: dict[str, Any]) -> Word:
    """A word of pdfplumber's."""
    bold = "bold" in found["fontname"].lower()
    box = (found["x0"], found["x1"], found["top"], found["bottom"])
    return Word(found["text"], *box, round(found["size"], 1), bold)


def _inside(word: Word, box: tuple[float, float, float, float]) -> bool:
    """Whether the middle of a word lies in a box."""
    x0, top, x1, bottom = box
    across, down = (word.x0 + word.x1) / 2, (word.top + word.bottom) / 2
    return x0 - 1 <= across <= x1 + 1 and top - 1 <= down <= bottom + 1


def _garbage(text: str) -> bool:
    """Whether a text layer cannot be read: wrong encodings, or marks of a poor OCR."""
    good = len(re.findall(r"[\w.,;:()%/+\-±≤≥<>=µ°\"']", text))
    return len(text) >= LEAST and (good < READABLE * len(text) or text.count("(cid:") * 20 > len(text))


def _running(pages: Sequence[_Page]) -> set[str]:
    """Header and footer lines: what stands at the edge of many pages, numbers aside."""
    seen: Counter[str] = Counter()
    for page in pages:
        seen.update({_shape(line) for column in page.lines for line in _edges(column)})
    return {shape for shape, count in seen.items() if count >= max(2, SHARE * len(pages))}


def _edges(lines: Sequence[Line]) -> list[Line]:
    """The first and the last lines of a column."""
    return [*lines[:EDGE], *lines[EDGE:][-EDGE:]]


def _without_running(lines: Sequence[Line], running: set[str]) -> list[Line]:
    """The lines without running ones and page numbers at the edges."""
    edges = {id(line) for line in _edges(lines) if _shape(line) in running or PAGE_NUMBER.match(line.text)}
    return [line for line in lines if id(line) not in edges]


def _shape(line: Line) -> str:
    """A line without its numbers."""
    return re.sub(r"\d+", "#", line.text)


def _body_size(pages: Sequence[_Page]) -> float:
    """Font size of most of the text."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for word in page.words:
            sizes[word.size] += len(word.text)
    return sizes.most_common(1)[0][0] if sizes else 10.0


def _markdown(page: _Page, running: set[str], body: float) -> str:
    """A page in reading order: by column, tables where they stand."""
    parts: list[tuple[int, float, str]] = [(0, top, text) for top, text in page.tables]
    for number, column in enumerate(page.lines):
        parts += [(number, top, text) for top, text in blocks(_without_running(column, running), body)]
    return "\n\n".join(text for _, _, text in sorted(parts, key=lambda part: part[:2]) if text)


def _by_ocr(path: Path, number: int, ocr: OcrEngine | None) -> tuple[str, str]:
    """(text, warning) of a page that is a picture."""
    text = ocr.read(page_bitmap(path, number, SCALE)) if ocr else ""
    return text, "" if text.strip() else unread(number, ocr)
