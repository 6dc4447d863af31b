"""Safety reports under stress: killed in the middle, and eight at once on two workers."""

import asyncio
import sys
from collections import Counter
from pathlib import Path

import pytest

from adapters.settings import Settings
from adapters.storage import open_storage
from adapters.wiring import runtime
from agents.kinds import Kinds
from agents.runs.records import RunState
from agents.safety.kind import KIND
from agents.safety.outline import SECTIONS
from bot.values import Incoming, ThreadRef
from tests.agents.safety.kit import kind
from tests.kinds.mortal_safety import DRAFT, SLOW
from tests.support.drills import in_drills
from tests.support.services import ROOT


@pytest.mark.drill
async def test_a_report_killed_in_the_middle_goes_on_without_repeating_a_paid_call(
    tmp_path: Path,
) -> None:
    log = tmp_path / "log"
    storage = await open_storage(Settings(home=tmp_path).database_url)

    async def process(seconds: int) -> asyncio.subprocess.Process:
        command = (sys.executable, "-m", "tests.kinds.mortal_safety", str(tmp_path), str(log), str(seconds))
        return await asyncio.create_subprocess_exec(*command, cwd=ROOT)

    first = await process(90)
    while not log.exists() or SLOW not in log.read_text():  # noqa: ASYNC110
        await asyncio.sleep(0.05)
    first.kill()
    await first.wait()
    assert await (await process(0)).wait() == 0
    counts = Counter(log.read_text().splitlines())
    assert counts.pop(SLOW) == 2  # it was in hand, and had not answered
    assert set(counts.values()) == {1}
    assert counts[DRAFT] == 1
    assert sum(line.startswith("entail ") for line in counts) == 1
    (run,) = await storage.ledger.runs()
    await storage.close()
    report = Kinds([KIND]).view(run).report
    assert report is not None
    assert not report.partial
    assert [one.id for one in report.sections] == [one.id for one in SECTIONS]


@pytest.mark.parametrize("reports", in_drills([4, 8], 0))
async def test_reports_at_once_on_two_workers_all_end(tmp_path: Path, reports: int) -> None:
    settings, over = Settings(home=tmp_path), [kind()]
    async with runtime(settings, over) as one, runtime(settings, over) as other:
        receipts = [
            await one.intake.receive(
                Incoming(f"e{number}", ThreadRef("wall", "general", f"{number}"), "ada", "safety ZORB1")
            )
            for number in range(reports)
        ]
        ids = [receipt.run_id for receipt in receipts]
        await asyncio.gather(
            *((one if number % 2 else other).finished(run_id) for number, run_id in enumerate(ids))
        )
        runs = await one.ledger.runs()
        assert [run.state for run in runs] == [RunState.DONE] * reports
        assert len({run.result for run in runs}) == 1
        for run in runs:
            steps = Counter(step.name for step in await one.ledger.steps(run.run_id))
            assert max(steps.values()) == 1
