"""Finds what a dead process left behind: runs nobody carries, and answers nobody handed over."""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from agents.ports import Ledger
from agents.runs.clock import utc_now
from agents.runs.records import RunRecord, RunState
from bot.errors import QueueDown
from bot.ports import JobQueue
from workers.carrier import Carrier

logger = logging.getLogger(__name__)

EVERY_S = 2.0
PATIENCE = timedelta(seconds=20)
"""How long a queued run may wait for a worker before it is enqueued again, and from one time to the next."""
LOOKED_BACK = 20
"""Latest runs looked at for an answer that was not handed over."""
LOOK_EVERY = timedelta(seconds=10)
TIDY_EVERY = timedelta(hours=1)


class Sweeper:
    """Enqueues unattended runs again. Several sweepers side by side only cost double deliveries."""

    def __init__(
        self, ledger: Ledger, queue: JobQueue, carrier: Carrier, *, clock: Callable[[], datetime] = utc_now
    ) -> None:
        self._ledger = ledger
        self._queue = queue
        self._carrier = carrier
        self._clock = clock
        self._enqueued: dict[str, datetime] = {}
        self._settled: set[str] = set()
        self._look_at = self._tidy_at = clock()

    async def run(self, every_s: float = EVERY_S) -> None:
        """Sweep until cancelled. A failing database or queue is waited out."""
        while True:
            try:
                await self.sweep()
            except QueueDown as error:
                logger.warning("the sweep waits for the queue: %s", error)
            except Exception:
                logger.exception("the sweep failed and is tried again in %.0f s", every_s)
            await asyncio.sleep(every_s)

    async def sweep(self) -> None:
        """One round."""
        unattended = await self._ledger.unattended()
        for run_id in unattended:
            record = await self._ledger.run(run_id)
            if record and self._due(record):
                await self._queue.enqueue(run_id)
                self._enqueued[run_id] = self._clock()
        self._enqueued = {run_id: at for run_id, at in self._enqueued.items() if run_id in unattended}
        await self._hand_over_the_forgotten()
        await self._tidy()

    def _due(self, record: RunRecord) -> bool:
        """A run whose worker died is due at once; one that waits in the queue only after some patience."""
        last = self._enqueued.get(record.run_id)
        if last is None and record.state is RunState.RUNNING:
            return True
        since = last or datetime.fromisoformat(record.created)
        return self._clock() - since >= PATIENCE

    async def _hand_over_the_forgotten(self) -> None:
        """Done less often: it reads whole answers, and is needed only after a death at the very end."""
        if self._clock() < self._look_at:
            return
        self._look_at = self._clock() + LOOK_EVERY
        latest = await self._ledger.runs(limit=LOOKED_BACK)
        over = {record.run_id for record in latest if record.state.over}
        for run_id in over - self._settled:
            await self._carrier.hand_over(run_id)
        self._settled = over

    async def _tidy(self) -> None:
        if self._clock() >= self._tidy_at:
            self._tidy_at = self._clock() + TIDY_EVERY
            await self._carrier.tidy()
