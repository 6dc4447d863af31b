"""Debates with an oracle on real worker processes: one killed in the middle, and eight at once on two."""

import asyncio
import json
import os
import subprocess
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import datetime
from pathlib import Path

import pytest
import redis

from adapters.data_sections import RedisSettings
from adapters.settings import Settings
from adapters.wiring import Runtime, runtime
from agents.chemistry.molecule import medicines
from agents.reports.midrun import SHOWN
from agents.runs.records import Event, RunRecord, RunState
from bot.values import Incoming, ThreadRef
from tests.adapters.cli.conftest import command
from tests.agents.design.kit import START
from tests.kinds.test_three import repeated
from tests.support.services import redis_url

pytestmark = [pytest.mark.drill, pytest.mark.service("redis"), pytest.mark.timeout(300)]
ORACLE = "oracle:"
FAIR = 2.0
"""The last of debates begun together ends at most so many times as late as the first: 1.2 on two cores that
eighteen other processes wanted.
"""


class Place:
    """A home with an oracle learnt from a table, what asks in it, and its worker processes."""

    def __init__(self, home: Path, built: Runtime, settings: dict[str, str]) -> None:
        self.home, self.built, self._settings = home, built, settings

    @contextmanager
    def worker(self) -> Iterator[subprocess.Popen[bytes]]:
        """A running worker; what still runs at the end is killed."""
        with (self.home / "worker.log").open("ab") as log:
            kept = {name: value for name, value in os.environ.items() if not name.startswith("PESTLE_")}
            process = subprocess.Popen(command("worker"), env=kept | self._settings, stdout=log, stderr=log)
        try:
            yield process
        finally:
            process.kill()
            process.wait()

    async def asked(self, number: int, brief: str) -> str:
        """The run of a debate whose goals are approved as soon as it asks."""
        thread = ThreadRef("wall", "general", str(number))
        run_id = (
            await self.built.intake.receive(Incoming(f"ask{number}", thread, "ada", f"design {brief}"))
        ).run_id
        await self.until(run_id, RunState.WAITING)
        await self.built.intake.receive(Incoming(f"yes{number}", thread, "ada", "start"))
        return run_id

    async def until(self, run_id: str, state: RunState) -> RunRecord:
        while (  # noqa: ASYNC110 - another process
            record := await self.built.ledger.run(run_id)
        ) is None or record.state is not state:
            await asyncio.sleep(0.05)
        return record

    async def paid(self, run_id: str) -> Counter[str]:
        """How often the oracle was asked for each molecule, by the hash of the molecule."""
        return Counter(
            told["inputs"]
            for one in await self.built.ledger.events(run_id)
            if one.kind == "step.started"
            and (told := json.loads(one.detail)).get("step", "").startswith(ORACLE)
        )


@asynccontextmanager
async def place(home: Path) -> AsyncIterator[Place]:
    with redis.Redis.from_url(redis_url()) as client:
        client.flushdb()
    oracle = home / "measured.csv"
    rows = [f"{one.smiles},{one.heavy_atoms}" for one in list(medicines().values())[:40]]
    oracle.write_text("canonical_smiles,value\n" + "\n".join(rows))
    told = {
        "PESTLE_HOME": str(home),
        "PESTLE_REDIS_URL": redis_url(),
        "PESTLE_RUN_LEASE": "1",
        "PESTLE_DESIGN_ORACLE": str(oracle),
    }
    async with runtime(Settings(home=home, redis=RedisSettings(url=redis_url()))) as built:
        yield Place(home, built, told)


async def test_a_debate_whose_worker_is_killed_ends_as_if_it_was_not_and_pays_no_molecule_twice(
    tmp_path: Path,
) -> None:
    brief = f"ABC1 inhibitors like {START}, brain-penetrant, 2 rounds, 2 proposals"
    async with place(tmp_path) as house:
        with house.worker() as first:
            run_id = await house.asked(1, brief)
            while (await house.paid(run_id)).total() < 8:  # noqa: ASYNC110 - another process
                await asyncio.sleep(0.01)
            first.kill()
            first.wait()
        assert (await house.built.ledger.run(run_id)).state is RunState.RUNNING  # type: ignore[union-attr]
        before = await house.paid(run_id)
        with house.worker():
            killed = await house.until(run_id, RunState.DONE)
            whole = await house.until(await house.asked(2, brief), RunState.DONE)
        events = await house.built.ledger.events(run_id)
        assert killed.result == whole.result
        assert repeated(events) == []
        paid = await house.paid(run_id)
        assert set(paid) == set(await house.paid(whole.run_id))
        assert len(paid) > len(before) >= 8
        assert paid.total() - len(paid) <= 1, "the one in hand had not ended"


async def test_debates_at_once_on_two_workers_are_all_shown_and_end_about_together(tmp_path: Path) -> None:
    async with place(tmp_path) as house:
        with house.worker(), house.worker():
            goals = "2 rounds, 1 proposals, logP at most"
            briefs = [f"ABC1 inhibitors like {START}, {goals} {3 + n / 10}" for n in range(8)]
            ids = await asyncio.gather(*(house.asked(*one) for one in enumerate(briefs)))
            await asyncio.gather(*(house.until(one, RunState.DONE) for one in ids))
        trails = [await house.built.ledger.events(one) for one in ids]
    begun = min(_at(trail[0]) for trail in trails)
    shown = sorted(_at(next(one for one in trail if _round(one))) - begun for trail in trails)
    ended = sorted(_at(trail[-1]) - begun for trail in trails)
    print(f"first rounds after {shown[0]:.1f} to {shown[-1]:.1f} s, ends {ended[0]:.1f} to {ended[-1]:.1f} s")
    assert ended[-1] / ended[0] < FAIR


def _round(event: Event) -> bool:
    return event.kind == SHOWN and "round-1" in event.detail


def _at(event: Event) -> float:
    return datetime.fromisoformat(event.at).timestamp()
