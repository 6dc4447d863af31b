"""A queue without a server: runs are executed by tasks of this process. For one person, or a trial."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable
from functools import partial

from workers.names import PIPELINE_QUEUE

logger = logging.getLogger(__name__)


class InProcessQueue:
    """A `JobQueue` that executes at most `workers` runs of each queue at a time.

    `close` cancels what is still being executed: those runs keep their finished steps, and the next process
    goes on with them.
    """

    def __init__(self, execute: Callable[[str], Awaitable[None]], *, workers: int = 2) -> None:
        self._execute = execute
        self._free = defaultdict[str, asyncio.Semaphore](partial(asyncio.Semaphore, workers))
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()

    async def enqueue(self, run_id: str, queue: str = PIPELINE_QUEUE) -> None:
        """Execute a run as soon as there is room; one that is in hand here is looked at again after."""
        if run_id in self._tasks:
            self._again.add(run_id)
        else:
            self._tasks[run_id] = asyncio.create_task(self._work(run_id, queue))

    async def let_go(self, run_id: str, seconds: float) -> bool:
        """Wait until a run is not in hand here any more, at most so long. False if it was not in hand."""
        task = self._tasks.get(run_id)
        if task:
            await asyncio.wait([task], timeout=seconds)
        return task is not None

    async def backlog(self, queue: str = PIPELINE_QUEUE) -> int:
        """None: a run is kept once, however often it is enqueued."""
        return 0

    async def join(self) -> None:
        """Wait until nothing is left to execute."""
        while self._tasks:
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def close(self) -> None:
        """Give unfinished runs back."""
        self._again.clear()
        for task in self._tasks.values():
            task.cancel()
        await self.join()

    async def _work(self, run_id: str, queue: str) -> None:
        try:
            async with self._free[queue]:
                await self._execute(run_id)
        except Exception:
            logger.exception("run %s could not be executed and is tried again by the sweeper", run_id)
        finally:
            del self._tasks[run_id]
            if run_id in self._again:
                self._again.remove(run_id)
                await self.enqueue(run_id, queue)
