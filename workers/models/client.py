"""How a process asks the model workers: put a request, wait for its answer, put it again if it was lost."""

import asyncio
import threading
import time
import uuid
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, cast

from redis.asyncio import Redis
from redis.exceptions import ConnectionError as NoConnection
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as NoReply

from retrieval.errors import ModelOverloaded, ModelsUnavailable
from workers.models.protocol import ComputeReply, ComputeRequest, Keys, Kind, ModelCard, read_card

WAITING = 256
"""Requests of a kind that may wait; the next one is refused at once."""
AT_A_TIME = 32
"""Requests of this process that are under way; each one holds a connection."""
LOOK_S = 1.0
"""How often a waiting client looks whether a worker lives and whether its request is still there."""
PATIENCE_S = 15.0
"""How long a missing worker or Redis is waited for: about what a restart takes."""

NO_WORKER = (
    "No model worker answers. Start one with `pestle worker --queues models`, "
    "or set PESTLE_MODELS_REMOTE=false to compute in this process."
)
NO_REDIS = "The model workers cannot be asked: Redis says {}. Check that it runs, and PESTLE_REDIS_URL."
CLOSING = "The model workers are asked no more, since this process is ending. Start it again."


@dataclass(slots=True)
class _Waiting:
    """A request under way. `stream_id` is Redis' name for it, None before it is put and after it was lost."""

    kind: Kind
    body: bytes
    request_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    stream_id: Any = None


class ModelClient:
    """Asks the model workers behind a Redis.

    It lives in a thread with an event loop of its own: `Encoder.windows` is no coroutine, and may be called
    from any thread.
    """

    def __init__(
        self,
        url: str,
        *,
        timeout_s: float = 120.0,
        patience_s: float = PATIENCE_S,
        waiting: int = WAITING,
        keys: Keys | None = None,
    ) -> None:
        self._redis: Any = Redis.from_url(url)  # its types leave open which replies are bytes
        self._keys = keys or Keys()
        self._timeout_s = timeout_s
        self._patience_s = patience_s
        self._limit = waiting
        self._room = asyncio.Semaphore(AT_A_TIME)
        self._closing = False
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="model-client", daemon=True)
        self._thread.start()

    def card(self) -> ModelCard:
        """What the workers run. Raises `ModelsUnavailable`; blocks its thread for `patience_s` at most."""
        return asyncio.run_coroutine_threadsafe(self._read_card(), self._loop).result()

    async def ask(self, kind: Kind, request: ComputeRequest) -> ComputeReply:
        """The answer to one request.

        Raises `ModelOverloaded` if too many wait already, `ModelsUnavailable` if Redis or the workers are
        away for longer than `patience_s` or do not answer within `timeout_s`, and what a worker answers with.
        """
        return await asyncio.wrap_future(self._begin(kind, request))

    def ask_now(self, kind: Kind, request: ComputeRequest) -> ComputeReply:
        """As `ask`, for code that is no coroutine; blocks its thread."""
        return self._begin(kind, request).result()

    async def close(self) -> None:
        """Release connections and thread. Whoever waits for an answer gets `ModelsUnavailable`."""
        if self._loop.is_closed():
            return
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._end(), self._loop))
        self._loop.call_soon_threadsafe(self._loop.stop)
        await asyncio.to_thread(self._thread.join)
        self._loop.close()

    async def _end(self) -> None:
        """Let what is under way end: a thread that waited for it for ever would keep its process alive."""
        self._closing = True
        while under_way := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(under_way)
        await self._redis.aclose()

    def _begin(self, kind: Kind, request: ComputeRequest) -> Future[ComputeReply]:
        if self._closing:
            raise ModelsUnavailable(CLOSING)
        return asyncio.run_coroutine_threadsafe(self._asked(_Waiting(kind, request.pack())), self._loop)

    async def _asked(self, waiting: _Waiting) -> ComputeReply:
        async with self._room:
            try:
                return ComputeReply.unpack(await self._answered(waiting))
            except RedisError as error:
                raise ModelsUnavailable(NO_REDIS.format(error)) from error
            finally:
                await self._withdraw(waiting)

    async def _answered(self, waiting: _Waiting) -> bytes:
        """Wait for the answer. A request that Redis lost is put again: computing it twice does no harm."""
        began = alive = time.monotonic()
        while time.monotonic() - began < self._timeout_s:
            if self._closing:
                raise ModelsUnavailable(CLOSING)
            try:
                if waiting.stream_id is None:
                    await self._put(waiting)
                if (found := await self._arrived(waiting)) is not None:
                    return found
                missing = None if await self._redis.exists(self._keys.card) else NO_WORKER
            except (NoConnection, NoReply) as error:
                missing = NO_REDIS.format(error)
                await asyncio.sleep(LOOK_S / 2)
            alive = self._still(alive, missing)
        raise ModelsUnavailable(
            f"The model worker did not answer within {self._timeout_s:g} s. Start more of them, "
            "or raise PESTLE_MODELS_TIMEOUT."
        )

    async def _put(self, waiting: _Waiting) -> None:
        """Add the request to its stream, if there is room."""
        stream = self._keys.stream(waiting.kind)
        if await self._redis.xlen(stream) >= self._limit:
            raise ModelOverloaded(
                f"{self._limit} requests wait for the model workers. Try again in a moment, or start more."
            )
        fields = {"id": waiting.request_id, "request": waiting.body}
        waiting.stream_id = await self._redis.xadd(stream, fields)

    async def _arrived(self, waiting: _Waiting) -> bytes | None:
        """The answer, if it arrives within `LOOK_S`; notes whether the request is still there otherwise."""
        key = self._keys.answer(waiting.request_id)
        if found := await self._redis.blpop([key], timeout=LOOK_S):
            return cast(bytes, found[1])
        entry = waiting.stream_id
        if await self._redis.xrange(self._keys.stream(waiting.kind), entry, entry):
            return None
        waiting.stream_id = None
        return cast(bytes | None, await self._redis.lpop(key))

    def _still(self, alive: float, missing: str | None) -> float:
        """When everything was last there. Raises `ModelsUnavailable` once that is too long ago."""
        now = time.monotonic()
        if missing is None:
            return now
        if now - alive > self._patience_s:
            raise ModelsUnavailable(missing)
        return alive

    async def _withdraw(self, waiting: _Waiting) -> None:
        """Take back what nobody waits for any more."""
        if waiting.stream_id is not None:
            try:
                await self._redis.xdel(self._keys.stream(waiting.kind), waiting.stream_id)
            except RedisError:
                return  # it is computed for nothing, and its answer expires

    async def _read_card(self) -> ModelCard:
        alive = time.monotonic()
        while True:
            try:
                if found := await self._redis.get(self._keys.card):
                    return read_card(found)
                missing = NO_WORKER
            except (NoConnection, NoReply) as error:
                missing = NO_REDIS.format(error)
            except RedisError as error:
                raise ModelsUnavailable(NO_REDIS.format(error)) from error
            alive = self._still(alive, missing)
            await asyncio.sleep(LOOK_S / 4)
