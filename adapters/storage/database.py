"""A SQL database: SQLite through aiosqlite, or PostgreSQL through asyncpg. Vendor errors end here."""

import shutil
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any

from sqlalchemy import Connection, Table, event, make_url
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import URL
from sqlalchemy.exc import (
    ArgumentError,
    DBAPIError,
    DisconnectionError,
    InvalidatePoolError,
    NoSuchModuleError,
    SQLAlchemyError,
)
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from adapters.errors import DiskFull, SettingsError, StorageError
from adapters.storage.sqlite import BEGIN, WAITS, WAL
from adapters.storage.sqlite import connection as connection_to

FULL = ("full", "disk I/O error", "unable to open", "No space left")
"""What SQLite says on a full disk, and also where something else is wrong."""
LEAST_FREE = 2**17
"""Bytes on a disk under which it counts as full."""
KEPT, MOST = 10, 15
"""Connections to PostgreSQL that stay open, and that there may be at a time, for each process."""
LAST_USED = "last used"
TRIED_AFTER_S = 5.0
"""Seconds after which a connection that nobody used is tried before it is used again."""
Insert = Callable[[Table], Any]
"""Makes an insert that knows ON CONFLICT."""
DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}


class Database:
    """Transactions for reading and writing. One per event loop."""

    def __init__(self, url: str) -> None:
        self.url = _url(url)
        self._engine = _engine(self.url)
        self.on_sqlite = on_sqlite = self._engine.dialect.name == "sqlite"
        # PostgreSQL sees each statement of a transaction for itself anyway, and commits a single one by
        # itself: for readings and single statements the two trips to begin and end one are saved.
        alone = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._reader = self._engine.execution_options(only_reads=True) if on_sqlite else alone
        self._single = self._engine if on_sqlite else alone
        self._built: dict[Callable[[Insert], Any], Any] = {}

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that writes nothing. Raises `StorageError`."""
        async with _translated(self.url), self._reader.connect() as connection:
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that commits at the block's end. Raises `StorageError`."""
        async with _translated(self.url), self._engine.begin() as connection:
            yield connection

    async def rows(self, query: Any, values: Mapping[str, Any] | None = None) -> Sequence[Any]:
        """What one query finds. Raises `StorageError`."""
        async with self.reading() as connection:
            return (await connection.execute(query, values)).all()

    async def change(self, statement: Any, values: Mapping[str, Any] | None = None) -> bool:
        """Execute one statement; whether it changed a row. Raises `StorageError`."""
        async with _translated(self.url), self._single.begin() as connection:
            return bool((await connection.execute(statement, values)).rowcount)

    async def add(self, connection: AsyncConnection, table: Table, values: Mapping[str, Any]) -> bool:
        """Insert a row that is not there yet; whether it was inserted."""
        return bool((await connection.execute(self.built(unless_known(table)), values)).rowcount)

    def insert(self, table: Table) -> Any:
        """An insert that knows ON CONFLICT, which both databases write alike."""
        if self.on_sqlite:
            return sqlite.insert(table)
        from sqlalchemy.dialects import postgresql  # 0.1 s that SQLite alone does not need

        return postgresql.insert(table)

    def built(self, build: Callable[[Insert], Any]) -> Any:
        """The statement that `build` makes with this database's `insert`, made once.

        SQLAlchemy takes as long to make a statement and to find its text again as to send it.
        """
        if build not in self._built:
            self._built[build] = build(self.insert)
        return self._built[build]

    async def close(self) -> None:
        """Close all connections."""
        await self._engine.dispose()


@cache
def unless_known(table: Table) -> Callable[[Insert], Any]:
    """Builds the insert of a row that is not there yet."""
    return lambda insert: insert(table).on_conflict_do_nothing()


def _url(text: str) -> URL:
    """The URL with the async driver named; plain `sqlite://` and `postgresql://` are understood.

    Raises `SettingsError`.
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise SettingsError(
            "The database URL cannot be read. Write sqlite:///FILE or postgresql://USER@HOST/NAME."
        ) from None
    kind = url.drivername.split("+")[0]
    if kind not in DRIVERS:
        raise SettingsError(f"Pestle stores its runs in SQLite or PostgreSQL, not in {kind!r}.")
    if kind == "sqlite" and url.database in (None, "", ":memory:"):
        raise SettingsError("A SQLite database needs a file: write sqlite:///FILE.")
    return url.set(drivername=DRIVERS[kind])


def _engine(url: URL) -> AsyncEngine:
    if url.get_backend_name() == "sqlite":
        return _sqlite(url)
    try:
        return _postgresql(url)
    except (ImportError, NoSuchModuleError):
        raise StorageError("PostgreSQL needs a package that is missing: pip install asyncpg.") from None


def _postgresql(url: URL) -> AsyncEngine:
    """An engine that uses no connection which the server has closed.

    A closed one is known without asking; only one that was idle for long is tried, as a network may have
    dropped it silently. To try each before its use would double the trips to the server.
    """
    engine = create_async_engine(url, pool_size=KEPT, max_overflow=MOST - KEPT, pool_use_lifo=True)

    @event.listens_for(engine.sync_engine, "checkin")
    def used(_: object, record: Any) -> None:
        record.info[LAST_USED] = monotonic()

    @event.listens_for(engine.sync_engine, "checkout")
    def look(connection: Any, record: Any, _: object) -> None:
        if connection.driver_connection.is_closed():
            raise DisconnectionError
        if monotonic() - record.info.get(LAST_USED, monotonic()) > TRIED_AFTER_S:
            try:
                engine.dialect.do_ping(connection)
            except engine.dialect.loaded_dbapi.Error as error:
                raise InvalidatePoolError from error

    return engine


def _sqlite(url: URL) -> AsyncEngine:
    """An engine whose transactions begin for writing at once, so that two writers wait for each other instead
    of failing half-way (SQLITE_BUSY on an upgrade from reading is not waited for).
    """
    engine = create_async_engine(url, connect_args={"async_creator_fn": connection_to})

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for setting in (WAITS, WAL, "PRAGMA synchronous=NORMAL"):
            cursor.execute(setting)
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Connection) -> None:
        if not connection.get_execution_options().get("only_reads"):  # else each sees what is committed
            connection.exec_driver_sql(BEGIN)

    return engine


@asynccontextmanager
async def _translated(url: URL) -> AsyncIterator[None]:
    """Vendor errors as `StorageError`, without the password that the URL may hold."""
    try:
        yield
    except (SQLAlchemyError, OSError) as error:
        reason = str(error.orig) if isinstance(error, DBAPIError) and error.orig else str(error)
        if any(sign in reason for sign in FULL) and _disk_full(url):
            raise DiskFull(
                f"The database {_shown(url)} cannot be written: the disk is full. Free some space; finished "
                "steps are kept."
            ) from error
        raise StorageError(
            f"The database {_shown(url)} cannot be used: {reason}. {_advice(reason)}"
        ) from error


def _disk_full(url: URL) -> bool:
    """Whether there is no room left where a SQLite file is."""
    if url.get_backend_name() != "sqlite":
        return False
    try:
        return shutil.disk_usage(Path(url.database or "").absolute().parent).free < LEAST_FREE
    except OSError:
        return False


def _shown(url: URL) -> str:
    if url.get_backend_name() == "sqlite":
        return str(Path(url.database or ""))
    return url.render_as_string(hide_password=True)


def _advice(reason: str) -> str:
    """What to do next."""
    known = {
        "full": "Free some disk space; finished steps are kept.",
        "disk I/O error": "Is its disk full, or disconnected? Free some space, or check the drive.",
        "locked": "Another process has been writing for long; end it, or try again.",
        "unable to open": "Check that the folder exists and may be written to.",
        "readonly": "Check that the file may be written to.",
        "not a database": "The file is damaged or no SQLite database; move it away, or name another one.",
        "malformed": "The file is damaged; move it away, or restore it from a backup.",
    }
    return next(
        (advice for sign, advice in known.items() if sign in reason),
        "Check that it is running, and that `database.url` is right.",
    )
