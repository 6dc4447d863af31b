"""What databases replied, kept on disk: a cache with an age, and snapshots that replay without a network."""

import asyncio
import hashlib
import json
import re
import secrets
import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from agents.databases.memory import address
from agents.databases.ports import Web, WebReply, WebRequest
from agents.errors import ToolFailed

LOCKS = 256
_REPLY: TypeAdapter[WebReply | None] = TypeAdapter(WebReply | None)
SWEEP = 200
"""After so many replies that were put away, those that are too old are deleted."""


class CachedWeb:
    """`Web` that asks another one for what it does not have, or has for longer than `age` seconds.

    A cache that cannot be read or written is no reason to stop: it then has nothing and keeps nothing. The
    same request of several tools at once is made once.
    """

    def __init__(self, inner: Web, path: Path, age: float, clock: Callable[[], float] = time.time) -> None:
        self._inner = inner
        self._path = path
        self._age = age
        self._clock = clock
        self._locks = [asyncio.Lock() for _ in range(LOCKS)]
        self._put = 0

    async def fetch(self, request: WebRequest) -> WebReply | None:
        """See `Web`."""
        key = request_key(request)
        async with self._locks[int(key[:4], 16) % LOCKS]:
            found = await asyncio.to_thread(self._get, key)
            with suppress(KeyError, TypeError, ValueError):  # kept in another form: it is asked again
                if found is not None:
                    return _reply_of(found)
            reply = await self._inner.fetch(request)
            await asyncio.to_thread(self._keep, key, _content(request, reply))
            return reply

    def _get(self, key: str) -> dict[str, Any] | None:
        query = "SELECT content FROM replies WHERE key = ? AND stored > ?"
        rows = self._execute(query, (key, self._clock() - self._age))
        try:
            return json.loads(rows[0][0]) if rows else None
        except ValueError:
            return None

    def _keep(self, key: str, content: dict[str, Any]) -> None:
        stored = self._clock()
        written = json.dumps(content, ensure_ascii=False)
        self._execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?)", (key, stored, written))
        self._put += 1
        if self._put % SWEEP == 1:
            self._execute("DELETE FROM replies WHERE stored <= ?", (stored - self._age,))

    def _execute(self, statement: str, values: tuple[Any, ...]) -> list[Any]:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._path, timeout=10.0)) as connection, connection:
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, stored REAL, content TEXT)"
                )
                return connection.execute(statement, values).fetchall()
        except (sqlite3.Error, OSError, UnicodeEncodeError):
            return []


@dataclass(frozen=True, slots=True)
class RecordingWeb:
    """`Web` that writes each reply of another one into a folder. What failed is not written."""

    inner: Web
    folder: Path

    async def fetch(self, request: WebRequest) -> WebReply | None:
        """See `Web`. Raises `ToolFailed` also if the folder cannot be written."""
        reply = await self.inner.fetch(request)
        path = self.folder / file_name(request)
        try:
            await asyncio.to_thread(_write, path, _content(request, reply))
        except OSError as error:
            raise ToolFailed(f"The snapshot {path} cannot be written: {error.strerror}.") from error
        return reply


class ReplayedWeb:
    """`Web` that serves what was recorded in a folder, without any network."""

    def __init__(self, folder: Path, titles: Mapping[str, str] | None = None) -> None:
        self._folder = folder
        self._titles = titles or {}

    async def fetch(self, request: WebRequest) -> WebReply | None:
        """See `Web`."""
        path = self._folder / file_name(request)
        try:
            content = json.loads(await asyncio.to_thread(path.read_text, "utf-8"))
            return _reply_of(content)
        except FileNotFoundError:
            name = self._titles.get(request.source, request.source)
            raise ToolFailed(
                f"{name} was not asked: recorded replies alone are in use, and there is none to "
                f"{address(request)}. PESTLE_SOURCES_MODE=record records them."
            ) from None
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ToolFailed(f"The recorded reply {path} is damaged. Record it again.") from error


def request_key(request: WebRequest) -> str:
    """64 hexadecimal digits that stand for a request, whatever the order of its parameters."""
    asked = [request.url, sorted(request.params), request.body]
    return hashlib.sha256(json.dumps(asked, ensure_ascii=False).encode("utf-8", "replace")).hexdigest()


def file_name(request: WebRequest) -> str:
    """Where the reply to a request is recorded: readable, and by its key."""
    last = " ".join(
        (request.url.rsplit("://", 1)[-1].partition("/")[2], *(value for _, value in sorted(request.params)))
    )
    words = re.sub(r"[^a-z0-9]+", "-", last.lower()).strip("-")[-60:].strip("-")
    source = re.sub(r"[^a-z0-9-]+", "-", request.source.lower())
    return f"{source}/{'-'.join(filter(None, (words, request_key(request)[:16])))}.json"


def _content(request: WebRequest, reply: WebReply | None) -> dict[str, Any]:
    return {"request": asdict(request), "reply": None if reply is None else asdict(reply)}


def _reply_of(content: dict[str, Any]) -> WebReply | None:
    """The reply that was kept. Raises `KeyError`, `TypeError`, `ValueError` for another form."""
    return _REPLY.validate_python(content["reply"])


def _write(path: Path, content: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(f".{secrets.token_hex(4)}.new")  # two tools may record the same reply at once
    new.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", "utf-8", errors="replace")
    new.replace(path)
