"""A table of ten classes and ten outcomes: how long it takes, and what is done twice if its process dies."""

import asyncio
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.storage import open_storage
from agents.databases.labels import LabelPassage
from agents.runs.pipeline import new_run
from agents.vigilance.understand import ordered
from tests.agents.vigilance.kit import assessed, desk
from tests.agents.vigilance.tables import CLASSES, DRUGS, OUTCOMES, Taking, large_world
from tests.agents.vigilance.virtual import timed

ROOT = Path(__file__).resolve().parents[3]
KILLS = 1


def test_a_table_takes_no_longer_than_its_longest_chain_of_answers_and_asks_each_label_once() -> None:
    model = Taking()
    over = desk(large_world(), model)
    read, asked = over.labels.passages, Counter[str]()

    async def counted(names: Sequence[str]) -> tuple[LabelPassage, ...]:
        asked[names[0]] += 1
        return await read(names)

    over.labels.passages = counted  # type: ignore[method-assign]
    order = replace(ordered(f"{', '.join(CLASSES)} x {', '.join(OUTCOMES)}"), critics=True)
    made, seconds = timed(assessed(order, over))
    assert len(made.cells) == len(CLASSES) * len(OUTCOMES)
    assert {one.by for one in made.cells} == {"scripted"}
    path = max(
        max(model.taken[drug, outcome] for drug in drugs) + model.taken[name, outcome]
        for name, drugs in DRUGS.items()
        for outcome in OUTCOMES
    )
    assert seconds <= 1.05 * path
    assert asked == Counter(drug for drugs in DRUGS.values() for drug in drugs)


@pytest.mark.drill
async def test_a_table_whose_process_is_killed_goes_on_without_asking_again_what_was_answered(
    tmp_path: Path,
) -> None:
    url, log = f"sqlite:///{tmp_path / 'ledger.db'}", tmp_path / "asked.log"
    storage = await open_storage(url)
    order = replace(ordered(f"{', '.join(CLASSES[:2])} x gout, stroke, rash"), critics=True)
    run = new_run("vigilance", order)
    await storage.ledger.create(run)
    finished: set[str] = set()
    for turn in range(KILLS + 1):
        began = len(_lines(log))
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.agents.vigilance.mortal", url, run.run_id, str(log)), cwd=ROOT
        )
        if turn < KILLS:
            await _until(process, lambda least=began + 25: len(_lines(log)) >= least)
            process.kill()
        await process.wait()
        assert not finished & set(_lines(log)[began:]), "an answer was paid for twice"
        steps = await storage.ledger.steps(run.run_id)
        finished = {f"{one.name} {one.inputs_hash}" for one in steps if not one.error}
    done = await storage.ledger.run(run.run_id)
    await storage.close()
    assert process.returncode == 0
    assert done is not None
    assert done.state.over
    assert '"cells"' in done.result


def _lines(log: Path) -> list[str]:
    return log.read_text().splitlines() if log.exists() else []


async def _until(process: asyncio.subprocess.Process, there: Callable[[], bool]) -> None:
    """Wait for another process, as long as it lives."""
    while process.returncode is None and not there():  # noqa: ASYNC110 - another process
        await asyncio.sleep(0.01)
