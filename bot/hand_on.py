"""How a run that was written or queued again comes to a worker, whoever asked for it."""

import asyncio
import logging

from agents.ports import Ledger
from agents.runs.records import RunRecord
from bot.errors import QueueDown
from bot.ports import JobQueue

logger = logging.getLogger(__name__)


async def hand_on(record: RunRecord, ledger: Ledger, queue: JobQueue) -> None:
    """Put a run into its queue, and note that its message waits there. Raises `QueueDown`."""
    await queue.enqueue(record.run_id, record.queue)
    await ledger.hand_on(record.run_id)


async def hand_on_or_leave(record: RunRecord, ledger: Ledger, queue: JobQueue) -> None:
    """As `hand_on`; while the queue is down the run is left to a worker's sweeper."""
    try:
        await hand_on(record, ledger, queue)
    except QueueDown as error:
        logger.warning("run %s waits for the sweeper: %s", record.run_id, error)


class NewRuns:
    """Hands on runs that were just written, without waiting for the note: Slack waits for an answer.

    A run whose note is lost gets one message more from the sweeper.
    """

    def __init__(self, ledger: Ledger, queue: JobQueue) -> None:
        self._ledger = ledger
        self._queue = queue
        self._noting: set[asyncio.Task[None]] = set()

    async def hand_on_or_leave(self, record: RunRecord) -> None:
        """Put a run into its queue; while that is down the run is left to a worker's sweeper."""
        try:
            await self._queue.enqueue(record.run_id, record.queue)
        except QueueDown as error:
            logger.warning("run %s waits for the sweeper: %s", record.run_id, error)
            return
        noting = asyncio.create_task(self._note(record.run_id))
        self._noting.add(noting)  # the event loop itself would let it go
        noting.add_done_callback(self._noting.discard)

    async def settle(self) -> None:
        """Wait for the notes that are under way."""
        await asyncio.gather(*self._noting)

    async def _note(self, run_id: str) -> None:
        try:
            await self._ledger.hand_on(run_id)
        except Exception:
            logger.exception("that run %s waits in its queue could not be noted", run_id)
