"""Parsing: any supported file to canonical text, Markdown with a page map (DiscoVerse, Appendix A.1)."""

from collections.abc import Callable, Mapping
from pathlib import Path

from retrieval.errors import CorruptDocument, UnsupportedFormat
from retrieval.models import ParsedFile
from retrieval.parse.guard import damaged
from retrieval.parse.html import parse_html
from retrieval.parse.images import parse_image
from retrieval.parse.limits import Limits, check
from retrieval.parse.pdf import parse_pdf
from retrieval.parse.plain import parse_text
from retrieval.parse.sheets import parse_csv, parse_xlsx
from retrieval.parse.slides import parse_pptx
from retrieval.parse.sniff import check_content
from retrieval.parse.word import parse_docx
from retrieval.ports import OcrEngine

Parse = Callable[[Path, OcrEngine | None, Limits], ParsedFile]

FORMATS: Mapping[str, tuple[str, Parse]] = {
    ".md": ("text", parse_text),
    ".markdown": ("text", parse_text),
    ".txt": ("text", parse_text),
    ".html": ("text", parse_html),
    ".htm": ("text", parse_html),
    ".csv": ("text", parse_csv),
    ".tsv": ("text", parse_csv),
    ".docx": ("zip", parse_docx),
    ".pptx": ("zip", parse_pptx),
    ".xlsx": ("zip", parse_xlsx),
    ".pdf": ("pdf", parse_pdf),
    ".tif": ("image", parse_image),
    ".tiff": ("image", parse_image),
    ".png": ("image", parse_image),
    ".jpg": ("image", parse_image),
    ".jpeg": ("image", parse_image),
}
"""Suffix: what the content must be, and what reads it."""
OLD = {".doc": "DOCX", ".ppt": "PPTX", ".xls": "XLSX", ".rtf": "DOCX", ".odt": "DOCX"}
LIMITS = Limits()
HEAD = 2048


def parse(path: Path, ocr: OcrEngine | None = None, limits: Limits = LIMITS) -> ParsedFile:
    """Parse one file; scanned pages are read by `ocr`, and reported where there is none.

    Nothing in the file is run or fetched. Raises `UnsupportedFormat`, `CorruptDocument`, `EncryptedDocument`
    or `DocumentTooLarge`; the message says what to do next.
    """
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        hint = f"Save it as {OLD[suffix]}." if suffix in OLD else "Save it as PDF, DOCX, HTML or text."
        raise UnsupportedFormat(f"Files of the kind {suffix or 'without a suffix'} are not read. {hint}")
    family, read = FORMATS[suffix]
    with damaged():
        _check(path, family, limits)
        return read(path, ocr, limits)


def _check(path: Path, family: str, limits: Limits) -> None:
    """Raises the error of a file that is empty, too large, or not what its name says."""
    size = path.stat().st_size
    if size == 0:
        raise CorruptDocument(f"{path.name} is empty. Get a fresh copy.")
    check(size, limits.file_bytes, path.name, "bytes")
    with path.open("rb") as file:
        check_content(file.read(HEAD), path.name, family)
