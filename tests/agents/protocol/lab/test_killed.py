"""kill -9 while R runs: the next worker goes on with the task in hand, and repeats no finished one."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from adapters.settings import Settings
from adapters.storage import open_storage
from agents.protocol.programs import APPROVAL
from tests.adapters.sandbox.test_hostile import gone, there
from tests.support import services
from tests.support.services import ROOT

NAP = "983"


@pytest.mark.drill
async def test_no_finished_task_is_executed_twice(tmp_path: Path) -> None:
    await services.sandbox()
    services.r("limma", "survival", "jsonlite")
    log = tmp_path / "log"
    storage = await open_storage(Settings(home=tmp_path).database_url)
    ledger = storage.ledger

    async def process(seconds: str) -> asyncio.subprocess.Process:
        command = (sys.executable, "-m", "tests.agents.protocol.lab.mortal", str(tmp_path), str(log), seconds)
        return await asyncio.create_subprocess_exec(*command, cwd=ROOT)

    async def approve() -> None:
        for _ in range(1200):
            for run in await ledger.runs():
                for one in await ledger.open_requests(run.run_id):
                    assert one.name.startswith(APPROVAL)
                    await ledger.decide(run.run_id, one.name, "approve", "ana")
                    return
            await asyncio.sleep(0.05)
        raise AssertionError("nothing is asked")

    first = await process(NAP)
    await approve()
    async with asyncio.timeout(60):
        while "survival.R" not in (log.read_text() if log.exists() else ""):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
    await there(NAP)
    first.kill()
    await first.wait()
    await gone(NAP)
    assert await (await process("0")).wait() == 0
    (run,) = await ledger.runs()
    steps = [step.name for step in await ledger.steps(run.run_id) if not step.error]
    await storage.close()
    assert log.read_text().split() == ["cat", "microarray.R", "survival.R", "survival.R"]
    assert steps == ["machine", "programs", "program:de", "program:km"]
    assert [one["state"] for one in json.loads(run.result)["results"]] == ["done", "done"]
