"""SQLite on a thread for each connection, which is asked once for each statement. aiosqlite asks it four
times: for a cursor, the statement, its rows and the cursor's end.
"""

import sqlite3
from collections.abc import Iterable
from typing import Any

import aiosqlite


class _Cursor(aiosqlite.Cursor):
    """Carries out a statement and takes all its rows at once."""

    _rows: list[Any]

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> "_Cursor":
        rows = self._execute(lambda: self._cursor.execute(sql, tuple(parameters or ())).fetchall())  # type: ignore[no-untyped-call]
        self._rows = await rows
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
