"""How a run that was written or queued again comes to a worker, whoever asked for it."""

import asyncio
import json
import logging

from agents.ports import Ledger
from agents.runs.records import RunRecord, RunState
from bot.errors import QueueDown
from bot.ports import JobQueue

logger = logging.getLogger(__name__)

STOP_ASKED = "run.stop_asked"
"""Event that keeps who asked; the reason shown names nobody, as platforms have ids for names."""


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


async def stop(record: RunRecord, why: str, by: str, ledger: Ledger, queue: JobQueue) -> None:
    """Have a run end that goes on, and note who wanted that."""
    await ledger.append(record.run_id, STOP_ASKED, json.dumps({"by": by}))
    await ledger.request_stop(record.run_id, why)
    if record.state is RunState.WAITING:  # no worker carries it; one has to end it
        await hand_on_or_leave(record, ledger, queue)


class NewRuns:
    """Hands on runs that were just written, without waiting for it: a platform waits for its answer.

    A run that is not handed on, because the process ends first or the queue is down, is taken up by a
    worker's sweeper.
    """

    def __init__(self, ledger: Ledger, queue: JobQueue) -> None:
        self._ledger = ledger
        self._queue = queue
        self._going: set[asyncio.Task[None]] = set()

    def hand_on(self, record: RunRecord) -> None:
        """Begin to put a run into its queue."""
        going = asyncio.create_task(self._hand_on(record))
        self._going.add(going)  # the event loop itself would let it go
        going.add_done_callback(self._going.discard)

    async def settle(self) -> None:
        """Wait for what is under way."""
        await asyncio.gather(*self._going)

    async def _hand_on(self, record: RunRecord) -> None:
        try:
            await hand_on_or_leave(record, self._ledger, self._queue)
        except Exception:
            logger.exception(
                "run %s was not handed on, or that was not noted; the sweeper sees", record.run_id
            )
