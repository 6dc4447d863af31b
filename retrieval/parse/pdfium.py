"""The PDF library, which is not safe for threads: every use of it happens under one lock."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

import pypdfium2
import pypdfium2.raw as raw

from retrieval.errors import CorruptDocument, EncryptedDocument

LOCK = RLock()
POINTS_PER_INCH = 72


@contextmanager
def opened(path: Path) -> Iterator[Any]:
    """An open PDF, closed at the end. Hold `LOCK` for each use of it.

    Raises `EncryptedDocument` for one with a password, `CorruptDocument` for one that cannot be read.
    """
    with LOCK:
        document = _open(path)
    try:
        yield document
    except pypdfium2.PdfiumError as error:
        raise CorruptDocument(f"{path.name} is damaged ({error}). Get a fresh copy.") from error
    finally:
        with LOCK:
            document.close()


def _open(path: Path) -> Any:
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
            message = f"{path.name} is protected by a password. Save a copy without one."
            raise EncryptedDocument(message) from error
        raise CorruptDocument(f"{path.name} is damaged and cannot be opened. Get a fresh copy.") from error
    if len(document) == 0:
        document.close()
        raise CorruptDocument(f"{path.name} has no pages. Get a fresh copy.")
    return document
