"""Pictures of PDF pages: for OCR, and for showing a passage in its place."""

import io
import re
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import pypdfium2
from PIL import Image, ImageChops, ImageDraw

from retrieval.errors import CorruptDocument

PDFIUM = Lock()
"""PDFium is not safe for several threads."""
MARK = (255, 214, 64)
LONGEST_SIDE = 6_000
"""Pixels; a page that would be larger is rendered smaller."""


def page_bitmap(path: Path, page: int, scale: float) -> bytes:
    """A page (numbered from 1) as PNG. `scale` is pixels per point (1/72 inch)."""
    with PDFIUM, _opened(path) as document:
        return _png(_rendered(_page(document, page), scale))


def page_png(path: Path, page: int, quotes: Sequence[str], scale: float = 2.0) -> bytes:
    """A page as PNG with verbatim quotes highlighted, as far as its text layer has them.

    Raises `CorruptDocument` if there is no such page.
    """
    with PDFIUM, _opened(path) as document:
        found = _page(document, page)
        image = _rendered(found, scale)
        ratio = image.height / found.get_height()
        boxes = [box for quote in quotes for box in _boxes(found, quote)]
        return _png(_highlighted(image, [_pixels(box, found.get_height(), ratio) for box in boxes]))


def _opened(path: Path) -> Any:
    try:
        return pypdfium2.PdfDocument(path)
    except (pypdfium2.PdfiumError, FileNotFoundError) as error:
        raise CorruptDocument("The original of this document cannot be opened any more.") from error


def _page(document: Any, number: int) -> Any:
    if not 1 <= number <= len(document):
        raise CorruptDocument(f"The document has {len(document)} pages, and no page {number}.")
    return document[number - 1]


def _rendered(page: Any, scale: float) -> Image.Image:
    largest = max(page.get_width(), page.get_height())
    image: Image.Image = page.render(scale=min(scale, LONGEST_SIDE / largest)).to_pil().convert("RGB")
    return image


def _boxes(page: Any, quote: str) -> list[tuple[float, float, float, float]]:
    """Boxes (left, bottom, right, top in points) of a quote's lines. White space, hyphens and table bars are
    skipped.
    """
    text_page = page.get_textpage()
    text = text_page.get_text_range()
    kept = [(i, character) for i, character in enumerate(text) if not _skipped(character)]
    place = "".join(c for _, c in kept).find(
        "".join(c for c in re.sub(r"\\\|", "", quote) if not _skipped(c))
    )
    wanted = sum(not _skipped(character) for character in quote)
    if place < 0 or not wanted:
        return []
    first, last = kept[place][0], kept[min(place + wanted, len(kept)) - 1][0]
    count = text_page.count_rects(first, last - first + 1)
    return [text_page.get_rect(index) for index in range(count)]


def _skipped(character: str) -> bool:
    return character.isspace() or character in "-\u00ad\ufffe|\x02\\"


def _pixels(
    box: tuple[float, float, float, float], height: float, ratio: float
) -> tuple[float, float, float, float]:
    """The box in pixels from the top left, a little larger."""
    left, bottom, right, top = box
    return (left * ratio - 2, (height - top) * ratio - 2, right * ratio + 2, (height - bottom) * ratio + 2)


def _highlighted(image: Image.Image, boxes: Sequence[tuple[float, float, float, float]]) -> Image.Image:
    """The image with boxes marked as with a text marker: dark stays dark."""
    if not boxes:
        return image
    marker = Image.new("RGB", image.size, (255, 255, 255))
    draw = ImageDraw.Draw(marker)
    for box in boxes:
        draw.rectangle(box, fill=MARK)
    return ImageChops.multiply(image, marker)


def _png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()
