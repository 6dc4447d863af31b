"""Pictures of pages, to show a passage in its place."""

import io
import unicodedata
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pypdfium2
from PIL import Image, ImageChops, ImageDraw

from retrieval.errors import CorruptDocument
from retrieval.parse.pdf_text import frame_of
from retrieval.parse.pdfium import LOCK, opened

Box = tuple[float, float, float, float]

MARK = (255, 214, 64)
LONGEST_SIDE = 6_000
"""Pixels; a page that would be larger is shown smaller."""
LEAST = 6
"""Characters of a table row that must be found in one piece for the row to be marked."""
PICTURES = frozenset({".tif", ".tiff", ".png", ".jpg", ".jpeg"})


def page_png(path: Path, page: int, quotes: Sequence[str], scale: float = 2.0) -> bytes:
    """A page (numbered from 1) of a PDF or scan as PNG, verbatim quotes highlighted as far as its text layer
    has them. `scale` is pixels per point (1/72 inch); a scan is shown as it is.

    Raises `CorruptDocument` if there is no such page, or none of that kind of file can be shown.
    """
    if path.suffix.lower() in PICTURES:
        return _png(_picture(path, page))
    if path.suffix.lower() != ".pdf":
        raise CorruptDocument(f"Pages of {path.suffix} files are not shown. Open the file itself.")
    if not path.is_file():
        raise CorruptDocument(f"{path.name} is not there any more. Put it back, or ingest the folder again.")
    with opened(path) as document, LOCK:
        found = _page(document, page)
        image = _rendered(found, scale)
        return _png(_highlighted(image, list(_marks(found, quotes, image.size))))


def _picture(path: Path, number: int) -> Image.Image:
    """A frame of a scan."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(path) as image:
                image.seek(number - 1)
                shown = image.convert("RGB")
    except (OSError, EOFError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise CorruptDocument(f"{path.name} has no page {number} that can be shown.") from error
    shown.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    return shown


def _page(document: pypdfium2.PdfDocument, number: int) -> Any:
    if not 1 <= number <= len(document):
        raise CorruptDocument(f"The document has {len(document)} pages, and no page {number}.")
    return document[number - 1]


def _rendered(page: Any, scale: float) -> Image.Image:
    largest = max(page.get_width(), page.get_height())
    image: Image.Image = page.render(scale=min(scale, LONGEST_SIDE / largest)).to_pil().convert("RGB")
    return image


def _marks(page: Any, quotes: Sequence[str], size: tuple[int, int]) -> Iterator[Box]:
    """Boxes (left, top, right, bottom in pixels) of the quotes' lines, a little larger than they are."""
    frame = frame_of(page)
    ratio = size[0] / frame.width
    for quote in quotes:
        for box in _boxes(page, quote):
            left, top, right, bottom = (side * ratio for side in frame.box(*box))
            yield left - 2, top - 2, right + 2, bottom + 2


def _boxes(page: Any, quote: str) -> Iterator[Box]:
    """Boxes (left, bottom, right, top in points of the page) of a quote's lines.

    White space, hyphens and table bars are skipped. Rows of a table are found one below the other. A row may
    begin with a label that the page has only once, above; it is then marked from the first cell on with which
    it is found, a single row only if it is found once.
    """
    text_page = page.get_textpage()
    kept = [(i, _plain(c)) for i, c in enumerate(text_page.get_text_range()) if not _skipped(c)]
    text = "".join(character for _, character in kept)
    below = 0
    rows = quote.splitlines() if "\n|" in quote else [quote]
    for row in rows:
        likely = [
            one for n, one in enumerate(_variants(row)) if not n or len(rows) > 1 or text.count(one) == 1
        ]
        found = ((text.find(wanted, below), len(wanted)) for wanted in likely)
        place, length = next((one for one in found if one[0] >= 0), (-1, 0))
        if place >= 0:
            below = place + length
            first, last = kept[place][0], kept[below - 1][0]
            count = text_page.count_rects(first, last - first + 1)
            yield from [text_page.get_rect(index) for index in range(count)]


def _variants(quote: str) -> Iterator[str]:
    """The quote as it may stand on the page: whole, or a table row without its first cells."""
    cells = quote.replace("\\|", " ").strip(" |").split("|")
    for first in range(len(cells)):
        text = "".join(_plain(c) for c in "".join(cells[first:]) if not _skipped(c))
        if text and (first == 0 or len(text) >= LEAST):
            yield text


def _plain(character: str) -> str:
    """A raised digit as a digit: the text layer does not tell them apart."""
    normal = unicodedata.normalize("NFKC", character)
    return normal if len(normal) == 1 else character


def _skipped(character: str) -> bool:
    return character.isspace() or character in "-\u00ad\ufffe|\x02\\"


def _highlighted(image: Image.Image, boxes: Sequence[Box]) -> Image.Image:
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
