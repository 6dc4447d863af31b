"""Parsing: a file in, its canonical text with page map, metadata and warnings out."""

import warnings
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType

from retrieval.errors import CorruptDocument, DocumentError, DocumentTooLarge, UnsupportedFormat
from retrieval.models import ParsedFile
from retrieval.parse.html import parse_html
from retrieval.parse.image import parse_image
from retrieval.parse.limits import Limits, check
from retrieval.parse.pdf import parse_pdf
from retrieval.parse.plain import parse_text
from retrieval.parse.sheets import parse_csv, parse_xlsx
from retrieval.parse.slides import parse_pptx
from retrieval.parse.sniff import check_content
from retrieval.parse.word import parse_docx
from retrieval.ports import OcrEngine

ParseFile = Callable[[Path, OcrEngine | None, Limits], ParsedFile]

PARSERS: MappingProxyType[str, tuple[str, ParseFile]] = MappingProxyType(
    {
        ".pdf": ("pdf", parse_pdf),
        ".docx": ("zip", parse_docx),
        ".pptx": ("zip", parse_pptx),
        ".xlsx": ("zip", parse_xlsx),
        ".csv": ("text", parse_csv),
        ".tsv": ("text", parse_csv),
        ".html": ("text", parse_html),
        ".htm": ("text", parse_html),
        ".md": ("text", parse_text),
        ".markdown": ("text", parse_text),
        ".txt": ("text", parse_text),
        ".tif": ("image", parse_image),
        ".tiff": ("image", parse_image),
        ".png": ("image", parse_image),
        ".jpg": ("image", parse_image),
        ".jpeg": ("image", parse_image),
    }
)
"""Suffix, the family its content must be of, and the parser."""
HEAD_BYTES = 4096
DEFAULT_LIMITS = Limits()


def parse(path: Path, ocr: OcrEngine | None = None, limits: Limits = DEFAULT_LIMITS) -> ParsedFile:
    """Parse one file into canonical text (DiscoVerse, Appendix A.1).

    Blocking: call it in a thread or process. `ocr` reads scanned pages; without it they are named in the
    warnings. Raises a `DocumentError` and nothing else for a file that cannot be used: `UnsupportedFormat`,
    `CorruptDocument`, `EncryptedDocument`, `DocumentTooLarge`.
    """
    suffix = path.suffix.lower()
    if suffix not in PARSERS:
        raise UnsupportedFormat(
            f"{path.name}: files of the kind {suffix or 'without suffix'!r} cannot be read."
            f" Save it as one of {', '.join(sorted(PARSERS))}."
        )
    family, parser = PARSERS[suffix]
    _check_file(path, family, limits)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what the libraries remark on is of no use to the reader
            return parser(path, ocr, limits)
    except DocumentError:
        raise
    except MemoryError as error:
        raise DocumentTooLarge(f"{path.name} needs more memory than there is. Split it.") from error
    except Exception as error:  # the libraries raise anything at all on damaged files
        raise CorruptDocument(
            f"{path.name} is damaged and cannot be read ({type(error).__name__}). Get a fresh copy."
        ) from error


def _check_file(path: Path, family: str, limits: Limits) -> None:
    """The file is there, neither empty nor too large, and of the kind its name says."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError as error:
        raise CorruptDocument(
            f"{path.name} cannot be opened ({error.strerror}). Check it and its rights."
        ) from error
    if size == 0:
        raise CorruptDocument(f"{path.name} is empty. Remove it, or put the missing content back.")
    check(size, limits.file_bytes, path.name, "bytes")
    check_content(head, path.name, family)
