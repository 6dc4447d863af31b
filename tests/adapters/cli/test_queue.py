"""`pestle queue`: runs that wait or failed are listed, tried again and let go."""

import asyncio
import json
from pathlib import Path

import pytest

from adapters.settings import Settings
from adapters.storage import open_storage
from agents.archive.answer import Question
from agents.runs.pipeline import new_run
from agents.runs.records import RunState
from tests.adapters.cli.conftest import Pestle


async def keep(home: Path) -> None:
    storage = await open_storage(Settings(home=home).database_url)
    for name, state in (("waits", RunState.QUEUED), ("failed", RunState.FAILED)):
        record = new_run("archive", Question("What is the dose?"), name, thread_id=f"web:{name}:1")
        await storage.ledger.create(record)
        if state is RunState.FAILED:
            await storage.ledger.set_state(record.run_id, state, error="The worker ended.")
    await storage.close()


async def state(home: Path, run_id: str) -> tuple[RunState, str, list[str]]:
    storage = await open_storage(Settings(home=home).database_url)
    run = await storage.ledger.run(run_id)
    assert run is not None
    item = await storage.outbox.claim("test", ("web",), 1)
    await storage.close()
    return run.state, run.error, [item.card.text] if item else []


def test_runs_are_listed_let_go_and_tried_again(
    pestle: Pestle, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("PESTLE_HOME", str(home))
    home.mkdir()
    asyncio.run(keep(home))
    shown = pestle("queue").out
    assert "waits archive" in shown
    assert "failed archive: The worker ended." in shown
    listed = json.loads(pestle("queue", "--json").out)
    (failed,), (waits,) = listed["failed"], listed["line"]
    assert "let go" in pestle("queue", "drop", failed["run_id"]).out
    now, error, told = asyncio.run(state(home, failed["run_id"]))
    assert now is RunState.STOPPED
    assert error == "The worker ended. Let go by an operator."
    assert "Let go by an operator" in told[0]
    pestle("queue", "drop", waits["run_id"])
    assert pestle("queue", "drop", failed["run_id"]).code != 0
    assert "tried again" in pestle("queue", "replay", failed["run_id"]).out
