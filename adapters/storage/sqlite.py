"""SQLite on a thread for each connection, which is asked once for each statement. aiosqlite asks it four
times: for a cursor, the statement, its rows and the cursor's end.

Who wants to write while others do asks again and again. SQLite itself soon asks every 0.1 s only, and misses
the moments between the transactions of a process that writes much: some waited for half a minute.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable
from threading import Lock
from time import monotonic, sleep
from typing import Any, TypeVar

import aiosqlite

T = TypeVar("T")
BEGIN = "BEGIN IMMEDIATE"
BUSY_S = 300.0
"""How long a connection waits for other processes' writes: a busy machine starves some of them."""
ASKS_S = 0.003
"""Seconds between two tries to begin."""
_NEXT: defaultdict[str, Lock] = defaultdict(Lock)
"""Held by the connection of this process that asks next to write to a file."""


def _patiently(work: Callable[[], T]) -> T:
    """Do the work once others do not hinder it. Raises what SQLite does after `BUSY_S`."""
    until = monotonic() + BUSY_S
    while True:
        try:
            return work()
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or monotonic() > until:
                raise
        sleep(ASKS_S)


def _opened(path: str, **options: Any) -> sqlite3.Connection:
    """A connection that waits for others."""
    made = sqlite3.connect(path, **options | {"timeout": BUSY_S, "isolation_level": None})
    _patiently(
        lambda: made.execute("PRAGMA journal_mode=WAL")
    )  # SQLite does not wait here for another process
    made.execute("PRAGMA synchronous=NORMAL")
    return made


def _begun(connection: sqlite3.Connection, path: str) -> None:
    """Begin to write, when no other connection does."""
    with _NEXT[path]:
        connection.execute("PRAGMA busy_timeout=0")
        try:
            _patiently(lambda: connection.execute(BEGIN))
        finally:
            connection.execute(f"PRAGMA busy_timeout={1000 * BUSY_S:.0f}")


class _Cursor(aiosqlite.Cursor):
    """Carries out a statement and takes all its rows at once."""

    _rows: list[Any]

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> "_Cursor":
        self._rows = await self._execute(self._done, sql, tuple(parameters or ()))  # type: ignore[no-untyped-call]
        return self

    def _done(self, sql: str, parameters: tuple[Any, ...]) -> list[Any]:
        if sql == BEGIN:
            _begun(self._cursor.connection, self._conn.path)
            return []
        return self._cursor.execute(sql, parameters).fetchall()

    async def fetchall(self) -> list[Any]:
        return self._rows

    async def close(self) -> None:
        """Whose rows are all taken holds nothing."""


class _Connection(aiosqlite.Connection):
    path = ""

    def cursor(self, *_: Any, **__: Any) -> Any:
        return _Cursor(self, self._conn.cursor())


def connection(path: str, **options: Any) -> aiosqlite.Connection:
    """A connection to be awaited; its thread does not keep a process from ending."""
    made = _Connection(lambda: _opened(path, **options), 1)
    made.path = path
    made._thread.daemon = True
    return made
