"""Revisions: a database of any earlier version becomes one of this version, with everything that is in it."""

import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

import adapters.storage.migrations as migrations
from adapters.storage import Storage, open_storage
from adapters.storage.tables import METADATA
from agents.runs.records import RunState
from bot.values import Shown, ThreadRef
from tests.adapters.storage.places import DATABASES
from tests.support.services import postgresql_url

HERE = Path(__file__).parent
CHANNEL = ThreadRef("slack", "C1", "17.3")


@pytest.fixture(params=DATABASES)
async def empty(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """URL of a database without tables."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'pestle.db'}"
        return
    server = postgresql_url().replace("+asyncpg", "")
    url = urlsplit(server)
    name = f"{url.path[1:]}_migrations"
    connection = await asyncpg.connect(server)
    await connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    await connection.execute(f"CREATE DATABASE {name}")
    yield url._replace(path=f"/{name}").geturl()
    await connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await connection.close()


@pytest.fixture
async def released(empty: str) -> str:
    """URL of a database that the release before revisions has written."""
    if empty.startswith("sqlite"):
        database = sqlite3.connect(empty.removeprefix("sqlite:///"))
        database.executescript((HERE / "released_sqlite.sql").read_text())
        database.close()
    else:
        connection = await asyncpg.connect(empty)
        await connection.execute((HERE / "released_postgresql.sql").read_text())
        await connection.close()
    return empty


async def differences(storage: Storage) -> list[object]:
    """What the database has otherwise than `tables.py` says."""

    def compared(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), METADATA))

    async with storage.database.reading() as connection:
        return [
            difference
            for difference in await connection.run_sync(compared)
            if "alembic_version" not in str(difference)
        ]


def test_revisions_are_numbered_up_to_the_newest() -> None:
    folder = Path(migrations.__file__).parent
    revisions = [one.revision for one in ScriptDirectory(str(folder)).walk_revisions()][::-1]
    assert revisions == [f"{number:04}" for number in range(1, len(revisions) + 1)]
    assert revisions[-1] == migrations.HEAD


async def test_revisions_make_the_tables_that_the_code_knows(empty: str) -> None:
    storage = await open_storage(empty)
    assert await differences(storage) == []
    await storage.close()


async def test_database_of_the_release_before_is_upgraded_with_all_it_holds(released: str) -> None:
    storages = await asyncio.gather(*[open_storage(released) for _ in range(4)])
    assert await differences(storages[0]) == []
    run = await storages[1].ledger.run("shown")
    assert run is not None
    assert (run.state, run.result, run.queue, run.revises) == (RunState.DONE, '"5 mg"', "pipeline", "")
    assert [step.name for step in await storages[2].ledger.steps("shown")] == ["classify"]
    async with storages[3].database.reading() as connection:
        counted = await connection.scalar(text("SELECT version FROM schema_version"))
    assert counted == 2, "the release before refuses any number but 1"
    for storage in storages:
        await storage.close()


SHOWN = (
    "INSERT INTO threads (thread_id, platform, channel, thread)"
    " VALUES ('slack:C1:17.3', 'slack', 'C1', '17.3')",
    "INSERT INTO messages (thread_id, slot, message_id) VALUES ('slack:C1:17.3', 'answer:r1', '17.4 17.5')",
    "INSERT INTO messages (thread_id, slot, message_id) VALUES ('slack:C1:17.3', 'answer:r2', '18.1')",
    "INSERT INTO messages (thread_id, slot, message_id) VALUES "
    + ",".join(
        f"('slack:C1:17.3', 'z:{number:04}', '19.{number:04} 20.{number:04}')" for number in range(1_100)
    ),
)


async def test_messages_that_were_shown_before_the_upgrade_are_found_after_it(released: str) -> None:
    if released.startswith("sqlite"):
        with closing(sqlite3.connect(released.removeprefix("sqlite:///"))) as database:
            database.executescript(";".join(SHOWN))
    else:
        connection = await asyncpg.connect(released)
        await connection.execute(";".join(SHOWN))
        await connection.close()
    storage = await open_storage(released)
    found = [await storage.outbox.showing(CHANNEL, part) for part in ("17.5", "17.4", "17")]
    assert found == [Shown(CHANNEL, "answer:r1"), Shown(CHANNEL, "answer:r1"), None]
    assert await storage.outbox.showing(CHANNEL, "18.1") == Shown(CHANNEL, "answer:r2")
    assert await storage.outbox.showing(CHANNEL, "20.1099") == Shown(CHANNEL, "z:1099")
    await storage.close()


async def test_database_that_is_up_to_date_is_opened_without_alembic(empty: str) -> None:
    await (await open_storage(empty)).close()
    program = (
        "import asyncio, sys\n"
        "from adapters.storage import open_storage\n"
        "async def main():\n"
        "    await (await open_storage(sys.argv[1])).close()\n"
        "asyncio.run(main())\n"
        "assert 'alembic' not in sys.modules\n"
    )
    opened = await asyncio.create_subprocess_exec(sys.executable, "-c", program, empty)
    assert await opened.wait() == 0
