"""A worker process to be killed: carries one run on a SQLite ledger until it is over.

    python -m tests.agents.runs.mortal URL RUN_ID LOG

Every step that is begun is a line in LOG: process id and label.
"""

import asyncio
import hashlib
import os
import sys
from pathlib import Path

from adapters.storage import open_storage
from agents.runs.execute import execute
from agents.runs.pipeline import Pipeline
from agents.runs.records import Request, RunState
from agents.runs.run import Run

LEASE_SECONDS = 0.5


class Chain:
    """A pipeline whose every step depends on those before it; half-way it asks a person."""

    def __init__(self, log: Path | None = None) -> None:
        self._log = log

    async def __call__(self, run: Run, seed: str) -> str:
        text = seed
        for number in range(6):
            text = await run.step("link", self.link, f"link {number}", text)
            pair = [run.call("twin", self.link, f"twin {number}{side}", text) for side in "ab"]
            text = "".join(await run.gather(*pair))
            if number == 2:
                text += (await run.wait_for("approve", Request("Go on?"))).choice
        return text

    async def link(self, label: str, text: str) -> str:
        self._note(label)
        await asyncio.sleep(0.02)
        return f"{label}: {hashlib.sha256(text.encode()).hexdigest()[:16]}"

    def _note(self, line: str) -> None:
        if self._log is not None:
            with self._log.open("a") as file:
                file.write(f"{os.getpid()} {line}\n")


async def main(url: str, run_id: str, log: str) -> None:
    storage = await open_storage(url)
    pipelines = {"chain": Pipeline(Chain(Path(log)), str, str)}
    while True:
        record = await storage.ledger.run(run_id)
        if record is None or record.state in (RunState.DONE, RunState.FAILED):
            break
        await execute(
            run_id, storage.ledger, pipelines, f"process {os.getpid()}", lease_seconds=LEASE_SECONDS
        )
        await asyncio.sleep(0.02)
    await storage.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
