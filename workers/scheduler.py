"""Looks at the clock for digests. Any number of schedulers side by side tell each digest once."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.digests.service import Telling
from bot.errors import QueueDown

logger = logging.getLogger(__name__)

EVERY_S = 5.0


class Scheduler:
    """Makes rounds of `Telling` until it is cancelled."""

    def __init__(self, telling: Telling) -> None:
        self._telling = telling

    async def run(self, every_s: float = EVERY_S) -> None:
        """Make a round every so many seconds. A failing database or queue is waited out."""
        while True:
            try:
                await self._telling.round()
            except QueueDown as error:
                logger.warning("digests wait for the queue: %s", error)
            except Exception:
                logger.exception("the round of digests failed and is made again in %.0f s", every_s)
            await asyncio.sleep(every_s)


@asynccontextmanager
async def scheduling(telling: Telling, every_s: float = EVERY_S) -> AsyncIterator[None]:
    """Tell digests as long as the context is open."""
    task = asyncio.create_task(Scheduler(telling).run(every_s))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
