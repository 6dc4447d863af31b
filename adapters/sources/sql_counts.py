"""Prescription counts out of a hospital's database, read-only: OMOP CDM, or a table of prescriptions (MIMIC).

Only names of drugs and how often each was prescribed are read, by one query that groups in the database.
"""

import asyncio
import csv
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, and_, column, func, inspect, make_url, select, table
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from adapters.errors import SettingsError, StorageError
from adapters.sources.bulk import BulkFolder
from agents.databases.ports import BulkRelease
from agents.databases.prescriptions import NAMES, TABLE

OMOP, MIMIC = "OMOP CDM", "prescriptions"
EXPOSURES, CONCEPTS, PRESCRIPTIONS = "drug_exposure", "concept", "prescriptions"
SYSTEM = ("information_schema", "pg_catalog")


@dataclass(frozen=True, slots=True)
class SqlCounts:
    """Names of drugs as the database writes them, with their prescriptions; `form` is what it was read as."""

    form: str
    counts: tuple[tuple[str, int], ...]


async def sql_counts(url: str) -> SqlCounts:
    """The counts of a database. Raises `SettingsError` for a URL that cannot be used, `StorageError`."""
    address = _read_only(url)
    engine = _engine(address)
    try:
        async with engine.connect() as connection:
            options: dict[str, Any] = {"postgresql_readonly": True} if _on_postgresql(address) else {}
            read = await connection.execution_options(**options)
            return await read.run_sync(_counted)
    except (SQLAlchemyError, OSError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise StorageError(f"The database of prescriptions cannot be read: {reason}.") from error
    finally:
        await engine.dispose()


async def load_sql_counts(bulk: BulkFolder, url: str) -> BulkRelease:
    """Take the counts of a database in, in the place of those before. Raises as `sql_counts`, `WrongFile`."""
    found = await sql_counts(url)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{found.form.casefold().replace(' ', '-')}.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("drug", "count"), *found.counts])
        return await asyncio.to_thread(bulk.load, TABLE, [path], found.form)


def _read_only(text: str) -> URL:
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise SettingsError(
            "PESTLE_SOURCES_PRESCRIPTIONS_URL cannot be read. Write postgresql://USER@HOST/NAME, or "
            "sqlite:///FILE."
        ) from None
    if url.get_backend_name() == "sqlite":
        return url.set(
            drivername="sqlite+aiosqlite",
            database=f"file:{url.database}",
            query={"mode": "ro", "uri": "true"},
        )
    if url.get_backend_name() in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+asyncpg")
    raise SettingsError("Prescription counts are read from PostgreSQL or SQLite.")


def _on_postgresql(url: URL) -> bool:
    return url.get_backend_name() == "postgresql"


def _engine(url: URL) -> AsyncEngine:
    try:
        return create_async_engine(url)
    except (ImportError, NoSuchModuleError):
        raise SettingsError("PostgreSQL needs a package that is missing: pip install asyncpg.") from None


def _counted(connection: Connection) -> SqlCounts:
    """The counts of the first schema that has tables of a known form, OMOP's first."""
    looked = inspect(connection)
    schemas: list[str | None] = [None, *(one for one in looked.get_schema_names() if one not in SYSTEM)]
    there = {
        schema: set(looked.get_table_names(schema)) | set(looked.get_view_names(schema)) for schema in schemas
    }
    for schema, tables in there.items():
        if {EXPOSURES, CONCEPTS} <= tables:
            return SqlCounts(OMOP, _rows(connection, _omop(schema)))
    for schema, tables in there.items():
        if PRESCRIPTIONS in tables:
            named = {one["name"].casefold(): one["name"] for one in looked.get_columns(PRESCRIPTIONS, schema)}
            if found := next((named[one] for one in NAMES if one in named), None):
                return SqlCounts(MIMIC, _rows(connection, _prescribed(schema, found)))
    raise StorageError(
        f"The database has no tables {EXPOSURES} and {CONCEPTS} (OMOP CDM), and no table {PRESCRIPTIONS} "
        "with a column for the drug."
    )


def _omop(schema: str | None) -> Any:
    """Exposures by the concept's name; by the source's own where no concept was mapped."""
    given = table(EXPOSURES, column("drug_concept_id"), column("drug_source_value"), schema=schema)
    known = table(CONCEPTS, column("concept_id"), column("concept_name"), schema=schema)
    mapped = and_(known.c.concept_id == given.c.drug_concept_id, given.c.drug_concept_id != 0)
    name = func.coalesce(known.c.concept_name, given.c.drug_source_value)
    return select(name, func.count()).select_from(given.outerjoin(known, mapped)).group_by(name)


def _prescribed(schema: str | None, drug: str) -> Any:
    given = table(PRESCRIPTIONS, column(drug), schema=schema)
    return select(given.c[drug], func.count()).group_by(given.c[drug])


def _rows(connection: Connection, query: Any) -> tuple[tuple[str, int], ...]:
    rows = [(str(name).strip(), int(count)) for name, count in connection.execute(query) if name]
    return tuple(sorted((one for one in rows if one[0]), key=lambda one: (-one[1], one[0])))
