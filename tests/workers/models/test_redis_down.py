"""A Redis that is killed and comes back empty: requests under way are put again, workers go on."""

import asyncio
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from retrieval.errors import ModelsUnavailable
from tests.journey.waiting import free_port, wait_for
from tests.support.hashing import HashingEncoder
from tests.support.model_workers import fresh_keys, serving
from tests.support.services import listening, program
from tests.workers.models.slow import SlowEncoder, WordReranker
from workers.models.client import ModelClient
from workers.models.main import serving_models
from workers.models.remote import RemoteEncoder

TEXTS = [f"text {i}" for i in range(100)]


class OwnRedis:
    """A Redis of the test's own, which keeps nothing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self.url = f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        port = str(self._port)
        arguments = ["--port", port, "--save", "", "--appendonly", "no", "--dir", str(self._folder)]
        server = program("redis-server")
        self._process = subprocess.Popen([server, *arguments], stdout=subprocess.DEVNULL)
        wait_for(lambda: listening(self._port), 10, "Redis to listen")

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[OwnRedis]:
    server = OwnRedis(tmp_path)
    server.start()
    yield server
    server.kill()


@pytest.mark.drill
async def test_a_redis_that_dies_and_comes_back_costs_some_seconds(own_redis: OwnRedis) -> None:
    keys, slow = fresh_keys(), SlowEncoder(0.5)
    with serving(slow, WordReranker(), keys, own_redis.url):
        client = ModelClient(own_redis.url, keys=keys, patience_s=30)
        rows = asyncio.create_task(RemoteEncoder(client).encode(TEXTS))
        await asyncio.sleep(0.3)
        await asyncio.to_thread(own_redis.kill)
        await asyncio.sleep(2)
        await asyncio.to_thread(own_redis.start)
        async with asyncio.timeout(60):
            assert (await rows).tobytes() == (await HashingEncoder().encode(TEXTS)).tobytes()
        await client.close()


@pytest.mark.drill
async def test_a_redis_that_stays_away_is_told(own_redis: OwnRedis) -> None:
    keys, slow = fresh_keys(), SlowEncoder(30)
    with serving(slow, WordReranker(), keys, own_redis.url):
        client = ModelClient(own_redis.url, keys=keys, patience_s=2)
        rows = asyncio.create_task(RemoteEncoder(client).encode(TEXTS))
        await asyncio.sleep(0.3)
        await asyncio.to_thread(own_redis.kill)
        with pytest.raises(ModelsUnavailable, match="cannot be asked: Redis says"):
            async with asyncio.timeout(60):
                await rows
        await client.close()
        slow.seconds = 0
        own_redis.start()


async def test_models_that_cannot_be_served_any_more_end_the_process() -> None:
    """As a deploy would: whoever runs the process starts it again."""
    told = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, told.set)
    try:
        async with serving_models("redis://127.0.0.1:1/0", HashingEncoder(), WordReranker()):
            async with asyncio.timeout(30):
                await told.wait()
    finally:
        asyncio.get_running_loop().remove_signal_handler(signal.SIGTERM)
