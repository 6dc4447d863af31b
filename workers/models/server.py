"""The model worker: says what it runs, and answers requests until it is told to end."""

import asyncio
import logging
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from retrieval.errors import EncoderMismatch, ModelsUnavailable
from retrieval.ports import Encoder, Reranker
from workers.models.compute import Computing
from workers.models.inbox import Inbox
from workers.models.protocol import Keys, Kind, read_card

logger = logging.getLogger(__name__)

LANES = 2
"""Batches of a kind in hand at a time: while the model computes one, the other is read and answered."""
LOST_S = 5.0
"""What a worker had in hand that was silent for so long is handed to another; its card expires as soon."""
BEATS = 5
"""Signs of life in that time."""
SHUTDOWN_S = 8.0


class ModelServer:
    """Serves an encoder and a reranker to all who share the Redis. Several side by side share the work."""

    def __init__(
        self,
        redis: Redis,
        encoder: Encoder,
        reranker: Reranker,
        keys: Keys | None = None,
        *,
        lost_s: float = LOST_S,
    ) -> None:
        self._redis: Any = redis
        self._keys = keys or Keys()
        self._lost_ms = round(lost_s * 1000)
        self._beat_s = lost_s / BEATS
        self._computing = Computing(encoder, reranker)
        self._inboxes = {kind: Inbox(redis, self._keys, kind, self._lost_ms) for kind in Kind}

    async def serve(self, stop: asyncio.Event) -> None:
        """Answer requests until `stop` is set; what is in hand then is finished, or left to another worker.

        Raises `EncoderMismatch` if living workers on this Redis run other models, `ModelsUnavailable` if it
        cannot be used.
        """
        await self._computing.warm_up()
        try:
            await self._announce()
            await self._serve(stop)
        except RedisError as error:
            raise ModelsUnavailable(
                f"Redis cannot be used: {error}. Check PESTLE_REDIS_URL; it must be Redis 6.2 or newer."
            ) from error

    async def _serve(self, stop: asyncio.Event) -> None:
        """All lanes until `stop`, or until one fails for good.

        Lanes end by themselves within a second after their batch: a cancellation can get lost in redis-py.
        """
        ending, stopping = asyncio.Event(), asyncio.create_task(stop.wait())
        beat = asyncio.create_task(self._beat(ending))
        lanes = [asyncio.create_task(self._lane(kind, ending)) for kind in Kind for _ in range(LANES)]
        try:
            await asyncio.wait((stopping, *lanes), return_when=asyncio.FIRST_COMPLETED)
            ending.set()
            done, _ = await asyncio.wait(lanes, timeout=SHUTDOWN_S)
            for lane in done:
                lane.result()
        finally:
            ending.set()
            for task in (stopping, beat, *lanes):
                task.cancel()
            await asyncio.gather(stopping, beat, *lanes, return_exceptions=True)

    async def _announce(self) -> None:
        """Write the card, unless another one is there."""
        mine = self._computing.card
        if await self._redis.set(self._keys.card, mine.model_dump_json(), nx=True, px=self._lost_ms):
            return
        there = await self._redis.get(self._keys.card)
        if there is not None and (other := read_card(there)) != mine:
            raise EncoderMismatch(
                f"Other model workers on this Redis run {other.encoder.name} and {other.reranker.name}, "
                f"this one {mine.encoder.name} and {mine.reranker.name}. Stop them first."
            )

    async def _beat(self, ending: asyncio.Event) -> None:
        """Say again and again that this worker lives and works on what it has in hand."""
        card = self._computing.card.model_dump_json()
        while not ending.is_set():
            try:
                await self._redis.set(self._keys.card, card, px=self._lost_ms)
                for inbox in self._inboxes.values():
                    await inbox.beat()
            except RedisError as error:
                logger.debug("no sign of life could be given: %s", error)
            await asyncio.sleep(self._beat_s)

    async def _lane(self, kind: Kind, ending: asyncio.Event) -> None:
        """Requests of one kind, batch after batch. Redis being away is waited out."""
        inbox = self._inboxes[kind]
        while not ending.is_set():
            try:
                entries = await inbox.take()
                try:
                    await inbox.reply(await self._computing.answers(kind, entries))
                finally:
                    inbox.put_down(entries)
            except ResponseError:
                raise  # Redis is there and refuses: waiting will not help
            except RedisError as error:
                logger.warning("Redis cannot be reached, trying again: %s", error)
                await asyncio.sleep(self._beat_s)
