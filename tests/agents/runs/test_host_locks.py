"""Processes of one machine: the runs of a live one are not taken, however long it is starved."""

import asyncio
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from adapters.storage import open_storage
from adapters.storage.host_locks import FileLocks
from agents.runs.execute import execute
from agents.runs.lease import Heartbeat, Leases
from agents.runs.pipeline import Pipeline, new_run
from agents.runs.records import RunState
from agents.runs.run import Run
from tests.support.memory.ledger import MemoryLedger

HOLDS = """
import sys, time
from pathlib import Path
from adapters.storage.host_locks import FileLocks
with FileLocks(Path(sys.argv[1])).hold("r1") as ours:
    print(ours, flush=True)
    time.sleep(60)
"""


async def shout(text: str) -> str:
    return text.upper()


async def plain(run: Run, text: str) -> str:
    return await run.step("shout", shout, text)


PLAIN = {"plain": Pipeline(plain, str, str)}


async def test_lock_of_a_live_process_is_respected_and_a_dead_ones_is_free(tmp_path: Path) -> None:
    locks = FileLocks(tmp_path / "running")
    command = [sys.executable, "-c", HOLDS, str(tmp_path / "running")]
    other = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert other.stdout is not None
    assert (await other.stdout.readline()).strip() == b"True"
    with locks.hold("r1") as ours, locks.hold("r2") as another:
        assert (ours, another) == (False, True)
    other.kill()
    await other.wait()
    with locks.hold("r1") as ours:
        assert ours
    assert list((tmp_path / "running").iterdir()) == [], "nothing is left behind"


async def test_two_holders_in_one_process_exclude_each_other(tmp_path: Path) -> None:
    locks = FileLocks(tmp_path)
    with locks.hold("r1") as first, locks.hold("r1") as second:
        assert (first, second) == (True, False)


async def test_folder_that_cannot_be_written_leaves_the_decision_to_leases(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with FileLocks(tmp_path / "file").hold("r1") as ours:
        assert ours


async def test_run_of_a_live_process_is_not_taken_though_its_lease_ran_out(tmp_path: Path) -> None:
    ledger, run, locks = MemoryLedger(), new_run("plain", "dose"), FileLocks(tmp_path)
    await ledger.create(run)
    with locks.hold(run.run_id):
        await execute(run.run_id, ledger, PLAIN, "two", locks=locks.hold)
        assert await ledger.steps(run.run_id) == []
    await execute(run.run_id, ledger, PLAIN, "two", locks=locks.hold)
    assert (await ledger.run(run.run_id)).state is RunState.DONE  # type: ignore[union-attr]


async def test_run_goes_on_when_its_event_loop_was_blocked_for_longer_than_its_lease() -> None:
    ledger, run = MemoryLedger(), new_run("blocked", "dose")
    await ledger.create(run)

    async def block(text: str) -> str:
        time.sleep(0.5)  # noqa: ASYNC251 - what is tried
        await asyncio.sleep(0.05)
        return text

    async def blocked(run: Run, text: str) -> str:
        return await run.step("block", block, text)

    pipelines = {"blocked": Pipeline(blocked, str, str)}
    await execute(run.run_id, ledger, pipelines, "one", lease_seconds=0.15)
    assert (await ledger.run(run.run_id)).state is RunState.DONE  # type: ignore[union-attr]
    assert [event.kind for event in await ledger.events(run.run_id)].count("run.started") == 1


async def test_heartbeat_renews_while_the_event_loop_is_blocked(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'ledger.db'}"
    storage, run = await open_storage(url), new_run("blocked", "dose")
    await storage.ledger.create(run)
    tries: list[bool] = []

    @asynccontextmanager
    async def apart() -> AsyncIterator[Leases]:
        opened = await open_storage(url)
        yield opened.ledger
        await opened.close()

    async def steal() -> None:
        async with apart() as leases:
            tries.append(await leases.acquire(run.run_id, "thief", 0.1) is not None)

    async def block(text: str) -> str:
        await asyncio.sleep(0.3)
        time.sleep(1.0)  # noqa: ASYNC251 - what is tried
        thief = threading.Thread(target=lambda: asyncio.run(steal()))
        thief.start()
        thief.join()
        return text

    async def blocked(run: Run, text: str) -> str:
        return await run.step("block", block, text)

    heartbeat = Heartbeat(apart)
    pipelines = {"blocked": Pipeline(blocked, str, str)}
    await execute(run.run_id, storage.ledger, pipelines, "one", lease_seconds=0.6, heartbeat=heartbeat)
    await heartbeat.close()
    assert tries == [False]
    assert (await storage.ledger.run(run.run_id)).state is RunState.DONE  # type: ignore[union-attr]
    await storage.close()
