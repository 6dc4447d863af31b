"""The model worker: reads requests, computes several together, answers."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from retrieval.errors import EncoderMismatch, ModelsUnavailable, RetrievalError
from retrieval.ports import Encoder, Reranker, Vectors
from workers.models.protocol import (
    GROUP,
    Answer,
    Card,
    EncoderCard,
    Keys,
    Kind,
    Request,
    RerankerCard,
    pack_error,
    read_card,
)

logger = logging.getLogger(__name__)

CONSUMER = "worker"
TOGETHER = 8
"""Requests of several clients that are computed together; of at most `client.PART_TEXTS` texts each."""
LANES = 2
"""Batches of a kind in hand at a time: while the model computes one, the other is read and answered."""
BLOCK_MS = 1_000
LOST_S = 5.0
"""A request in hand whose worker was silent for so long is handed to another; a card expires as soon."""
BEATS = 5
"""Signs of life in that time."""
DELIVERIES = 3
"""A request that was in hand of so many workers that died is refused: it may be what kills them."""
NO_STREAM = ("NOGROUP", "UNBLOCKED")
"""How Redis begins to say that the stream or its group is not there, or vanished while it was read."""
ANSWER_KEPT_MS = 60_000
SHUTDOWN_S = 8.0


@dataclass(frozen=True, slots=True)
class Entry:
    """A request in hand. `stream_id` is Redis' name for it, `request_id` the client's."""

    stream_id: bytes
    request_id: str
    body: bytes


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
        self._redis: Any = redis  # its types leave open which replies are bytes
        self._lost_ms = round(lost_s * 1000)
        self._beat_s = lost_s / BEATS
        self._encoder = encoder
        self._reranker = reranker
        self._keys = keys or Keys()
        self._in_hand: dict[Kind, set[bytes]] = {kind: set() for kind in Kind}
        self.card = Card(
            encoder=EncoderCard(name=encoder.name, dimension=encoder.dimension, threshold=encoder.threshold),
            reranker=RerankerCard(name=reranker.name, threshold=reranker.threshold),
        )
        self._work: dict[Kind, Callable[[Sequence[Request]], Awaitable[list[Answer]]]] = {
            Kind.TEXTS: lambda requests: self._rows(requests, encoder.encode),
            Kind.QUESTIONS: lambda requests: self._rows(requests, encoder.encode_questions),
            Kind.WINDOWS: self._windows,
            Kind.PAIRS: self._pairs,
        }

    async def serve(self, stop: asyncio.Event) -> None:
        """Answer requests until `stop` is set; what is in hand then is finished, or left to another worker.

        Raises `EncoderMismatch` if living workers on this Redis run other models, `ModelsUnavailable` if it
        cannot be used.
        """
        await self._warm_up()
        try:
            await self._announce()
            await self._serve(stop)
        except RedisError as error:
            raise ModelsUnavailable(
                f"Redis cannot be used: {error}. Check PESTLE_REDIS_URL; it must be Redis 6.2 or newer."
            ) from error

    async def _warm_up(self) -> None:
        """The first call of a model is slow, and shows whether it works at all."""
        await self._encoder.encode_questions(["warm"])
        await self._reranker.score("warm", ["warm"])

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
        mine = self.card.model_dump_json()
        if await self._redis.set(self._keys.card, mine, nx=True, px=self._lost_ms):
            return
        there = await self._redis.get(self._keys.card)
        if there is not None and (other := read_card(there)) != self.card:
            raise EncoderMismatch(
                f"Other model workers on this Redis run {other.encoder.name} and {other.reranker.name}, "
                f"this one {self.card.encoder.name} and {self.card.reranker.name}. Stop them first."
            )

    async def _beat(self, ending: asyncio.Event) -> None:
        """Say again and again that this worker lives and works on what it has in hand."""
        while not ending.is_set():
            try:
                await self._redis.set(self._keys.card, self.card.model_dump_json(), px=self._lost_ms)
                for kind, held in self._in_hand.items():
                    if ids := list(held):
                        await self._redis.xclaim(
                            self._keys.stream(kind), GROUP, CONSUMER, 0, ids, justid=True
                        )
            except RedisError as error:
                logger.debug("no sign of life could be given: %s", error)
            await asyncio.sleep(self._beat_s)

    async def _lane(self, kind: Kind, ending: asyncio.Event) -> None:
        """Requests of one kind, batch after batch. Redis being away is waited out."""
        stream = self._keys.stream(kind)
        while not ending.is_set():
            try:
                if entries := await self._take(kind, stream):
                    await self._answer(kind, stream, entries)
            except ResponseError as error:
                if not str(error).startswith(NO_STREAM):
                    raise
                await self._create(stream)
            except RedisError as error:
                logger.warning("Redis cannot be reached, trying again: %s", error)
                await asyncio.sleep(self._beat_s)

    async def _create(self, stream: str) -> None:
        """The stream and its group, made by the first worker and again after a Redis that lost its data."""
        try:
            await self._redis.xgroup_create(stream, GROUP, id="0", mkstream=True)
        except ResponseError as error:
            if "BUSYGROUP" not in str(error):
                raise

    async def _take(self, kind: Kind, stream: str) -> list[Entry]:
        """What a dead worker left, else what is new; waits up to a second for it."""
        left = await self._redis.xautoclaim(stream, GROUP, CONSUMER, self._lost_ms, count=1)
        if entries := await self._tolerable(stream, _entries(left[1])):
            return entries
        new = await self._redis.xreadgroup(GROUP, CONSUMER, {stream: ">"}, count=TOGETHER, block=BLOCK_MS)
        return _entries(new[0][1]) if new else []

    async def _tolerable(self, stream: str, entries: list[Entry]) -> list[Entry]:
        """Without requests that outlived too many workers; those are answered with an error."""
        kept = []
        for entry in entries:
            pending = await self._redis.xpending_range(
                stream, GROUP, min=entry.stream_id, max=entry.stream_id, count=1
            )
            if pending and pending[0]["times_delivered"] > DELIVERIES:
                error = RetrievalError(
                    f"{DELIVERIES} model workers ended while they computed this. Look into their logs."
                )
                await self._reply(stream, {entry: pack_error(error)})
            else:
                kept.append(entry)
        return kept

    async def _answer(self, kind: Kind, stream: str, entries: Sequence[Entry]) -> None:
        held = self._in_hand[kind]
        held.update(entry.stream_id for entry in entries)
        try:
            await self._reply(stream, await self._computed(kind, entries))
        finally:
            held.difference_update(entry.stream_id for entry in entries)

    async def _reply(self, stream: str, answers: dict[Entry, bytes]) -> None:
        """Answers appear and their requests vanish in one transaction."""
        async with self._redis.pipeline(transaction=True) as all_at_once:
            for entry, answer in answers.items():
                key = self._keys.answer(entry.request_id)
                all_at_once.rpush(key, answer)
                all_at_once.pexpire(key, ANSWER_KEPT_MS)
                all_at_once.xack(stream, GROUP, entry.stream_id)
                all_at_once.xdel(stream, entry.stream_id)
            await all_at_once.execute()

    async def _computed(self, kind: Kind, entries: Sequence[Entry]) -> dict[Entry, bytes]:
        """Every entry with its answer, or with the error that it alone is to blame for."""
        answers: dict[Entry, bytes] = {}
        good: dict[Entry, Request] = {}
        for entry in entries:
            try:
                good[entry] = self._checked(kind, Request.unpack(entry.body))
            except (ValueError, RetrievalError) as error:
                answers[entry] = pack_error(error)
        return answers | await self._together(kind, good)

    def _checked(self, kind: Kind, request: Request) -> Request:
        """The request, if it is for the model that runs here."""
        here = self.card.model(kind)
        if request.model != here:
            raise EncoderMismatch(
                f"The model worker now runs {here}, and this process began with {request.model}. Restart it."
            )
        return request

    async def _together(self, kind: Kind, requests: dict[Entry, Request]) -> dict[Entry, bytes]:
        """Computed in one go; if that fails one by one, so that nobody suffers from another's text."""
        try:
            answers = await self._work[kind](list(requests.values())) if requests else []
            return {entry: answer.pack() for entry, answer in zip(requests, answers, strict=True)}
        except Exception as error:
            if len(requests) == 1:
                if not isinstance(error, RetrievalError):
                    logger.exception("a request (%s) failed", kind)
                return {entry: pack_error(error) for entry in requests}
        alone = [await self._together(kind, {entry: request}) for entry, request in requests.items()]
        return {entry: answer for one in alone for entry, answer in one.items()}

    async def _rows(
        self, requests: Sequence[Request], encode: Callable[[Sequence[str]], Awaitable[Vectors]]
    ) -> list[Answer]:
        """The texts of all requests in one call, then each request's rows."""
        rows = await encode([text for request in requests for text in request.texts])
        ends = np.cumsum([len(request.texts) for request in requests])
        return [Answer(part) for part in np.split(rows, ends[:-1])]

    async def _pairs(self, requests: Sequence[Request]) -> list[Answer]:
        scores = await asyncio.gather(
            *(self._reranker.score(request.question, request.texts) for request in requests)
        )
        return [Answer(score) for score in scores]

    async def _windows(self, requests: Sequence[Request]) -> list[Answer]:
        def cut() -> list[Answer]:
            found = (self._encoder.windows(request.texts, request.heads) for request in requests)
            return [Answer(windows=tuple(map(tuple, windows))) for windows in found]

        return await asyncio.to_thread(cut)


def _entries(found: Sequence[tuple[bytes, dict[bytes, bytes] | None]]) -> list[Entry]:
    """Redis' entries; one that its client has withdrawn has no fields any more."""
    return [
        Entry(stream_id, fields[b"id"].decode(), fields[b"request"])
        for stream_id, fields in found
        if fields and b"id" in fields and b"request" in fields
    ]
