"""SQLite on a thread for each connection, which is asked once for each statement.

aiosqlite goes there and back for the cursor, the statement, its rows and the cursor's end, which takes four
times as long as what the statement itself costs.
"""

import sqlite3
from collections.abc import Iterable
from typing import Any

import aiosqlite


class _Cursor(aiosqlite.Cursor):
    """Carries out a statement and takes all its rows at once."""

    _rows: list[Any]

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> "_Cursor":
        def carried_out() -> list[Any]:
            return self._cursor.execute(sql, tuple(parameters or ())).fetchall()

        self._rows = await self._execute(carried_out)  # type: ignore[no-untyped-call]
        return self

    async def fetchall(self) -> list[Any]:
        return self._rows

    async def close(self) -> None:
        """Whose rows are all taken holds nothing."""


class _Connection(aiosqlite.Connection):
    def cursor(self, *_: Any, **__: Any) -> Any:
        return _Cursor(self, self._conn.cursor())


def connection(path: str, **options: Any) -> aiosqlite.Connection:
    """A connection to be awaited; its thread does not keep a process from ending."""
    made = _Connection(lambda: sqlite3.connect(path, **options), 1)
    made._thread.daemon = True
    return made
