"""Looks at the clock for digests, and for what is kept too long. Any number of schedulers side by side tell
each digest once.
"""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Protocol

from agents.runs.background import in_background
from workers.rounds import again_and_again

EVERY_S, RETAIN_S = 5.0, 3_600.0


class Rounds(Protocol):
    """What is done again and again, as `Telling` does it."""

    async def round(self) -> None:
        """One round."""


@asynccontextmanager
async def scheduling(
    telling: Rounds, retain: Callable[[], Awaitable[None]], every_s: float = EVERY_S
) -> AsyncIterator[None]:
    """Tell digests, and `retain` nothing for too long, as long as the context is open."""
    digests = again_and_again(telling.round, "digests", every_s, waits=logging.WARNING)
    retention = again_and_again(retain, "retention", RETAIN_S, waits=logging.WARNING)
    async with in_background(digests), in_background(retention):
        yield
