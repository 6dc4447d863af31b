"""TIFF, PNG and JPEG: scanned documents, read by OCR page by page."""

import warnings
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageSequence, UnidentifiedImageError

from retrieval.errors import CorruptDocument, DocumentTooLarge
from retrieval.models import ParsedFile
from retrieval.parse.blocks import Block, Markdown, PageBreak, render
from retrieval.parse.limits import Limits, check
from retrieval.parse.pdf import NO_OCR, OCR_EMPTY
from retrieval.ports import OcrEngine

FORMATS = ("PNG", "JPEG", "TIFF")


def parse_image(path: Path, ocr: OcrEngine | None, limits: Limits) -> ParsedFile:
    """Canonical text of a scanned document; each frame of a TIFF is a page."""
    blocks: list[Block] = []
    notes: list[str] = []
    try:
        with _opened(path) as image:
            check(getattr(image, "n_frames", 1), limits.pages, path.name, "pages")
            for number, frame in enumerate(ImageSequence.Iterator(image), 1):
                check(
                    frame.width * frame.height, limits.image_pixels, f"{path.name}, page {number}", "pixels"
                )
                text = _read(frame, ocr)
                blocks += [PageBreak(number), Markdown(text or "")]
                if not text:
                    notes.append(NO_OCR.format(number) if ocr is None else OCR_EMPTY.format(number, ocr.name))
    except Image.DecompressionBombError as error:
        raise DocumentTooLarge(f"{path.name} is too large a picture. Save it smaller.") from error
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, EOFError) as error:
        raise CorruptDocument(
            f"{path.name} is damaged ({error}). Scan it again, or get a fresh copy."
        ) from error
    text, pages = render(blocks)
    return ParsedFile(text, pages, {}, tuple(notes))


def _opened(path: Path) -> Image.Image:
    """The picture, not yet unpacked; its size is checked here, so Pillow's own warning is not needed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        return Image.open(path, formats=FORMATS)


def _read(frame: Image.Image, ocr: OcrEngine | None) -> str | None:
    """Markdown of a frame; None without an engine."""
    dpi = frame.info.get("dpi", (0, 0))
    frame.load()
    if ocr is None:
        return None
    buffer = BytesIO()
    known = float(dpi[0]) >= 100
    frame.convert("L").save(buffer, "PNG", **({"dpi": (float(dpi[0]),) * 2} if known else {}))
    return ocr.read(buffer.getvalue()).strip()
