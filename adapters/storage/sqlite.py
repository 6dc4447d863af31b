"""SQLite whose readings run on a thread for each connection, and whose transactions that write run where they
are asked for: a statement of theirs takes less time than the way to a thread and back.

Nobody else can write between a transaction's begin and its end, so nothing else of the process runs between
them either: a busy event loop would hold up all other processes. Who wants to write while others do asks
again and again. SQLite itself soon asks every 0.1 s only, and misses the moments between the transactions of
a process that writes much: some waited for half a minute.
"""

import asyncio
import sqlite3
from collections.abc import Iterable
from time import monotonic
from typing import Any

import aiosqlite

BEGIN, WAL = "BEGIN IMMEDIATE", "PRAGMA journal_mode=WAL"
"""What SQLite would not wait for: the one not long enough, the other not at all."""
BUSY_S = 300.0
"""How long a connection waits for other processes' writes: a busy machine starves some of them."""
WAITS = f"PRAGMA busy_timeout={1000 * BUSY_S:.0f}"
ASKS_S = 0.003
"""Seconds between two tries to begin."""


class _Cursor(aiosqlite.Cursor):
    """Carries out a statement and takes all its rows at once."""

    _rows: list[Any]
    _conn: "_Connection"

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> "_Cursor":
        if sql in (BEGIN, WAL):
            await self._once_free(sql)
        elif self._conn.in_transaction:
            self._rows = self._done(sql, parameters)
        else:
            self._rows = await self._execute(self._done, sql, parameters)  # type: ignore[no-untyped-call]
        return self

    async def _once_free(self, sql: str) -> None:
        """Carry out a statement once nobody else writes. Raises what SQLite does after `BUSY_S`."""
        until = monotonic() + BUSY_S
        while True:
            self._done("PRAGMA busy_timeout=0", None)
            try:
                self._rows = self._done(sql, None)
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or monotonic() > until:
                    raise
            finally:
                self._done(WAITS, None)
            await asyncio.sleep(ASKS_S)

    def _done(self, sql: str, parameters: Iterable[Any] | None) -> list[Any]:
        return self._cursor.execute(sql, tuple(parameters or ())).fetchall()

    async def fetchall(self) -> list[Any]:
        return self._rows

    async def close(self) -> None:
        """Whose rows are all taken holds nothing."""


class _Connection(aiosqlite.Connection):
    def cursor(self, *_: Any, **__: Any) -> Any:
        return _Cursor(self, self._conn.cursor())

    async def commit(self) -> None:
        self._conn.commit()

    async def rollback(self) -> None:
        self._conn.rollback()


def connection(path: str, **options: Any) -> aiosqlite.Connection:
    """A connection to be awaited; its thread does not keep a process from ending."""
    made = _Connection(lambda: sqlite3.connect(path, **options | {"check_same_thread": False}), 1)
    made._thread.daemon = True
    return made
