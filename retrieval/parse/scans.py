"""Pages that are pictures: the OCR engine reads them, or a warning names them. One that fails does not harm
the others.
"""

from dataclasses import dataclass, field

from retrieval.errors import DocumentError
from retrieval.ports import OcrEngine
from retrieval.text.ranges import in_ranges

NO_OCR = "scanned and not read. Install tesseract, or set a vision model, and ingest again."
NO_TEXT = "a picture in which {} found no text. Look at the page itself."
FAILED = "scanned and not read. {}"


@dataclass
class Scans:
    """Reads the scanned pages of a file, and keeps which were not read and why."""

    ocr: OcrEngine | None
    _unread: dict[str, list[int]] = field(default_factory=dict)

    def read(self, image_png: bytes, number: int) -> str:
        """Markdown of a page; empty where none can be had, which goes to the warnings."""
        text, why = "", NO_OCR
        if self.ocr is not None:
            try:
                text, why = self.ocr.read(image_png).strip(), NO_TEXT.format(self.ocr.name)
            except DocumentError as error:
                why = FAILED.format(error)
        if not text:
            self._unread.setdefault(why, []).append(number)
        return text

    @property
    def warnings(self) -> tuple[str, ...]:
        """A line for each reason, with its pages."""
        return tuple(
            f"Page{'s' * (len(pages) > 1)} {in_ranges(pages)}: {why}" for why, pages in self._unread.items()
        )
