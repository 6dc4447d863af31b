"""Looks at the clock for digests. Any number of schedulers side by side tell each digest once."""

import logging
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from agents.runs.background import in_background
from workers.rounds import again_and_again

EVERY_S = 5.0


class Rounds(Protocol):
    """What is done again and again, as `Telling` does it."""

    async def round(self) -> None:
        """One round."""


def scheduling(telling: Rounds, every_s: float = EVERY_S) -> AbstractAsyncContextManager[None]:
    """Tell digests as long as the context is open."""
    return in_background(again_and_again(telling.round, "digests", every_s, waits=logging.WARNING))
