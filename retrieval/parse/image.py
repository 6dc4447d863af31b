"""TIFF, PNG and JPEG: scanned documents, read by OCR page by page."""

from io import BytesIO
from pathlib import Path

from PIL import Image, ImageSequence, UnidentifiedImageError

from retrieval.errors import CorruptDocument, DocumentTooLarge
from retrieval.parse.blocks import Block, Markdown, PageBreak, render
from retrieval.parse.limits import Limits, check
from retrieval.parse.scans import Scans
from retrieval.ports import OcrEngine
from retrieval.values import ParsedFile

FORMATS = ("PNG", "JPEG", "TIFF")
LEAST_DPI = 100
"""A resolution under it is a default of the program that wrote the file, not that of the scan."""


def parse_image(path: Path, ocr: OcrEngine | None, limits: Limits) -> ParsedFile:
    """Canonical text of a scanned document; each frame of a TIFF is a page."""
    blocks: list[Block] = []
    scans = Scans(ocr)
    try:
        with Image.open(path, formats=FORMATS) as image:
            count = getattr(image, "n_frames", 1)
            check(count, limits.pages, path.name, "pages")
            for number, frame in enumerate(ImageSequence.Iterator(image), 1):
                check(
                    frame.width * frame.height, limits.image_pixels, f"{path.name}, page {number}", "pixels"
                )
                limits.paged(number, count)
                blocks += [PageBreak(number), Markdown(scans.read(_png(frame), number))]
    except Image.DecompressionBombError as error:
        raise DocumentTooLarge(f"{path.name} is too large a picture. Save it smaller.") from error
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError) as error:
        raise CorruptDocument(
            f"{path.name} is damaged ({error}). Scan it again, or get a fresh copy."
        ) from error
    text, pages = render(blocks)
    return ParsedFile(text, pages, {}, scans.warnings)


def _png(frame: Image.Image) -> bytes:
    """A frame as grey PNG, with its resolution where that is known."""
    dpi = float(frame.info.get("dpi", (0, 0))[0])
    buffer = BytesIO()
    frame.convert("L").save(buffer, "PNG", **({"dpi": (dpi, dpi)} if dpi >= LEAST_DPI else {}))
    return buffer.getvalue()
