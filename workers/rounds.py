"""Work that is done again and again."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.errors import QueueDown

logger = logging.getLogger(__name__)


async def again_and_again(
    work: Callable[[], Awaitable[None]], what: str, every_s: float, *, waits: int
) -> None:
    """Do the work every so many seconds until cancelled. A failing database or queue is waited out.

    `what` names it in the log; `waits` is the level at which is logged that it waits for the queue.
    """
    while True:
        try:
            await work()
        except QueueDown as error:
            logger.log(waits, "%s: waiting for the queue: %s", what, error)
        except Exception:
            logger.exception("%s failed and is tried again in %.0f s", what, every_s)
        await asyncio.sleep(every_s)
