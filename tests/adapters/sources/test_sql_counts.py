"""Prescription counts out of a hospital's database: what is read, as whom, and that nothing is written."""

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine
from typer.testing import CliRunner

from adapters.cli.main import app
from adapters.errors import SettingsError, StorageError
from adapters.sources.bulk import BulkFolder
from adapters.sources.sql_counts import sql_counts
from agents.databases.prescriptions import Prescriptions
from tests.support.services import postgresql_url

OMOP = (
    "CREATE TABLE {0}concept (concept_id INTEGER, concept_name TEXT)",
    "CREATE TABLE {0}drug_exposure (person_id INTEGER, drug_concept_id INTEGER, drug_source_value TEXT)",
    "INSERT INTO {0}concept VALUES (0, 'No matching concept'), (7, 'lisinopril 10 MG Oral Tablet')",
    "INSERT INTO {0}drug_exposure VALUES (1, 7, 'ZESTRIL'), (2, 7, NULL), (3, 0, 'Warfarin 5mg')",
    "INSERT INTO {0}drug_exposure VALUES (4, 0, NULL)",
)
MIMIC = (
    "CREATE TABLE {0}prescriptions (subject_id INTEGER, drug TEXT)",
    "INSERT INTO {0}prescriptions VALUES (1, 'Lisinopril'), (2, 'Lisinopril'), (2, 'Warfarin'), (3, '')",
)
AS_OMOP = (("lisinopril 10 MG Oral Tablet", 2), ("Warfarin 5mg", 1))
AS_MIMIC = (("Lisinopril", 2), ("Warfarin", 1))


def sqlite(folder: Path, statements: tuple[str, ...]) -> Path:
    path = folder / "hospital.db"
    with sqlite3.connect(path) as connection:
        for one in statements:
            connection.execute(one.format(""))
    return path


@pytest.mark.parametrize(
    ("form", "counts", "tables"), [("OMOP CDM", AS_OMOP, OMOP), ("prescriptions", AS_MIMIC, MIMIC)]
)
async def test_counts_are_read_from_sqlite_and_nothing_is_written(
    form: str, counts: tuple[tuple[str, int], ...], tables: tuple[str, ...], tmp_path: Path
) -> None:
    path = sqlite(tmp_path, tables)
    before = path.read_bytes()
    found = await sql_counts(f"sqlite:///{path}")
    assert (found.form, found.counts) == (form, counts)
    assert path.read_bytes() == before
    assert not path.with_name("hospital.db-wal").exists()


@pytest.fixture
async def hospital() -> AsyncIterator[str]:
    """A PostgreSQL database whose schema `cdm` is an OMOP CDM."""
    url = postgresql_url()
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        for one in (
            "DROP SCHEMA IF EXISTS cdm CASCADE",
            "CREATE SCHEMA cdm",
            *(one.format("cdm.") for one in OMOP),
        ):
            await connection.execute(text(one.format("cdm.")))
    yield url
    async with engine.begin() as connection:
        await connection.execute(text("DROP SCHEMA cdm CASCADE"))
    await engine.dispose()


@pytest.mark.service("postgresql")
async def test_counts_are_read_from_a_schema_of_postgresql(hospital: str) -> None:
    found = await sql_counts(hospital)
    assert (found.form, found.counts) == ("OMOP CDM", AS_OMOP)


def test_the_command_counts_in_the_place_of_what_was_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = CliRunner().invoke
    assert "PESTLE_SOURCES_PRESCRIPTIONS_URL" in str(run(app, ["sources", "counts"]).exception)
    monkeypatch.setenv("PESTLE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PESTLE_SOURCES_PRESCRIPTIONS_URL", f"sqlite:///{sqlite(tmp_path, OMOP)}")
    done = run(app, ["sources", "counts"])
    assert done.exit_code == 0, done.output
    assert "2 names of drugs counted, read as OMOP CDM" in done.stdout


async def test_counts_rank_a_drug_by_its_ingredient(tmp_path: Path) -> None:
    from adapters.sources.sql_counts import load_sql_counts

    bulk = BulkFolder(tmp_path / "db")
    await load_sql_counts(bulk, f"sqlite:///{sqlite(tmp_path, OMOP)}")
    assert await Prescriptions(bulk).count(("lisinopril",)) == 2
    assert await Prescriptions(bulk).count(("warfarin sodium",)) == 1


async def test_what_cannot_be_read_is_told_without_the_password(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        await sql_counts("what")
    with pytest.raises(SettingsError, match="PostgreSQL or SQLite"):
        await sql_counts("mysql://a@b/c")
    with pytest.raises(StorageError) as told:
        await sql_counts("postgresql://ana:secret@127.0.0.1:1/hospital")
    assert "secret" not in str(told.value)
    with pytest.raises(StorageError, match="cannot be read"):
        await sql_counts(f"sqlite:///{tmp_path / 'none.db'}")
    empty = tmp_path / "empty.db"
    sqlite3.connect(empty).execute("CREATE TABLE a (b)")
    with pytest.raises(StorageError, match="no tables drug_exposure and concept"):
        await sql_counts(f"sqlite:///{empty}")
