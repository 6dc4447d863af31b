"""The model worker: says what it runs, and answers requests until it is told to end."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import numpy as np
from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from retrieval.errors import EncoderMismatch, ModelsUnavailable, RetrievalError
from retrieval.ports import Encoder, Reranker, Vectors
from workers.models.inbox import Entry, Inbox
from workers.models.protocol import (
    ComputeReply,
    ComputeRequest,
    EncoderCard,
    Keys,
    Kind,
    ModelCard,
    RerankerCard,
    pack_error,
    read_card,
)

logger = logging.getLogger(__name__)
LANES = 2
"""Batches of a kind in hand at a time: while the model computes one, the other is read and answered."""
LOST_S = 5.0
"""What a worker had in hand that was silent for so long is handed to another; its card expires as soon."""
BEATS = 5
"""Signs of life in that time."""
SHUTDOWN_S = 8.0


class Computing:
    """The models of a worker. `card` is what they say of themselves."""

    def __init__(self, encoder: Encoder, reranker: Reranker) -> None:
        self._encoder = encoder
        self._reranker = reranker
        self.card = ModelCard(
            encoder=EncoderCard(
                name=encoder.name,
                dimension=encoder.dimension,
                threshold=encoder.threshold,
            ),
            reranker=RerankerCard(name=reranker.name, threshold=reranker.threshold),
        )
        self._work: dict[Kind, Callable[[Sequence[ComputeRequest]], Awaitable[list[ComputeReply]]]] = {
            Kind.TEXTS: lambda requests: self._rows(requests, encoder.encode),
            Kind.QUESTIONS: lambda requests: self._rows(requests, encoder.encode_questions),
            Kind.WINDOWS: self._windows,
            Kind.PAIRS: self._pairs,
        }

    async def warm_up(self) -> None:
        """The first call of a model is slow, and shows whether it works at all."""
        await self._encoder.encode_questions(["warm"])
        await self._reranker.score("warm", ["warm"])

    async def answers(self, kind: Kind, entries: Sequence[Entry]) -> dict[Entry, bytes]:
        """Every entry with its answer, or with the error that it alone is to blame for."""
        answers: dict[Entry, bytes] = {}
        good: dict[Entry, ComputeRequest] = {}
        for entry in entries:
            try:
                good[entry] = self._checked(kind, ComputeRequest.unpack(entry.body))
            except (ValueError, RetrievalError) as error:
                answers[entry] = pack_error(error)
        return answers | await self._together(kind, good)

    def _checked(self, kind: Kind, request: ComputeRequest) -> ComputeRequest:
        """The request, if it is for the model that runs here."""
        here = self.card.model(kind)
        if request.model != here:
            raise EncoderMismatch(
                f"The model worker now runs {here}, and this process began with {request.model}. Restart it."
            )
        return request

    async def _together(self, kind: Kind, requests: dict[Entry, ComputeRequest]) -> dict[Entry, bytes]:
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
        self, requests: Sequence[ComputeRequest], encode: Callable[[Sequence[str]], Awaitable[Vectors]]
    ) -> list[ComputeReply]:
        """The texts of all requests in one call, then each request's rows."""
        rows = await encode([text for request in requests for text in request.texts])
        ends = np.cumsum([len(request.texts) for request in requests])
        return [ComputeReply(part) for part in np.split(rows, ends[:-1])]

    async def _pairs(self, requests: Sequence[ComputeRequest]) -> list[ComputeReply]:
        scores = await asyncio.gather(
            *(self._reranker.score(request.question, request.texts) for request in requests)
        )
        return [ComputeReply(score) for score in scores]

    async def _windows(self, requests: Sequence[ComputeRequest]) -> list[ComputeReply]:
        def cut() -> list[ComputeReply]:
            found = (self._encoder.windows(request.texts, request.heads) for request in requests)
            return [ComputeReply(windows=tuple(map(tuple, windows))) for windows in found]

        return await asyncio.to_thread(cut)


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
