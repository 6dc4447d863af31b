"""SQLite on a thread for each connection, which is asked once for each statement. aiosqlite asks it four
times: for a cursor, the statement, its rows and the cursor's end.

Who wants to write while others do asks again and again. SQLite itself soon asks every 0.1 s only, and misses
the moments between the transactions of a process that writes much: some waited for half a minute.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from threading import Lock
from time import monotonic, sleep
from typing import Any

import aiosqlite

BEGIN, WAL = "BEGIN IMMEDIATE", "PRAGMA journal_mode=WAL"
"""What SQLite would not wait for: the one not long enough, the other not at all."""
BUSY_S = 300.0
"""How long a connection waits for other processes' writes: a busy machine starves some of them."""
WAITS = f"PRAGMA busy_timeout={1000 * BUSY_S:.0f}"
ASKS_S = 0.003
"""Seconds between two tries to begin."""
_NEXT: defaultdict[str, Lock] = defaultdict(Lock)
"""Held by the connection of this process that asks next to write to a file."""


def _in_turn(cursor: sqlite3.Cursor, sql: str, path: str) -> list[Any]:
    """Carry out a statement once no other connection hinders it. Raises what SQLite does after `BUSY_S`."""
    until = monotonic() + BUSY_S
    with _NEXT[path]:
        cursor.execute("PRAGMA busy_timeout=0")
        try:
            while True:
                try:
                    return cursor.execute(sql).fetchall()
                except sqlite3.OperationalError as error:
                    if "locked" not in str(error) or monotonic() > until:
                        raise
                sleep(ASKS_S)
        finally:
            cursor.execute(WAITS)


class _Cursor(aiosqlite.Cursor):
    """Carries out a statement and takes all its rows at once."""

    _rows: list[Any]
    _conn: "_Connection"

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> "_Cursor":
        self._rows = await self._execute(self._done, sql, tuple(parameters or ()))  # type: ignore[no-untyped-call]
        return self

    def _done(self, sql: str, parameters: tuple[Any, ...]) -> list[Any]:
        if sql in (BEGIN, WAL):
            return _in_turn(self._cursor, sql, self._conn.path)
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
    made = _Connection(lambda: sqlite3.connect(path, **options), 1)
    made.path = path
    made._thread.daemon = True
    return made
