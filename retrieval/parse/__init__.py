"""Parsing: any supported file to canonical text, Markdown with a page map (DiscoVerse, Appendix A.1)."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from retrieval.errors import CorruptDocument, EncryptedDocument, UnsupportedFormat
from retrieval.models import ParsedFile
from retrieval.parse.html import parse_html
from retrieval.parse.images import parse_image
from retrieval.parse.limits import Limits, check_size
from retrieval.parse.office import parse_docx, parse_pptx
from retrieval.parse.pdf import parse_pdf
from retrieval.parse.sheets import parse_csv, parse_xlsx
from retrieval.parse.text import parse_text
from retrieval.ports import OcrEngine

PARSERS: Mapping[str, Callable[[Path, Limits], ParsedFile]] = {
    ".md": parse_text,
    ".markdown": parse_text,
    ".txt": parse_text,
    ".html": parse_html,
    ".htm": parse_html,
    ".docx": parse_docx,
    ".pptx": parse_pptx,
    ".xlsx": parse_xlsx,
    ".csv": parse_csv,
    ".tsv": parse_csv,
}
"""Formats by suffix."""
SCANNABLE: Mapping[str, Callable[[Path, Limits, OcrEngine | None], ParsedFile]] = {
    ".pdf": parse_pdf,
    ".tif": parse_image,
    ".tiff": parse_image,
    ".png": parse_image,
    ".jpg": parse_image,
    ".jpeg": parse_image,
}
"""Formats whose pages may be pictures."""
OLD = {".doc": "DOCX", ".ppt": "PPTX", ".xls": "XLSX", ".rtf": "DOCX", ".odt": "DOCX"}
LIMITS = Limits()
COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""First bytes of old Office files, and of new ones that are encrypted."""
SIGNATURES = {".pdf": b"%PDF", ".docx": b"PK", ".pptx": b"PK", ".xlsx": b"PK"}


def parse(path: Path, ocr: OcrEngine | None = None, limits: Limits = LIMITS) -> ParsedFile:
    """Parse one file; scanned pages are read by `ocr`, and reported where there is none.

    Raises `UnsupportedFormat`, `CorruptDocument`, `EncryptedDocument`, `DocumentTooLarge`; nothing in the
    file is run or fetched.
    """
    suffix = path.suffix.lower()
    parser = PARSERS.get(suffix) or (partial(_scannable, suffix, ocr) if suffix in SCANNABLE else None)
    if parser is None:
        hint = f"Save it as {OLD[suffix]}." if suffix in OLD else "Save it as PDF, DOCX, HTML or text."
        raise UnsupportedFormat(f"Files of the kind {suffix or 'without a suffix'} are not read. {hint}")
    check_size(path, limits)
    _check_signature(path, suffix)
    return parser(path, limits)


def _scannable(suffix: str, ocr: OcrEngine | None, path: Path, limits: Limits) -> ParsedFile:
    return SCANNABLE[suffix](path, limits, ocr)


def _check_signature(path: Path, suffix: str) -> None:
    """Raises `CorruptDocument` for a file that is not what its name says."""
    expected = SIGNATURES.get(suffix)
    if expected is None:
        return
    with path.open("rb") as file:
        head = file.read(1024)
    if head.startswith(COMPOUND) and suffix != ".pdf":
        raise EncryptedDocument("The file is encrypted or of an old kind. Save it without a password.")
    if expected not in head if suffix == ".pdf" else not head.startswith(expected):
        raise CorruptDocument(
            f"The file is no {suffix[1:].upper()}, whatever its name says. Export it again."
        )
