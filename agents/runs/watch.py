"""Ends the steps in hand when somebody says stop, or when the run's time is used up."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from agents.errors import RunStopped
from agents.runs.deadline import limited
from agents.runs.run import Run

logger = logging.getLogger(__name__)

LOOK_S = 0.5
"""How often a stop request is looked for."""


@asynccontextmanager
async def watched(run: Run) -> AsyncIterator[None]:
    """Cancel the block when the run must stop. Raises the `RunStopped` that says why.

    Steps in hand are noted as interrupted, and are done again when the run is resumed.
    """
    end = asyncio.timeout(None)
    reasons: list[RunStopped] = []
    try:
        async with end:
            watching = asyncio.create_task(_watch(run, end, reasons))
            try:
                with limited(run.seconds_left):
                    yield
            finally:
                watching.cancel()
                await asyncio.wait([watching])
    except TimeoutError:
        if end.expired() and reasons:
            raise reasons[0] from None
        raise


async def _watch(run: Run, end: asyncio.Timeout, reasons: list[RunStopped]) -> None:
    while not reasons:
        await asyncio.sleep(_until_next_look(run))
        try:
            await run.check()
        except RunStopped as reason:
            reasons.append(reason)
            end.reschedule(asyncio.get_running_loop().time())
        except Exception as error:
            logger.warning("whether run %s must stop could not be looked up: %s", run.id, error)


def _until_next_look(run: Run) -> float:
    """A moment after the time limit, if that comes first."""
    left = run.seconds_left()
    return LOOK_S if left is None or left < 0 else min(LOOK_S, left + 0.01)
