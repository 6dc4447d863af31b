"""Lines of a file of a database: plain, gz, zip or parquet, without unpacking it to the disk."""

import gzip
import json
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import IO

from adapters.errors import SettingsError
from agents.databases.bulk_format import HEAD_LINES
from agents.errors import WrongFile

LONGEST = 64 * 2**20
"""Characters of one line, at most: no database writes longer ones, and a broken file may have but one."""
PIECE = 2**20
NO_TEXT = " is no text."
GZIP, ZIP, PARQUET = b"\x1f\x8b", b"PK\x03\x04", b"PAR1"


def lines(path: Path) -> Iterator[str]:
    """The file's lines, without their ends. A row of a parquet file is a line of JSON.

    Raises `WrongFile` for a file that is cut short, damaged or none of text, `OSError`, and `SettingsError`
    for a parquet file if the library for it is not installed.
    """
    with _whole(path):
        yield from _rows(path) if _begin(path) == PARQUET else _texts(path)


def pieces(path: Path) -> Iterator[str]:
    """The file's text in pieces of `PIECE` characters, wherever its lines end. Raises as `lines`.

    A row of a parquet file is a piece.
    """
    with _whole(path):
        if _begin(path) == PARQUET:
            yield from _rows(path)
            return
        with _text_of(path) as text:
            while piece := text.read(PIECE):
                yield piece


def head(path: Path) -> list[str]:
    """The first lines of a file, none longer than `LONGEST`. Raises as `lines`."""
    with _whole(path):
        found = _rows(path) if _begin(path) == PARQUET else _texts(path, any_length=True)
        return list(islice(found, HEAD_LINES))


@contextmanager
def _whole(path: Path) -> Iterator[None]:
    """What a library says of a file that is cut short or damaged is told as such."""
    try:
        yield
    except (EOFError, zlib.error, zipfile.BadZipFile, gzip.BadGzipFile, NotImplementedError) as error:
        raise WrongFile(f"{path.name} is damaged or was not fetched whole: {error}.") from error


def _begin(path: Path) -> bytes:
    with path.open("rb") as file:
        begin = file.read(4)
    return begin if begin in (ZIP, PARQUET) else begin[:2]


def _texts(path: Path, *, any_length: bool = False) -> Iterator[str]:
    with _text_of(path) as text:
        while line := text.readline(LONGEST):
            if len(line) == LONGEST and not any_length:
                raise WrongFile(f"{path.name} has a line of more than {LONGEST:,} characters.")
            if "\0" in line:
                raise WrongFile(f"{path.name}{NO_TEXT}")
            yield line.rstrip("\r\n")


@contextmanager
def _text_of(path: Path) -> Iterator[TextIOWrapper]:
    with _opened(path) as binary, TextIOWrapper(binary, "utf-8-sig", errors="replace") as text:
        yield text


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    kind = _begin(path)
    if kind == GZIP:
        with gzip.open(path) as file:
            yield file  # type: ignore[misc]  # a GzipFile reads bytes
    elif kind == ZIP:
        with zipfile.ZipFile(path) as archive, archive.open(_member(archive, path)) as inner:
            yield inner
    else:
        with path.open("rb") as plain:
            yield plain


def _member(archive: zipfile.ZipFile, path: Path) -> zipfile.ZipInfo:
    files = [
        one for one in archive.infolist() if not one.is_dir() and not one.filename.startswith("__MACOSX")
    ]
    if len(files) != 1:
        names = ", ".join(one.filename for one in files[:5]) or "none"
        raise WrongFile(f"{path.name} holds {len(files)} files ({names}): unpack it and load the right one.")
    if files[0].flag_bits & 1:
        raise WrongFile(f"{path.name} is encrypted.")
    return files[0]


def _rows(path: Path) -> Iterator[str]:
    try:
        import pyarrow
        import pyarrow.parquet as parquet  # a large library, for those who load files of Open Targets
    except ImportError as error:
        raise SettingsError(
            "Parquet files need pyarrow. Install it with `pip install 'pestle[parquet]'`."
        ) from error
    try:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=256):
                for row in batch.to_pylist():
                    yield json.dumps(row, ensure_ascii=False, default=str)
    except pyarrow.ArrowException as error:
        raise WrongFile(f"{path.name} is a damaged parquet file: {error}.") from error
