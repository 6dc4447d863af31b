"""Parsing: a file in, its canonical text with page map, metadata and warnings out."""

import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import MappingProxyType

from retrieval.errors import CorruptDocument, DocumentError, DocumentTooLarge, UnsupportedFormat
from retrieval.parse.limits import Limits, check
from retrieval.parse.sniff import check_content
from retrieval.ports import OcrEngine
from retrieval.values import ParsedFile

ParseFile = Callable[[Path, OcrEngine | None, Limits], ParsedFile]

PARSERS: MappingProxyType[str, tuple[str, str]] = MappingProxyType(
    {
        ".pdf": ("pdf", "pdf.parse_pdf"),
        ".docx": ("zip", "word.parse_docx"),
        ".pptx": ("zip", "slides.parse_pptx"),
        ".xlsx": ("zip", "sheets.parse_xlsx"),
        ".csv": ("text", "sheets.parse_csv"),
        ".tsv": ("text", "sheets.parse_csv"),
        ".html": ("text", "html.parse_html"),
        ".htm": ("text", "html.parse_html"),
        ".xml": ("text", "jats.parse_jats"),
        ".nxml": ("text", "jats.parse_jats"),
        ".eml": ("text", "mail.parse_mail"),
        ".md": ("text", "plain.parse_text"),
        ".markdown": ("text", "plain.parse_text"),
        ".txt": ("text", "plain.parse_text"),
        ".tif": ("image", "image.parse_image"),
        ".tiff": ("image", "image.parse_image"),
        ".png": ("image", "image.parse_image"),
        ".jpg": ("image", "image.parse_image"),
        ".jpeg": ("image", "image.parse_image"),
    }
)
"""Suffix, the family its content must be of, and the parser.

Named and not imported: the libraries of all formats take the better part of a second to load.
"""
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
            return _parser(parser)(path, ocr, limits)
    except DocumentError:
        raise
    except MemoryError as error:
        raise DocumentTooLarge(f"{path.name} needs more memory than there is. Split it.") from error
    except Exception as error:  # the libraries raise anything at all on damaged files
        raise CorruptDocument(
            f"{path.name} is damaged and cannot be read ({type(error).__name__}). Get a fresh copy."
        ) from error


def _parser(name: str) -> ParseFile:
    module, _, function = name.partition(".")
    parser: ParseFile = getattr(import_module(f"retrieval.parse.{module}"), function)
    return parser


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
