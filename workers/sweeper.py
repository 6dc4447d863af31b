"""Finds what a dead process left behind: runs nobody executes, and answers nobody handed over. Decides what
people left undecided.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from agents.ports import Ledger
from agents.runs.clock import utc_now
from agents.runs.requests import settle_overdue
from bot.ports import JobQueue
from workers.executor import Executor
from workers.rounds import again_and_again

logger = logging.getLogger(__name__)

EVERY_S = 2.0
PATIENCE_S = 20.0
"""How long a queued run may wait before it is looked whether its message was lost."""
LOOK_EVERY = timedelta(seconds=10)
TIDY_EVERY = timedelta(hours=1)


class Sweeper:
    """Hands on what nobody has in hand. Several sweepers side by side do no more than one."""

    def __init__(
        self, ledger: Ledger, queue: JobQueue, executor: Executor, *, clock: Callable[[], datetime] = utc_now
    ) -> None:
        self._ledger = ledger
        self._queue = queue
        self._executor = executor
        self._clock = clock
        self._look_at = self._tidy_at = clock()

    async def run(self, every_s: float = EVERY_S) -> None:
        """Sweep until cancelled. A failing database or queue is waited out."""
        quietly = logging.DEBUG  # the queue's consumers say that it is away
        await again_and_again(self.sweep, "the sweep", every_s, waits=quietly)

    async def sweep(self) -> None:
        """One round."""
        await settle_overdue(self._ledger)
        await self._hand_on_the_neglected()
        await self._hand_over_the_forgotten()
        await self._tidy()

    async def _hand_on_the_neglected(self) -> None:
        """A run whose message may wait in a queue is left there; in an empty queue there is none."""
        neglected = await self._ledger.neglected(PATIENCE_S)
        waiting = {queue: await self._queue.backlog(queue) for queue in {run.queue for run in neglected}}
        for run in neglected:
            if run.handed_on and waiting[run.queue]:
                continue
            if await self._ledger.hand_on(run.run_id, PATIENCE_S):
                await self._queue.enqueue(run.run_id, run.queue)

    async def _hand_over_the_forgotten(self) -> None:
        """Done less often: it is needed only after a death at the very end."""
        if self._clock() < self._look_at:
            return
        self._look_at = self._clock() + LOOK_EVERY
        for run_id in await self._ledger.not_handed_over():
            try:
                await self._executor.hand_over(run_id)
            except Exception:
                logger.exception("the end of run %s could not be handed over", run_id)

    async def _tidy(self) -> None:
        if self._clock() >= self._tidy_at:
            self._tidy_at = self._clock() + TIDY_EVERY
            await self._executor.tidy()
