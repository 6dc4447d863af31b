"""A worker process is killed with SIGKILL at random moments; the run ends with the same result."""

import asyncio
import json
import random
import sys
from pathlib import Path

from adapters.storage import open_storage
from agents.ports import Ledger
from agents.runs.execute import execute
from agents.runs.pipeline import Pipeline, new_run
from agents.runs.records import StepRecord
from tests.agents.runs.mortal import Chain
from tests.support.memory.ledger import MemoryLedger

ROOT = Path(__file__).resolve().parents[3]
KILLS = 4


async def worker(url: str, run_id: str, log: Path) -> asyncio.subprocess.Process:
    command = [sys.executable, "-m", "tests.agents.runs.mortal", url, run_id, str(log)]
    return await asyncio.create_subprocess_exec(*command, cwd=ROOT)


def lines(log: Path) -> list[str]:
    return log.read_text().splitlines() if log.exists() else []


def begun_by(pid: int, log: Path) -> set[str]:
    return {line.split(" ", 1)[1] for line in lines(log) if line.startswith(f"{pid} ")}


def label(step: StepRecord) -> str:
    output = json.loads(step.output)
    return "approve" if step.name == "approve" else str(output).split(":")[0]


async def decide(ledger: Ledger, run_id: str) -> None:
    """A person who decides on whatever the run asks."""
    while True:
        for asked in await ledger.open_requests(run_id):
            await ledger.decide(run_id, asked.name, "yes", "ana")
        await asyncio.sleep(0.02)


async def until_it_works(log: Path, process: asyncio.subprocess.Process) -> None:
    """Wait for the process's first step: it is carrying the run now."""
    while process.returncode is None and not begun_by(process.pid, log):  # noqa: ASYNC110 - another process
        await asyncio.sleep(0.01)


async def undisturbed(seed: str) -> str:
    """The result of a run that nobody kills."""
    ledger, run = MemoryLedger(), new_run("chain", seed)
    await ledger.create(run)
    for _ in range(2):
        await execute(run.run_id, ledger, {"chain": Pipeline(Chain(), str, str)}, "one")
        for asked in await ledger.open_requests(run.run_id):
            await ledger.decide(run.run_id, asked.name, "yes", "ana")
    done = await ledger.run(run.run_id)
    assert done is not None
    return str(json.loads(done.result))


async def test_killed_worker_loses_nothing_and_repeats_nothing(tmp_path: Path) -> None:
    url, log = f"sqlite:///{tmp_path / 'ledger.db'}", tmp_path / "steps.log"
    storage = await open_storage(url)
    run = new_run("chain", "seed")
    await storage.ledger.create(run)
    deciding = asyncio.create_task(decide(storage.ledger, run.run_id))
    moments = random.Random(20260301)
    finished: set[str] = set()
    for _ in range(KILLS):
        process = await worker(url, run.run_id, log)
        await until_it_works(log, process)
        await asyncio.sleep(moments.uniform(0, 0.12))
        process.kill()
        await process.wait()
        assert not finished & begun_by(process.pid, log), "a finished step was repeated"
        steps = await storage.ledger.steps(run.run_id)
        finished = {label(step) for step in steps if not step.error}
        assert not (await storage.ledger.run(run.run_id)).state.over  # type: ignore[union-attr]
    last = await worker(url, run.run_id, log)
    assert await last.wait() == 0
    assert not finished & begun_by(last.pid, log)
    deciding.cancel()
    await asyncio.wait([deciding])
    done = await storage.ledger.run(run.run_id)
    await storage.close()
    assert done is not None
    assert json.loads(done.result) == await undisturbed("seed")
