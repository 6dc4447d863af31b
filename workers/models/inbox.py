"""The requests of one kind in Redis: taken, kept in hand, answered."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from retrieval.errors import RetrievalError
from workers.models.protocol import Keys, Kind, pack_error

GROUP, CONSUMER = "workers", "worker"
"""The consumer group; all workers also share one consumer's name, as only idle times matter."""
TOGETHER = 8
"""Requests that are taken at a time; of at most `remote.PART_TEXTS` texts each."""
BLOCK_MS = 1_000
DELIVERIES = 3
"""A request that was in hand of so many workers that died is refused: it may be what kills them."""
NO_STREAM = ("NOGROUP", "UNBLOCKED")
"""How Redis begins to say that the stream or its group is not there, or vanished while it was read."""
ANSWER_KEPT_MS = 60_000


@dataclass(frozen=True, slots=True)
class Entry:
    """A request in hand. `stream_id` is Redis' name for it, `request_id` the client's."""

    stream_id: bytes
    request_id: str
    body: bytes


class Inbox:
    """Requests of one kind, shared with the other workers.

    A request in hand whose worker gives no sign of life for `lost_ms` is given to another. Methods raise
    Redis' own errors.
    """

    def __init__(self, redis: Redis, keys: Keys, kind: Kind, lost_ms: int) -> None:
        self._redis: Any = redis  # its types leave open which replies are bytes
        self._keys = keys
        self._stream = keys.stream(kind)
        self._lost_ms = lost_ms
        self._in_hand: set[bytes] = set()

    async def take(self) -> list[Entry]:
        """What a dead worker left, else what is new; waits up to a second for it."""
        try:
            left = await self._redis.xautoclaim(self._stream, GROUP, CONSUMER, self._lost_ms, count=1)
            found = await self._tolerable(_entries(left[1])) or await self._new()
        except ResponseError as error:
            if not str(error).startswith(NO_STREAM):
                raise
            await self._create()
            return []
        self._in_hand.update(entry.stream_id for entry in found)
        return found

    async def reply(self, answers: dict[Entry, bytes]) -> None:
        """Answers appear and their requests vanish in one transaction."""
        async with self._redis.pipeline(transaction=True) as all_at_once:
            for entry, answer in answers.items():
                key = self._keys.answer(entry.request_id)
                all_at_once.rpush(key, answer)
                all_at_once.pexpire(key, ANSWER_KEPT_MS)
                all_at_once.xack(self._stream, GROUP, entry.stream_id)
                all_at_once.xdel(self._stream, entry.stream_id)
            await all_at_once.execute()

    def put_down(self, entries: Sequence[Entry]) -> None:
        """These are in hand no more: answered, or left to another worker."""
        self._in_hand.difference_update(entry.stream_id for entry in entries)

    async def beat(self) -> None:
        """A sign of life for what is in hand."""
        if ids := list(self._in_hand):
            await self._redis.xclaim(self._stream, GROUP, CONSUMER, 0, ids, justid=True)

    async def _new(self) -> list[Entry]:
        new = await self._redis.xreadgroup(
            GROUP, CONSUMER, {self._stream: ">"}, count=TOGETHER, block=BLOCK_MS
        )
        return _entries(new[0][1]) if new else []

    async def _create(self) -> None:
        """The stream and its group, made by the first worker and again after a Redis that lost its data."""
        try:
            await self._redis.xgroup_create(self._stream, GROUP, id="0", mkstream=True)
        except ResponseError as error:
            if "BUSYGROUP" not in str(error):
                raise

    async def _tolerable(self, entries: list[Entry]) -> list[Entry]:
        """Without requests that outlived too many workers; those are answered with an error."""
        kept = []
        for entry in entries:
            pending = await self._redis.xpending_range(
                self._stream, GROUP, min=entry.stream_id, max=entry.stream_id, count=1
            )
            if pending and pending[0]["times_delivered"] > DELIVERIES:
                error = RetrievalError(
                    f"{DELIVERIES} model workers ended while they computed this. Look into their logs."
                )
                await self.reply({entry: pack_error(error)})
            else:
                kept.append(entry)
        return kept


def _entries(found: Sequence[tuple[bytes, dict[bytes, bytes] | None]]) -> list[Entry]:
    """Redis' entries; one that its client has withdrawn has no fields any more."""
    return [
        Entry(stream_id, fields[b"id"].decode(errors="replace"), fields[b"request"])
        for stream_id, fields in found
        if fields and b"id" in fields and b"request" in fields
    ]
