"""Pictures of pages (TIFF, PNG, JPEG): scanned documents without a PDF around them."""

import io
import warnings
from pathlib import Path

from PIL import Image, ImageSequence

from retrieval.errors import DocumentTooLarge
from retrieval.models import ParsedFile
from retrieval.parse.guard import damaged
from retrieval.parse.limits import Limits
from retrieval.parse.ocr import unread
from retrieval.parse.pages import paged
from retrieval.ports import OcrEngine


def parse_image(path: Path, ocr: OcrEngine | None, limits: Limits) -> ParsedFile:
    """Each frame is a page, read by OCR."""
    texts, notes = [], []
    with damaged(), warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        with Image.open(path) as image:
            for number, frame in enumerate(ImageSequence.Iterator(image), 1):
                if frame.width * frame.height > limits.image_pixels or number > limits.pages:
                    raise DocumentTooLarge("The picture is too large to be read. Save it smaller.")
                text = ocr.read(_png(frame)) if ocr else ""
                notes += [] if text.strip() else [unread(number, ocr)]
                texts.append(text + "\n\n")
    return paged(texts, {}, tuple(notes))


def _png(frame: Image.Image) -> bytes:
    out = io.BytesIO()
    frame.convert("RGB").save(out, "PNG")
    return out.getvalue()
