"""Model workers as processes that are killed: every request is answered, none hangs."""

import asyncio
import signal
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from typing import Any

import pytest
import redis

from retrieval.errors import ModelsUnavailable, RetrievalError
from tests.journey.waiting import wait_for
from tests.support.hashing import HashingEncoder
from tests.support.model_workers import clear, fresh_keys, model_process
from tests.support.services import redis_url
from workers.models.client import ModelClient
from workers.models.inbox import DELIVERIES, GROUP
from workers.models.protocol import Keys, Kind
from workers.models.remote import RemoteEncoder

pytestmark = pytest.mark.service("redis")
TEXTS = [f"text {i}" for i in range(100)]


@pytest.fixture
def keys() -> Iterator[Keys]:
    keys = fresh_keys()
    yield keys
    clear(keys)


@pytest.fixture
async def client(keys: Keys) -> AsyncIterator[ModelClient]:
    client = ModelClient(redis_url(), keys=keys)
    yield client
    await client.close()


async def in_hand(keys: Keys, times: int = 1) -> None:
    """Wait until so many workers, one after another, have begun with a request."""
    stream = keys.stream(Kind.TEXTS)
    with closing(redis.Redis.from_url(redis_url())) as connection:

        def begun() -> bool:
            if not connection.exists(stream) or not connection.xinfo_groups(stream):
                return False
            found = connection.xpending_range(stream, GROUP, min="-", max="+", count=1)
            return bool(found) and found[0]["times_delivered"] >= times

        await asyncio.to_thread(wait_for, begun, 20, f"a worker to begin, for the {times}. time")


async def kill(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGKILL)
    await asyncio.to_thread(process.wait)


async def test_what_a_killed_worker_had_in_hand_is_done_by_another(keys: Keys, client: ModelClient) -> None:
    with model_process(keys, 60) as first:
        encoder = RemoteEncoder(client)
        rows = asyncio.create_task(encoder.encode(TEXTS))
        await in_hand(keys)
        with model_process(keys, 0):
            await kill(first)
            async with asyncio.timeout(30):
                assert (await rows).tobytes() == (await HashingEncoder().encode(TEXTS)).tobytes()


async def test_a_question_survives_the_restart_of_the_only_worker(keys: Keys, client: ModelClient) -> None:
    with model_process(keys, 60) as first:
        encoder = RemoteEncoder(client)
        rows = asyncio.create_task(encoder.encode(TEXTS[:1]))
        await in_hand(keys)
        await kill(first)
    with model_process(keys, 0):
        async with asyncio.timeout(30):
            assert (await rows).shape == (1, 256)


async def test_when_no_worker_comes_back_the_client_is_told(keys: Keys) -> None:
    client = ModelClient(redis_url(), keys=keys, patience_s=5)
    with model_process(keys, 60) as only:
        rows = asyncio.create_task(RemoteEncoder(client).encode(TEXTS[:1]))
        await in_hand(keys)
        await kill(only)
    with pytest.raises(ModelsUnavailable, match="No model worker answers"):
        async with asyncio.timeout(30):
            await rows
    await client.close()


async def test_a_long_batch_of_a_living_worker_is_left_to_it(keys: Keys, client: ModelClient) -> None:
    with model_process(keys, 4):
        rows = asyncio.create_task(RemoteEncoder(client).encode(TEXTS[:1]))
        await in_hand(keys)
        with model_process(keys, 4), closing(redis.Redis.from_url(redis_url())) as connection:
            await asyncio.sleep(3)
            stream = keys.stream(Kind.TEXTS)
            (pending,) = connection.xpending_range(stream, GROUP, min="-", max="+", count=10)
            assert pending["times_delivered"] == 1
            assert (await rows).shape == (1, 256)


async def test_a_request_that_ends_worker_after_worker_is_refused(keys: Keys, client: ModelClient) -> None:
    rows: asyncio.Task[Any] | None = None
    for times in range(1, DELIVERIES + 1):
        with model_process(keys, 60) as worker:
            rows = rows or asyncio.create_task(RemoteEncoder(client).encode(TEXTS[:1]))
            await in_hand(keys, times)
            await kill(worker)
    assert rows is not None
    with model_process(keys, 60), pytest.raises(RetrievalError, match="model workers ended"):
        async with asyncio.timeout(30):
            await rows
