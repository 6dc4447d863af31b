"""A stream of entries into the index, in requests of a megabyte, with only a few under way at a time."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import orjson
from elasticsearch import AsyncElasticsearch
from tenacity import RetryCallState, retry_if_result

from retrieval.errors import IndexUnavailable, RetrievalError
from retrieval.index.elastic.faults import BUSY, full, refusal
from retrieval.index.elastic.server import Connection, repeated

REQUEST_BYTES = 1_000_000
"""Size of a request. aiohttp writes a body in one piece, and other tasks wait for it meanwhile."""
UNDER_WAY = 4
"""Requests at a time: the server works on them side by side, and never has more to hold."""
SHOWN_REASONS = 3


@dataclass(frozen=True, slots=True)
class Operation:
    """What is to happen to one entry: `lines` as Elasticsearch reads them."""

    lines: bytes

    @classmethod
    def put(cls, entry_id: str, source: Mapping[str, Any]) -> "Operation":
        """Put an entry there, in the place of one with the same id. Vectors may be rows of numpy."""
        head = orjson.dumps({"index": {"_id": entry_id}})
        return cls(head + b"\n" + orjson.dumps(source, option=orjson.OPT_SERIALIZE_NUMPY) + b"\n")

    @classmethod
    def delete(cls, entry_id: str) -> "Operation":
        """Delete an entry."""
        return cls(orjson.dumps({"delete": {"_id": entry_id}}) + b"\n")


class BulkStream:
    """Writes operations; `add` waits when too many are under way.

    An entry that the server has no room for just now (429) is sent again after a pause, each on its own
    account. What it refuses for good is collected into one error, raised by a later `add` or by `drain`.
    """

    def __init__(
        self, connection: Connection, index: str, request_bytes: int = REQUEST_BYTES, *, is_alias: bool = True
    ) -> None:
        self._connection = connection
        self._index = index
        self._is_alias = is_alias
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
        if self._size + len(operation.lines) > self._request_bytes:
            await self._send()
        self._buffer.append(operation)
        self._size += len(operation.lines)
        self._count += 1

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

        async def once() -> bool:
            nonlocal operations
            operations = await self._once(operations)
            return bool(operations)

        patience = self._connection.server.write_patience
        await repeated(patience, retry=retry_if_result(bool), retry_error_callback=self._give_up)(once)

    def _give_up(self, _: RetryCallState) -> NoReturn:
        raise IndexUnavailable(
            f"Elasticsearch at {self._connection.place} is too busy to write. Nothing of this "
            f"write is kept; repeat it later."
        )

    async def _once(self, operations: list[Operation]) -> list[Operation]:
        """Send the operations; those that should be sent again."""
        lines: Any = [operation.lines for operation in operations]

        async def send(client: AsyncElasticsearch) -> Any:
            self._unanswered += 1
            answer = await client.bulk(
                index=self._index,
                operations=lines,
                require_alias=self._is_alias,
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
            raise refusal(self._connection.place, result["status"], said)
        if result["status"] in BUSY:
            return True
        self._refused.append(said)
        return False
