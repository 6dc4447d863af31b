"""Pictures of pages (TIFF, PNG, JPEG): scanned documents without a PDF around them."""

import io
import warnings
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageSequence

from retrieval.errors import DocumentTooLarge
from retrieval.models import ParsedFile
from retrieval.parse.limits import Limits, check
from retrieval.parse.ocr import unread
from retrieval.parse.pages import paged
from retrieval.ports import OcrEngine


def parse_image(path: Path, ocr: OcrEngine | None, limits: Limits) -> ParsedFile:
    """Each frame is a page, read by OCR."""
    texts, notes = [], []
    for number, frame in enumerate(_frames(path, limits), 1):
        text = ocr.read(_png(frame)) if ocr else ""
        notes += [] if text.strip() else [unread(number, ocr)]
        texts.append(text + "\n\n")
    return paged(texts, {}, tuple(notes))


def _frames(path: Path, limits: Limits) -> Iterator[Image.Image]:
    """The pictures of a file, each checked before it is unpacked. Raises `DocumentTooLarge`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        try:
            with Image.open(path) as image:
                for number, frame in enumerate(ImageSequence.Iterator(image), 1):
                    check(frame.width * frame.height, limits.image_pixels, path.name, "pixels")
                    check(number, limits.pages, path.name, "pages")
                    yield frame
        except Image.DecompressionBombError as error:
            raise DocumentTooLarge(f"{path.name} is too large a picture. Save it smaller.") from error


def _png(frame: Image.Image) -> bytes:
    out = io.BytesIO()
    frame.convert("RGB").save(out, "PNG")
    return out.getvalue()
