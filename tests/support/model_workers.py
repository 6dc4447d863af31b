"""Model workers for tests: a thread with an event loop of its own, or a process that can be killed."""

import asyncio
import atexit
import secrets
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import cache

import redis
from redis.asyncio import Redis

from retrieval.ports import Encoder, Reranker
from retrieval.rerank.late_interaction import LateInteraction
from tests.retrieval.minilm import minilm
from tests.support.services import redis_url
from workers.models.client import ModelClient
from workers.models.protocol import Keys
from workers.models.server import ModelServer

PROCESS = """
import asyncio, sys
from redis.asyncio import Redis
from tests.workers.models.slow import SlowEncoder, WordReranker
from workers.models.client import ModelClient
from workers.models.protocol import Keys
from workers.models.server import ModelServer

async def main():
    async with Redis.from_url(sys.argv[1]) as redis:
        encoder, keys = SlowEncoder(float(sys.argv[3])), Keys(sys.argv[2])
        server = ModelServer(redis, encoder, WordReranker(), keys, lost_s=2)
        await server.serve(asyncio.Event())

asyncio.run(main())
"""


def fresh_keys() -> Keys:
    return Keys(f"pestle-test:{secrets.token_hex(4)}")


@contextmanager
def serving(encoder: Encoder, reranker: Reranker, keys: Keys, url: str = "") -> Iterator[None]:
    """A model worker in a thread. Leaves nothing in the tests' Redis."""
    url = url or redis_url()
    loop, stop, ready = asyncio.new_event_loop(), asyncio.Event(), threading.Event()

    async def serve() -> None:
        async with Redis.from_url(url) as connection:
            server = ModelServer(connection, encoder, reranker, keys)
            serving = asyncio.create_task(server.serve(stop))
            ready.set()
            await serving

    thread = threading.Thread(target=lambda: loop.run_until_complete(serve()), daemon=True)
    thread.start()
    ready.wait(10)
    try:
        yield
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()
        clear(keys)


@contextmanager
def model_process(keys: Keys, seconds: float) -> Iterator[subprocess.Popen[bytes]]:
    """A model worker process whose encoder takes so long for each batch."""
    arguments = (redis_url(), keys.namespace, str(seconds))
    process = subprocess.Popen([sys.executable, "-c", PROCESS, *arguments])
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@cache
def remote_models() -> ModelClient:
    """A client of a worker with the default models, until the test run ends."""
    keys, stack = fresh_keys(), ExitStack()
    stack.enter_context(serving(minilm(), LateInteraction(minilm()), keys))
    atexit.register(stack.close)
    return ModelClient(redis_url(), keys=keys)


def clear(keys: Keys) -> None:
    """Remove every key of a test."""
    with closing(redis.Redis.from_url(redis_url())) as connection:
        for name in connection.scan_iter(f"{keys.namespace}:*"):
            connection.delete(name)
