"""Looks at the clock for digests. Any number of schedulers side by side tell each digest once."""

import asyncio
import logging
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from agents.runs.background import in_background
from bot.errors import QueueDown

logger = logging.getLogger(__name__)

EVERY_S = 5.0


class Rounds(Protocol):
    """What is done again and again, as `Telling` does it."""

    async def round(self) -> None:
        """One round."""


class Scheduler:
    """Makes rounds until it is cancelled."""

    def __init__(self, telling: Rounds) -> None:
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


def scheduling(telling: Rounds, every_s: float = EVERY_S) -> AbstractAsyncContextManager[None]:
    """Tell digests as long as the context is open."""
    return in_background(Scheduler(telling).run(every_s))
