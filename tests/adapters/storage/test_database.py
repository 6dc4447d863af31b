"""Opening a database: versions, several processes, what cannot be used."""

import asyncio
import sqlite3
import sys
import time
from datetime import datetime, timedelta, tzinfo
from pathlib import Path

import pytest
from sqlalchemy import text

from adapters.errors import SettingsError, StorageError
from adapters.storage import Storage, database, open_storage
from adapters.storage.database import TRIED_AFTER_S
from adapters.storage.schema import VERSION
from agents.runs import clock
from agents.runs.clock import between, stamp, utc_now
from agents.runs.pipeline import new_run
from agents.runs.records import RunState, StepRecord
from bot.values import Card, CardKind, Feedback, ThreadRef
from tests.adapters.storage.places import DATABASES, emptied

THREAD = ThreadRef("web", "general", "1")


@pytest.fixture(params=DATABASES)
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return await emptied(request.param, tmp_path)


async def test_what_was_kept_is_there_when_opened_again(url: str) -> None:
    first = await open_storage(url)
    run = new_run("archive", "How much?")
    await first.ledger.create(run)
    await first.close()
    second = await open_storage(url)
    found = await second.ledger.run(run.run_id)
    await second.close()
    assert found is not None
    assert found.inputs == '"How much?"'


async def test_several_openings_at_once_make_the_tables_once(url: str) -> None:
    storages = await asyncio.gather(*[open_storage(url) for _ in range(5)])
    for number, storage in enumerate(storages):
        assert await storage.conversations.seen("event") is (number > 0)
        await storage.close()


async def test_who_writes_seldom_gets_its_turn_beside_who_writes_nearly_all_the_time(tmp_path: Path) -> None:
    storage = await open_storage(f"sqlite:///{tmp_path / 'pestle.db'}")
    turns: list[float] = []

    def write_much() -> None:
        other = sqlite3.connect(tmp_path / "pestle.db", timeout=60, isolation_level=None)
        while len(turns) < 12:
            other.execute("BEGIN IMMEDIATE")
            time.sleep(0.3)
            other.execute("COMMIT")
            turns.append(time.monotonic())
            time.sleep(0.01)
        other.close()

    writing = asyncio.create_task(asyncio.to_thread(write_much))
    await asyncio.sleep(0.1)
    for number in range(5):
        await storage.conversations.seen(f"event {number}")
    assert not writing.done(), "5 writes took 12 turns of the other's"
    turns += [0.0] * 12
    await writing
    await storage.close()


async def test_a_busy_event_loop_holds_up_no_other_writer(tmp_path: Path) -> None:
    storage = await open_storage(f"sqlite:///{tmp_path / 'pestle.db'}")
    other = sqlite3.connect(tmp_path / "pestle.db", timeout=0, isolation_level=None)
    tried = 0

    async def write_in_between() -> None:
        nonlocal tried
        while tried < 200:
            other.execute("BEGIN IMMEDIATE")
            other.execute("COMMIT")
            tried += 1
            await asyncio.sleep(0)

    writing = asyncio.create_task(write_in_between())
    for number in range(20):
        await storage.conversations.seen(f"event {number}")
    await writing
    other.close()
    await storage.close()
    assert tried == 200


@pytest.mark.parametrize(("version", "advice"), [("9999", "Install that version"), ("0003", "Move it away")])
async def test_tables_of_another_version_are_left_alone(url: str, version: str, advice: str) -> None:
    storage = await open_storage(url)
    await _set_revision(storage, version)
    try:
        with pytest.raises(StorageError, match=rf"version {version}(.|\n)*{advice}"):
            await open_storage(url)
    finally:
        await _set_revision(storage, VERSION)
        await storage.close()


async def _set_revision(storage: Storage, revision: str) -> None:
    async with storage.database.writing() as connection:
        await connection.execute(text(f"UPDATE alembic_version SET version_num = '{revision}'"))


async def test_failed_transaction_leaves_nothing(url: str) -> None:
    storage = await open_storage(url)

    async def half_way() -> None:
        async with storage.database.writing() as connection:
            await connection.execute(text("INSERT INTO seen_events (event_id, at) VALUES ('e', '')"))
            await connection.execute(text("INSERT INTO no_such_table VALUES (1)"))

    with pytest.raises(StorageError, match="no_such_table"):
        await half_way()
    assert not await storage.conversations.seen("e")
    await storage.close()


async def test_any_text_of_a_chat_can_be_stored(url: str) -> None:
    storage = await open_storage(url)
    run = new_run("archive", "?", "key \x00", asked_by="\ud800ana")
    await storage.ledger.create(run)
    await storage.conversations.add_feedback(Feedback(run.run_id, "ana", "up", "a\x00b\udfffc 💊"))
    [given] = await storage.conversations.feedback(run.run_id)
    assert given.comment == "a\ufffdb\ufffdc 💊"
    assert await storage.ledger.run_of_request("key \x00") is not None
    await storage.close()


async def test_two_pumps_deliver_each_card_once_and_in_order(url: str) -> None:
    storages = [await open_storage(url) for _ in range(2)]
    threads = [ThreadRef("web", "general", str(number)) for number in range(4)]
    for number in range(6):
        for thread in threads:
            await storages[0].outbox.put(thread, f"slot {number}", Card(CardKind.NOTICE, text=str(number)))
    shown: list[tuple[ThreadRef, str]] = []

    async def pump(storage: Storage, owner: str) -> None:
        while len(shown) < 24:
            item = await storage.outbox.claim(owner, ["web"], 30)
            if item is not None:
                shown.append((item.thread, item.card.text))
                await asyncio.sleep(0)
                await storage.outbox.delivered(item, "m")

    await asyncio.gather(*[pump(storage, str(n)) for n, storage in enumerate(storages)])
    for storage in storages:
        await storage.close()
    for thread in threads:
        assert [text for where, text in shown if where == thread] == list("012345")


async def test_two_processes_write_at_once(url: str, tmp_path: Path) -> None:
    storage = await open_storage(url)
    run = new_run("archive", None)
    await storage.ledger.create(run)
    program = (
        "import asyncio, sys\n"
        "from adapters.storage import open_storage\n"
        "async def main():\n"
        "    storage = await open_storage(sys.argv[1])\n"
        "    for number in range(40):\n"
        "        await storage.ledger.append(sys.argv[2], 'other', '{}')\n"
        "    await storage.close()\n"
        "asyncio.run(main())\n"
    )
    other = await asyncio.create_subprocess_exec(sys.executable, "-c", program, url, run.run_id)
    mine = 0
    while other.returncode is None or mine < 40:
        await storage.ledger.append(run.run_id, "mine", "{}")
        mine += 1
        await asyncio.sleep(0.002)
    assert await other.wait() == 0
    events = await storage.ledger.events(run.run_id)
    await storage.close()
    assert [event.number for event in events] == list(range(1, mine + 41))


async def test_cancelled_write_leaves_the_storage_usable(url: str) -> None:
    storage = await open_storage(url)
    run = new_run("archive", None)
    await storage.ledger.create(run)
    for turns in range(30):
        step = StepRecord(run.run_id, "step", f"hash {turns}", "1", "", 0.0)
        saving = asyncio.create_task(storage.ledger.save_step(step))
        for _ in range(turns):
            await asyncio.sleep(0)
        saving.cancel()
        await asyncio.wait([saving])
        await storage.ledger.append(run.run_id, "kind", "{}")
    await storage.ledger.set_state(run.run_id, RunState.DONE)
    events = await storage.ledger.events(run.run_id)
    assert len([event for event in events if event.kind == "kind"]) == 30
    await storage.close()


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("mysql://localhost/pestle", "SQLite or PostgreSQL, not in 'mysql'"),
        ("nonsense", "cannot be read"),
        ("postgresql://localhost:port/pestle", "cannot be read"),
        ("sqlite://", "needs a file"),
        ("sqlite:///:memory:", "needs a file"),
    ],
)
async def test_unusable_url_is_refused_as_a_wrong_setting(url: str, told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        await open_storage(url)


async def test_server_that_is_not_there_is_said_without_its_password() -> None:
    with pytest.raises(StorageError, match="Check that it is running") as caught:
        await open_storage("postgresql://ana:secret@127.0.0.1:1/pestle")
    assert "secret" not in str(caught.value)


async def test_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "pestle.db"
    path.write_text("no database at all, but longer than a header of one hundred bytes " * 4)
    with pytest.raises(StorageError, match="damaged or no SQLite database"):
        await open_storage(f"sqlite:///{path}")
    assert path.read_text().startswith("no database")


async def test_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="cannot be made"):
        await open_storage(f"sqlite:///{tmp_path / 'file' / 'pestle.db'}")


async def test_folder_of_a_new_file_is_made(tmp_path: Path) -> None:
    storage = await open_storage(f"sqlite:///{tmp_path / 'new' / 'folder' / 'pestle.db'}")
    assert await storage.ledger.runs() == []
    await storage.close()


@pytest.mark.parametrize("idle", [0.0, TRIED_AFTER_S + 1])
async def test_connections_that_a_server_ended_are_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, idle: float
) -> None:
    """PostgreSQL alone: after a restart nobody is told, however long a connection was idle before."""
    storage = await open_storage(await emptied("postgresql", tmp_path))
    await asyncio.gather(*[storage.conversations.seen(f"event {number}") for number in range(5)])
    async with storage.database.reading() as connection:
        await connection.execute(
            text(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND datname = current_database()"
            )
        )
    await asyncio.sleep(0.1)  # until this process hears of it
    now = database.monotonic()
    monkeypatch.setattr(database, "monotonic", lambda: now + idle)
    again = [storage.conversations.seen(f"event {number}") for number in range(5)]
    assert await asyncio.gather(*again) == [True] * 5
    await storage.close()


@pytest.mark.service("postgresql")
async def test_leases_follow_the_clock_of_postgresql_whatever_machines_think(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = await open_storage(await emptied("postgresql", tmp_path))
    ledger, record = storage.ledger, new_run("work", None)
    await ledger.create(record)
    lease = await ledger.acquire(record.run_id, "one", 15)
    assert lease is not None
    left = between(stamp(utc_now()), lease.expires)
    assert 10 < left < 20  # one machine runs both here
    for hours in (1, -1):

        class Jumped(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None, hours: int = hours) -> "Jumped":
                return super().now(tz) + timedelta(hours=hours)  # type: ignore[return-value]

        monkeypatch.setattr(clock, "datetime", Jumped)
        assert await ledger.acquire(record.run_id, "two", 15) is None
        assert [one.held for one in await ledger.line()] == [True]
    await ledger.release(record.run_id, "one")
    taken = await ledger.acquire(record.run_id, "two", 0.2)
    assert taken is not None
    await asyncio.sleep(0.5)
    assert await ledger.acquire(record.run_id, "one", 15)
    await storage.close()
