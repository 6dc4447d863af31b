"""The lease of a run, renewed while its work goes on; whoever loses it is cancelled."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from agents.errors import LeaseLost
from agents.ports import Ledger

logger = logging.getLogger(__name__)

RENEWALS = 3
"""Attempts to renew within the life of a lease."""


@asynccontextmanager
async def holding(
    ledger: Ledger, run_id: str, owner: str, seconds: float
) -> AsyncIterator[Callable[[], bool]]:
    """Keep a lease that was acquired, for as long as the block runs; yields whether it was lost.

    The block is cancelled when another owner has the lease, or when it could not be renewed before it ran
    out. Raises `LeaseLost` then.
    """
    deadline = asyncio.timeout(seconds)
    try:
        async with deadline:
            beat = asyncio.create_task(_renew(ledger, run_id, owner, seconds, deadline))
            try:
                yield deadline.expired
            finally:
                beat.cancel()
                await asyncio.wait([beat])
    except TimeoutError:
        if deadline.expired():
            raise LeaseLost(f"Another worker executes the run {run_id} now.") from None
        raise


async def _renew(ledger: Ledger, run_id: str, owner: str, seconds: float, deadline: asyncio.Timeout) -> None:
    """Move the deadline at each renewal; bring it to now when the lease has another owner."""
    loop = asyncio.get_running_loop()
    while not deadline.expired():
        await asyncio.sleep(seconds / RENEWALS)
        asked = loop.time()
        try:
            lease = await ledger.acquire(run_id, owner, seconds)
        except Exception as error:
            logger.warning("the lease of run %s was not renewed: %s", run_id, error)
            continue
        if not deadline.expired():
            deadline.reschedule(asked + seconds if lease else asked)
