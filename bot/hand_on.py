"""How a run that was written or queued again comes to a worker, whoever asked for it."""

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
