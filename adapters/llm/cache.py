"""Answers of a model by the hash of what was asked, so that the same question costs once."""

import asyncio
import hashlib
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol

from pydantic_core import to_json


class AnswerCache(Protocol):
    """Where answers are kept. Contract: `tests/adapters/llm/test_cache.py`."""

    async def get(self, key: str) -> str | None:
        """The answer with this key, or None."""

    async def put(self, key: str, answer: str) -> None:
        """Keep an answer; one with the same key is replaced."""


class MemoryCache:
    """Answers kept as long as the process lives."""

    def __init__(self) -> None:
        self._answers: dict[str, str] = {}

    async def get(self, key: str) -> str | None:
        """The answer with this key, or None."""
        return self._answers.get(key)

    async def put(self, key: str, answer: str) -> None:
        """Keep an answer."""
        self._answers[key] = answer


class FileCache:
    """Answers kept in a SQLite file; several processes may share it.

    A cache that cannot be read or written is no reason to stop: it then knows nothing and keeps nothing.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    async def get(self, key: str) -> str | None:
        """The answer with this key, or None."""
        rows = await asyncio.to_thread(self._execute, "SELECT answer FROM answers WHERE key = ?", (key,))
        return str(rows[0][0]) if rows else None

    async def put(self, key: str, answer: str) -> None:
        """Keep an answer."""
        statement = "INSERT OR REPLACE INTO answers (key, answer) VALUES (?, ?)"
        await asyncio.to_thread(self._execute, statement, (key, answer))

    def _execute(self, statement: str, values: tuple[str, ...]) -> list[Any]:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._path, timeout=10.0)) as connection, connection:
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer TEXT NOT NULL)"
                )
                return connection.execute(statement, values).fetchall()
        except (sqlite3.Error, OSError):
            return []


def cache_key(model: str, messages: Sequence[Any], schema: dict[str, Any] | None) -> str:
    """SHA-256 over model, messages and schema."""
    return hashlib.sha256(to_json([model, list(messages), schema])).hexdigest()
