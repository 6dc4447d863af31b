"""A worker process to be killed: carries one table on a SQLite ledger until it is over.

    python -m tests.agents.vigilance.mortal URL RUN_ID LOG

Every answer that the model is asked for is a line in LOG: the step that asks, and the hash of its inputs.
"""

import asyncio
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from adapters.storage import open_storage
from agents.messages import Message, Turn
from agents.runs import meter
from agents.runs.execute import execute
from agents.runs.pipeline import Pipeline
from agents.runs.records import RunState
from agents.runs.run import Run
from agents.vigilance.pipeline import assess
from agents.vigilance.values import Assessment, Order
from tests.agents.vigilance.kit import desk
from tests.agents.vigilance.tables import Taking, large_world

LEASE_SECONDS = 0.5


class Noted(Taking):
    """Writes down by whom it is asked."""

    def __init__(self, log: Path) -> None:
        super().__init__(second=0.02)
        self._log = log

    async def converse(
        self, role: str, messages: Sequence[Message], tools: Any = (), form: Any = None
    ) -> Turn:
        """An answer, after a line."""
        step = meter.current()
        assert step is not None
        with self._log.open("a") as file:
            file.write(f"{step.name} {step.inputs_hash}\n")
        return await super().converse(role, messages, tools, form)


async def main(url: str, run_id: str, log: str) -> None:
    """Carry the run to its end."""
    storage = await open_storage(url)
    bound = desk(large_world(), Noted(Path(log)))

    async def work(run: Run, order: Order) -> Assessment:
        return await assess(bound, run, order)

    pipelines = {"vigilance": Pipeline(work, Order, Assessment)}
    while True:
        record = await storage.ledger.run(run_id)
        if record is None or record.state in (RunState.DONE, RunState.FAILED):
            break
        await execute(run_id, storage.ledger, pipelines, str(os.getpid()), lease_seconds=LEASE_SECONDS)
        await asyncio.sleep(0.02)
    await storage.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
