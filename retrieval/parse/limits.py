"""How large a file may be, and the check of packed formats before anything opens them."""

import zipfile
from dataclasses import dataclass
from pathlib import Path

from retrieval.errors import CorruptDocument, DocumentTooLarge

RATIO_FROM = 10_000_000
"""Bytes under which a high packing ratio is harmless."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Largest file, unpacked content and table in bytes, pages and pixels."""

    file_bytes: int = 300_000_000
    unpacked_bytes: int = 600_000_000
    ratio: float = 200.0
    members: int = 20_000
    pages: int = 5_000
    pixels: int = 120_000_000
    rows: int = 200_000


def check_size(path: Path, limits: Limits) -> None:
    """Raises `CorruptDocument` for an empty file, `DocumentTooLarge` for one over the limit."""
    size = path.stat().st_size
    if size == 0:
        raise CorruptDocument("The file is empty. Export it again.")
    if size > limits.file_bytes:
        raise DocumentTooLarge(
            f"The file has {size / 1e6:.0f} MB, over the limit of {limits.file_bytes / 1e6:.0f} MB. Split it."
        )


def check_package(path: Path, limits: Limits) -> None:
    """Refuse a packed file (DOCX, PPTX, XLSX) that would unpack to too much. Nothing is unpacked here."""
    try:
        with zipfile.ZipFile(path) as package:
            members = package.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise CorruptDocument("The file is damaged, or not what its name says. Export it again.") from error
    total = sum(member.file_size for member in members)
    packed = max(1, sum(member.compress_size for member in members))
    bomb = total > RATIO_FROM and total / packed > limits.ratio
    if total > limits.unpacked_bytes or bomb or len(members) > limits.members:
        raise DocumentTooLarge(
            f"The file would unpack to {total / 1e6:.0f} MB, like a zip bomb. Export it again, smaller."
        )
