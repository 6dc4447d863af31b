"""Databases of the last two versions of the tables (`versions/`, dumped by their own Pestle) are taken
forward with all that is in them, and back by one.
"""

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import select, text

from adapters.storage import Storage, open_storage
from adapters.storage.schema import ADDED, LACKS_TABLES, VERSION, take_back
from adapters.storage.tables import AUDIT, AUDIT_TEXTS, METADATA, OUTBOX
from agents.runs.records import RunState
from bot.accounts import Account
from retrieval.collections import REST
from tests.adapters.storage.places import emptied

WRITTEN = Path(__file__).parent / "versions"
COLUMNS = 'SELECT m.name, c.name, c.type, c."notnull", c.pk FROM sqlite_master m, pragma_table_info(m.name) c'


def written(version: str, folder: Path) -> Path:
    """The database that a version wrote."""
    file = folder / f"{version}.db"
    with sqlite3.connect(file) as made:
        made.executescript((WRITTEN / f"{version}.sql").read_text("utf-8"))
    made.close()
    return file


def tables(file: Path) -> set[tuple[object, ...]]:
    """Every column of every table."""
    with sqlite3.connect(file) as opened:
        found = {row for row in opened.execute(COLUMNS) if not row[0].startswith("sqlite_")}
    opened.close()
    return found


async def complete(storage: Storage) -> None:
    """All that each version had written is there, and what is new works."""
    run = await storage.ledger.run("r1")
    assert run is not None
    assert (run.state, run.result, run.asked_by) == (RunState.DONE, '{"short":"4 mg"}', "ada")
    assert await storage.accounts.get("ada") is not None
    policy = await storage.policies.current()
    assert (policy.number, policy.granted("web:ada")) == (2, {REST})
    async with storage.database.reading() as connection:
        assert "Working" in (await connection.scalar(select(OUTBOX.c.card)) or "")
    assert (await storage.audit.verified())[2] == ""
    assert await storage.accounts.enter("https://idp 7", "bea", []) == "bea"
    assert (await storage.audit.verified())[0] > 0


@pytest.mark.parametrize("version", LACKS_TABLES[-2:])
async def test_what_an_older_version_wrote_is_taken_forward(version: str, tmp_path: Path) -> None:
    file = written(version, tmp_path)
    before = tables(file)
    storage = await open_storage(f"sqlite:///{file}")
    await complete(storage)
    await storage.close()
    fresh = tmp_path / "fresh.db"
    await (await open_storage(f"sqlite:///{fresh}")).close()
    assert tables(file) == tables(fresh)
    assert before < tables(file)


async def test_one_version_back_leaves_the_tables_of_that_version_and_forward_again(tmp_path: Path) -> None:
    file = written(LACKS_TABLES[-1], tmp_path)
    before = tables(file)
    for _ in range(2):
        storage = await open_storage(f"sqlite:///{file}")
        assert await storage.accounts.add(Account("cem", "hash")) or await storage.accounts.get("cem")
        async with storage.database.writing() as connection:
            await take_back(connection)
        await storage.close()
        assert tables(file) == before
    with sqlite3.connect(file) as opened:
        (version,) = opened.execute("SELECT version_num FROM alembic_version").fetchone()
        assert version == LACKS_TABLES[-1]
        assert opened.execute("SELECT count(*) FROM accounts").fetchone() == (2,)
    opened.close()


@pytest.mark.parametrize(("version", "without"), [("0011", [AUDIT, AUDIT_TEXTS, *ADDED]), ("0012", [*ADDED])])
async def test_postgresql_is_taken_back_and_forward_likewise(
    version: str, without: list[object], tmp_path: Path
) -> None:
    url = await emptied("postgresql", tmp_path)
    storage = await open_storage(url)
    await storage.accounts.add(Account("ada", "hash"))
    async with storage.database.writing() as connection:
        await take_back(connection)
        await connection.run_sync(METADATA.drop_all, tables=without)
        await connection.execute(text(f"UPDATE alembic_version SET version_num = '{version}'"))
    await storage.close()
    storage = await open_storage(url)
    assert await storage.accounts.get("ada") is not None
    assert await storage.accounts.enter("https://idp 7", "bea", []) == "bea"
    assert (await storage.audit.verified())[2] == ""
    async with storage.database.reading() as connection:
        assert await connection.scalar(text("SELECT version_num FROM alembic_version")) == VERSION
    await storage.close()
