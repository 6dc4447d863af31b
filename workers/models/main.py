"""A model worker as a process, or beside the runs that a worker carries."""

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from redis.asyncio import Redis

from retrieval.ports import Encoder, Reranker
from workers.models.server import ModelServer

logger = logging.getLogger(__name__)


def run_model_worker(
    redis_url: str, encoder: Encoder, reranker: Reranker, beside: AbstractAsyncContextManager[None]
) -> None:
    """Answer requests until SIGTERM or SIGINT; what is in hand then is finished. `beside` is open meanwhile.

    Call it in the main thread of its own process. Raises `EncoderMismatch`, `ModelsUnavailable`.
    """

    async def run() -> None:
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        async with beside, Redis.from_url(redis_url) as redis:
            await ModelServer(redis, encoder, reranker).serve(stop)

    asyncio.run(run())


@asynccontextmanager
async def serving_models(redis_url: str, encoder: Encoder, reranker: Reranker) -> AsyncIterator[None]:
    """Answer requests while the context is open. A server that fails ends the process, as a deploy would."""
    stop = asyncio.Event()

    async def serve() -> None:
        async with Redis.from_url(redis_url) as redis:
            await ModelServer(redis, encoder, reranker).serve(stop)

    def ended(task: asyncio.Task[None]) -> None:
        if not stop.is_set():
            logger.error("the models are served no more", exc_info=task.exception())
            os.kill(os.getpid(), signal.SIGTERM)

    serving = asyncio.create_task(serve())
    serving.add_done_callback(ended)
    try:
        yield
    finally:
        stop.set()
        await asyncio.gather(serving, return_exceptions=True)
