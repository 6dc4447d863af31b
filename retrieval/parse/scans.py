"""Pages that are pictures: the OCR engine reads them, or a warning names them. One that fails does not harm
the others.
"""

from retrieval.errors import DocumentError
from retrieval.ports import OcrEngine

NO_OCR = "Page {} is a scan and was not read: install tesseract, or set a vision model, and ingest again."
NO_TEXT = "Page {} is a picture in which {} found no text; look at the page itself."
FAILED = "Page {} is a scan and was not read: {}"


def recognised(image_png: bytes, number: int, ocr: OcrEngine | None) -> tuple[str, str]:
    """(Markdown, warning) of a page; one of them is empty."""
    if ocr is None:
        return "", NO_OCR.format(number)
    try:
        text = ocr.read(image_png).strip()
    except DocumentError as error:
        return "", FAILED.format(number, error)
    return text, "" if text else NO_TEXT.format(number, ocr.name)
