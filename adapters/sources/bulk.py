"""Files of databases, loaded into SQLite: one file a source, in the folder `databases` of PESTLE_HOME."""

import asyncio
import json
import logging
import os
import re
import secrets
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from adapters.errors import DiskFull, StorageError
from adapters.sources.lines import head, lines
from agents.databases.bulk_format import BulkFormat, Row
from agents.databases.ports import BulkRelease
from agents.errors import ToolFailed, WrongFile
from retrieval.errors import FULL

log = logging.getLogger(__name__)

T = TypeVar("T")

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")
BATCH = 5000
ABANDONED_S = 86_400.0
About = tuple[str, str, str, str]
"""Source, file, release and day of loading."""
TABLES = """
CREATE TABLE IF NOT EXISTS about (source TEXT, file TEXT, release TEXT, loaded TEXT, count INTEGER);
CREATE TABLE IF NOT EXISTS rows (number INTEGER PRIMARY KEY, content TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS keys (
    key TEXT, number INTEGER, spelled TEXT, PRIMARY KEY (key, number)
) WITHOUT ROWID;
"""


class BulkFolder:
    """`Bulk` over a folder. A newer file of a source takes the place of the older one at once and whole.

    Several processes may read and load: a reader sees the old file or the new one.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.absolute()

    @property
    def bare(self) -> bool:
        """Whether no file of a database was ever loaded. The index of labels may stand there empty."""
        return all(one.stem == "labels" for one in self._folder.glob("*.db"))

    def release(self, source: str) -> BulkRelease | None:
        """See `Bulk`. What is damaged counts as loaded, with nothing in it; reading it raises."""
        if not self._path(source).is_file():
            return None
        try:
            with self._reading(source) as connection:
                found = connection.execute(
                    "SELECT source, file, release, loaded, count FROM about"
                ).fetchone()
            return BulkRelease(*found)
        except (ToolFailed, TypeError):
            log.warning("what was loaded of %s is damaged", source)
            return BulkRelease(source, "", "", "", 0)

    async def rows(self, source: str, key: str) -> Sequence[Mapping[str, str]]:
        """See `Bulk`."""
        return await asyncio.to_thread(self._rows, source, key)

    async def keys(self, source: str) -> Sequence[str]:
        """See `Bulk`."""
        return await asyncio.to_thread(self._keys, source)

    def load(self, form: BulkFormat, paths: Sequence[Path], release: str = "") -> BulkRelease:
        """Take a file in, or one that comes in parts. Nothing changes unless all of it was read.

        Raises `WrongFile` for another kind of file or one without rows, `StorageError`, `DiskFull`.
        """
        about = described(form, paths, release)
        pairs = parsed(form, form.parse, paths)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._sweep()
            count = self._made(form, about, pairs)
        except (OSError, sqlite3.Error) as error:
            raise _unwritten(error, self._folder) from error
        return BulkRelease(*about, count)

    def note(self, about: About, count: int) -> BulkRelease:
        """Note what was loaded of a source whose content is kept elsewhere. Raises `StorageError`."""
        path = self._path(about[0])
        new = path.with_suffix(f".{secrets.token_hex(4)}.new")
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(new)) as connection:
                connection.executescript(TABLES)
                with connection:
                    connection.execute("INSERT INTO about VALUES (?, ?, ?, ?, ?)", (*about, count))
            new.replace(path)
        except (OSError, sqlite3.Error) as error:
            raise _unwritten(error, self._folder) from error
        finally:
            new.unlink(missing_ok=True)
        return BulkRelease(*about, count)

    def _made(self, form: BulkFormat, about: About, pairs: Iterable[tuple[str, Row]]) -> int:
        """Write a source's file beside the old one, then put it in its place; how many rows it holds."""
        new = self._path(form.source).with_suffix(f".{secrets.token_hex(4)}.new")
        try:
            count = _written(new, about, pairs, form.stands_for)
            new.replace(self._path(form.source))
        finally:
            new.unlink(missing_ok=True)
        return count

    def _sweep(self) -> None:
        """Delete what loads that were killed have left. Nobody loads one file for a day."""
        for left in self._folder.glob("*.new"):
            with suppress(OSError):
                if time.time() - left.stat().st_mtime > ABANDONED_S:
                    left.unlink()

    def _path(self, source: str) -> Path:
        if not NAME.fullmatch(source):
            raise ValueError(f"{source!r} cannot be the name of a source")
        return self._folder / f"{source}.db"

    def _rows(self, source: str, key: str) -> tuple[Row, ...]:
        if not self._path(source).is_file():
            return ()
        query = "SELECT content FROM keys JOIN rows USING (number) WHERE key = ? ORDER BY number"
        with self._reading(source) as connection:
            return tuple(json.loads(found) for (found,) in connection.execute(query, (_folded(key),)))

    def _keys(self, source: str) -> tuple[str, ...]:
        if not self._path(source).is_file():
            return ()
        with self._reading(source) as connection:
            found = connection.execute("SELECT spelled FROM keys ORDER BY number, key")
            return tuple(dict.fromkeys(spelled for (spelled,) in found))

    @contextmanager
    def _reading(self, source: str) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(f"{self._path(source).as_uri()}?mode=ro", uri=True)) as connection:
                yield connection
        except (sqlite3.Error, ValueError) as error:
            raise ToolFailed(
                f"What was loaded of {source} is damaged ({error}). Load its file again: "
                f"`pestle sources load {source} FILE`."
            ) from error


def described(form: BulkFormat, paths: Sequence[Path], release: str = "") -> About:
    """What is told of files that are loaded together. Raises `WrongFile` for another kind of file."""
    beginning = head(paths[0])
    if not form.fits(beginning):
        seen = beginning[0][:120] if beginning else "nothing"
        raise WrongFile(
            f"{paths[0].name} is no file of {form.source}: it begins with {seen!r}; {form.file} from "
            f"{form.page} looks like {form.header!r}."
        )
    file = paths[0].name if len(paths) == 1 else f"{paths[0].parent.name} ({len(paths)} parts)"
    return form.source, file, release or form.release(beginning), datetime.now(UTC).date().isoformat()


def parsed(
    form: BulkFormat,
    read: Callable[[Iterable[str]], Iterator[T]],
    paths: Sequence[Path],
    opened: Callable[[Path], Iterator[str]] = lines,
) -> Iterator[T]:
    """All that `read` finds in the files, as they are `opened`.

    Whatever it stumbles over means that the file is another one.
    """
    for path in paths:
        what = f"{path.name} cannot be read as {form.file} of {form.source}"
        try:
            yield from read(opened(path))
        except WrongFile as error:
            raise WrongFile(f"{what}. {error}") from error
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            raise WrongFile(f"{what} ({type(error).__name__}: {error}).") from error


def _written(
    path: Path, about: About, pairs: Iterable[tuple[str, Row]], stands_for: Callable[[Row], int]
) -> int:
    """Write a source's file; how many rows of what was loaded it stands for."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + TABLES)
        with connection:
            count = _filled(connection, pairs, stands_for)
            _described(connection, about, count)
    with path.open("rb") as file:
        os.fsync(file.fileno())
    return count


def _described(connection: sqlite3.Connection, about: About, count: int) -> None:
    if not count:
        raise WrongFile(f"{about[1]} holds no rows of {about[0]}. What was loaded before stays.")
    connection.execute("DELETE FROM about")
    connection.execute("INSERT INTO about VALUES (?, ?, ?, ?, ?)", (*about, count))


def _filled(
    connection: sqlite3.Connection, pairs: Iterable[tuple[str, Row]], stands_for: Callable[[Row], int]
) -> int:
    """Write rows with their keys, in batches; how many rows of what was loaded they stand for."""
    count, loaded, last = 0, 0, None
    rows: list[tuple[int, str]] = []
    keys: dict[tuple[str, int], str] = {}

    def flush() -> None:
        connection.executemany("INSERT INTO rows VALUES (?, ?)", rows)
        listed = ((key, number, spelled) for (key, number), spelled in keys.items())
        connection.executemany("INSERT OR IGNORE INTO keys VALUES (?, ?, ?)", listed)
        rows.clear()
        keys.clear()

    for key, row in pairs:
        if row is not last:
            if len(keys) >= BATCH:
                flush()
            count, loaded, last = count + 1, loaded + stands_for(row), row
            rows.append((count, json.dumps(row, ensure_ascii=False)))
        keys.setdefault((_folded(key), count), key)
    flush()
    return loaded


def _folded(key: str) -> str:
    return key.strip().casefold()


def _unwritten(error: OSError | sqlite3.Error, folder: Path) -> StorageError:
    if (
        getattr(error, "errno", None) in FULL
        or getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    ):
        return DiskFull(f"The disk of {folder} is full. What was loaded before stays as it was.")
    return StorageError(f"{folder} cannot be written: {error}. What was loaded before stays as it was.")
