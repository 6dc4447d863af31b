"""A stream of entries into the index, in requests of a few megabytes, with only a few under way at a time."""

import asyncio
import time
from dataclasses import dataclass
from typing import Any

import orjson
from elasticsearch import AsyncElasticsearch

from retrieval.errors import IndexUnavailable, RetrievalError
from retrieval.index.elastic.server import BUSY, FIRST_PAUSE, LONGEST_PAUSE, Connection, full, refusal

REQUEST_BYTES = 4_000_000
"""Size of a request; larger ones are not faster, and the server has to hold them."""
UNDER_WAY = 2
"""Requests at a time: while the server works on one, the next is made and sent."""
SHOWN_REASONS = 3


@dataclass(frozen=True, slots=True)
class Operation:
    """One entry to be put (`source` is its JSON) or deleted (no source)."""

    entry_id: str
    source: bytes = b""

    def lines(self) -> bytes:
        """The operation as Elasticsearch reads it."""
        action = "index" if self.source else "delete"
        head = orjson.dumps({action: {"_id": self.entry_id}})
        return head + b"\n" + self.source + b"\n" if self.source else head + b"\n"


class BulkStream:
    """Writes operations; `add` waits when too many are under way.

    An entry that the server has no room for just now (429) is sent again after a pause, each on its own
    account. What it refuses for good is collected into one error, raised by a later `add` or by `drain`.
    """

    def __init__(self, connection: Connection, alias: str, request_bytes: int = REQUEST_BYTES) -> None:
        self._connection = connection
        self._alias = alias
        self._request_bytes = request_bytes
        self._buffer: list[Operation] = []
        self._size = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._refused: list[str] = []
        self._count = 0
        self._unanswered = 0

    @property
    def all_answered(self) -> bool:
        """False if a request may still arrive at the server, since its answer never came."""
        return self._unanswered == 0

    async def add(self, operation: Operation) -> None:
        """Take an operation. Raises what went wrong with earlier ones."""
        self._buffer.append(operation)
        self._size += len(operation.source)
        self._count += 1
        if self._size >= self._request_bytes or len(self._buffer) >= self._request_bytes // 400:
            await self._send()

    async def drain(self) -> None:
        """Send what is left and wait for all answers. Raises what went wrong."""
        await self._send()
        await self._wait(0)
        if self._refused:
            reasons = "; ".join(dict.fromkeys(self._refused[:SHOWN_REASONS]))
            raise RetrievalError(
                f"Elasticsearch at {self._connection.place} refused {len(self._refused)} of {self._count} "
                f"entries ({reasons}). Nothing of this write is kept; please report it."
            )

    async def stop(self) -> None:
        """Wait until nothing is under way any more, however it ended."""
        self._buffer, self._size = [], 0
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()

    async def _send(self) -> None:
        if not self._buffer:
            return
        await self._wait(UNDER_WAY - 1)
        operations, self._buffer, self._size = self._buffer, [], 0
        self._tasks.add(asyncio.create_task(self._written(operations)))

    async def _wait(self, most: int) -> None:
        """Until at most so many requests are under way."""
        while len(self._tasks) > most:
            done, self._tasks = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()

    async def _written(self, operations: list[Operation]) -> None:
        """Write the operations, those again that the server was too busy for."""
        began, pause = time.monotonic(), FIRST_PAUSE
        while operations := await self._once(operations):
            if time.monotonic() - began + pause > self._connection.server.write_patience:
                raise IndexUnavailable(
                    f"Elasticsearch at {self._connection.place} is too busy to write. Nothing of this "
                    f"write is kept; repeat it later."
                )
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _once(self, operations: list[Operation]) -> list[Operation]:
        """Send the operations; those that should be sent again."""
        lines: Any = [operation.lines() for operation in operations]

        async def send(client: AsyncElasticsearch) -> Any:
            self._unanswered += 1
            answer = await client.bulk(
                index=self._alias,
                operations=lines,
                require_alias=True,
                filter_path=["errors", "items.*.status", "items.*.error"],
            )
            self._unanswered -= 1
            return answer

        answer = await self._connection.write(send)
        if not answer["errors"]:
            return []
        again: list[Operation] = []
        for operation, item in zip(operations, answer["items"], strict=True):
            result = next(iter(item.values()))
            if self._is_late(result):
                again.append(operation)
        return again

    def _is_late(self, result: dict[str, Any]) -> bool:
        """Whether to send an operation again; what is refused for good is kept for the error."""
        error = result.get("error")
        if not error:
            return False
        said = f"{error.get('type')}: {error.get('reason')}"
        if full(said):
            raise refusal(f"Elasticsearch at {self._connection.place}", result["status"], said)
        if result["status"] in BUSY:
            return True
        self._refused.append(said)
        return False
