"""PDF: the text layer with headings, paragraphs and tables in reading order; scanned pages through OCR."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

from retrieval.errors import CorruptDocument
from retrieval.parse.blocks import Block, Markdown, render
from retrieval.parse.layout.flow import across_pages, flow
from retrieval.parse.layout.geometry import Leaf
from retrieval.parse.limits import Limits, check
from retrieval.parse.pdf_rules import page_rules, picture_share
from retrieval.parse.pdf_text import Frame, frame_of, page_words
from retrieval.parse.pdfium import LOCK, POINTS_PER_INCH, opened
from retrieval.parse.scans import Scans
from retrieval.ports import OcrEngine
from retrieval.values import ParsedFile

OCR_DPI = 300
LARGEST_PIXELS = 40_000_000
LEADERS = re.compile(r"(?:[._…] ?){4,}")
WORD = re.compile(r"[^\W\d_]{2,}|\d+(?:[.,]\d+)*")


def parse_pdf(path: Path, ocr: OcrEngine | None, limits: Limits) -> ParsedFile:
    """Canonical text of a PDF with its page map and document properties.

    A page without a usable text layer is read by `ocr`; without one it is named in the warnings.
    """
    with opened(path) as document:
        with LOCK:
            count = len(document)
            metadata = _properties(document)
            bookmarks = _bookmarks(document)
        check(count, limits.pages, path.name, "pages")
        reader = _PdfReader(document, Scans(ocr), bookmarks)
        leaves: list[Leaf] = []
        for number in range(1, count + 1):
            limits.paged(number, count)
            leaves.append(reader.leaf(number))
    pages = flow(leaves)
    blocks = [
        (leaf.number, reader.read.get(leaf.number, page)) for leaf, page in zip(leaves, pages, strict=True)
    ]
    text, page_map = render(across_pages(blocks))
    if not text and not reader.scans.warnings:
        raise CorruptDocument(f"{path.name} has only blank pages. Get a fresh copy.")
    return ParsedFile(text, page_map, metadata, reader.scans.warnings)


@dataclass
class _PdfReader:
    """Reads one page after the other and collects what OCR gave."""

    document: Any
    scans: Scans
    bookmarks: dict[int, list[tuple[int, str]]]
    read: dict[int, Sequence[Block]] = field(default_factory=dict)

    def leaf(self, number: int) -> Leaf:
        """Words and rules of a page; empty for a scan, whose text goes to `read`."""
        with LOCK:
            page = self.document[number - 1]
            textpage = page.get_textpage()
            try:
                leaf, image = self._read(page, textpage, number)
            finally:
                textpage.close()
                page.close()
        if image is not None and (text := self.scans.read(image, number)):
            self.read[number] = (Markdown(text),)
        return leaf

    def _read(self, page: Any, textpage: Any, number: int) -> tuple[Leaf, bytes | None]:
        frame = frame_of(page)
        words, upright = page_words(textpage, frame)
        outline = tuple(self.bookmarks.get(number, ()))
        text = " ".join(word.text for word in words)
        if _is_scan(text, page, frame):
            return Leaf(number, frame.width, frame.height), _page_image(page) if _has_ink(page) else None
        rules = page_rules(page, upright)
        return Leaf(number, upright.width, upright.height, tuple(words), tuple(rules), outline), None


def _is_scan(text: str, page: Any, frame: Frame) -> bool:
    """No text, hardly any beside a picture of the whole page, or text whose characters mean nothing."""
    if len(text.strip()) < 8 or _is_garbage(text):
        return True
    return len(text) < 200 and picture_share(page, frame) > 0.6


def _is_garbage(text: str) -> bool:
    """A text layer without words: characters without meaning, or not a word in many characters.

    Dot leaders do not count.
    """
    text = LEADERS.sub("", text)
    meaningless = sum(char == "\ufffd" or "\ue000" <= char <= "\uf8ff" for char in text)
    readable = sum(len(word) for word in WORD.findall(text))
    return meaningless > 0.3 * len(text) or (len(text) > 40 and readable < 0.3 * len(text.replace(" ", "")))


def _has_ink(page: Any) -> bool:
    """Whether a page is not blank, seen in a small picture of it."""
    with page.render(scale=0.5, grayscale=True).to_pil() as image:
        darkest, lightest = image.getextrema()
    return bool(lightest - darkest > 24)


def _page_image(page: Any) -> bytes:
    """The page as PNG, 300 dots per inch or less on very large pages."""
    width, height = page.get_size()
    scale = min(OCR_DPI / POINTS_PER_INCH, (LARGEST_PIXELS / max(width * height, 1)) ** 0.5)
    buffer = BytesIO()
    with page.render(scale=scale, grayscale=True).to_pil() as image:
        image.save(buffer, "PNG", dpi=(round(scale * POINTS_PER_INCH),) * 2)
    return buffer.getvalue()


def _properties(document: Any) -> dict[str, object]:
    """Title, author, subject, keywords and creation date, those that are filled in."""
    found = document.get_metadata_dict(skip_empty=True)
    named = {
        name.lower(): found[name].strip()
        for name in ("Title", "Author", "Subject", "Keywords")
        if name in found
    }
    if created := re.match(r"D:(\d{4})(\d\d)?(\d\d)?", found.get("CreationDate", "")):
        named["created"] = "-".join(filter(None, created.groups()))
    return {name: value for name, value in named.items() if value}


def _bookmarks(document: Any) -> dict[int, list[tuple[int, str]]]:
    """Bookmarks as (depth from 1, title) for each page number that they point to."""
    found: dict[int, list[tuple[int, str]]] = {}
    for bookmark in document.get_toc(max_depth=6):
        target = bookmark.get_dest()
        index = target.get_index() if target else None
        if index is not None:
            found.setdefault(index + 1, []).append((bookmark.level + 1, bookmark.get_title()))
    return found
