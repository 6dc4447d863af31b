"""Makes the tables in an empty database, and knows whether a database has those of this version.

Nothing was released yet: a database that lacks whole tables alone gets these, other versions are refused.
The version stands where Alembic looks for it, so that revisions can begin here with the first release.
"""

from sqlalchemy import Connection, MetaData, String, Table, inspect, select, text
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.schema import Column

from adapters.errors import StorageError
from adapters.storage.tables import IDENTITIES, METADATA, RUNS

VERSION = "0013"
"""A change of the tables comes with the next number."""
LACKS_TABLES = ("0011", "0012")
"""Versions since which nothing but whole tables was added."""
LOCK = 7_346_914_201
"""Key of the advisory lock in PostgreSQL that lets one process make the tables at a time."""
ADDED = (IDENTITIES,)
"""The tables that came with this version."""
KNOWN = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))


async def make_tables(connection: AsyncConnection) -> None:
    """Make the tables inside the connection's transaction. Safe to do from several processes at once.

    Raises `StorageError` if another version of Pestle has written the database.
    """
    if connection.dialect.name == "postgresql":
        await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
    await connection.run_sync(_make)


async def take_back(connection: AsyncConnection) -> None:
    """Make the tables those of the version before, for its Pestle. What only this one keeps is lost."""
    await connection.run_sync(METADATA.drop_all, tables=ADDED)
    await connection.execute(KNOWN.update().values(version_num=LACKS_TABLES[-1]))


def is_current(connection: Connection) -> bool:
    """Whether there is nothing to do; only reads, so that no process waits for another's write."""
    return _version(connection) == VERSION


def _version(connection: Connection) -> str:
    """The version of the tables; empty for an empty database."""
    if inspect(connection).has_table(KNOWN.name):
        return connection.scalar(select(KNOWN.c.version_num)) or ""
    return "0001" if inspect(connection).has_table(RUNS.name) else ""


def _make(connection: Connection) -> None:
    found = _version(connection)
    if found == VERSION:
        return
    if found and found not in LACKS_TABLES:
        what = (
            "a newer Pestle has written it. Install that version"
            if found > VERSION
            else "it was written before 0.1.0 was released. Move it away"
        )
        raise StorageError(
            f"The database has schema version {found}, and this Pestle knows version {VERSION}: "
            f"{what}, or name another database."
        )
    if connection.dialect.name == "postgresql":
        _make_partial_there()
    METADATA.create_all(connection)
    KNOWN.create(connection, checkfirst=True)
    connection.execute((KNOWN.update() if found else KNOWN.insert()).values(version_num=VERSION))


def _make_partial_there() -> None:
    """Partial indexes are partial in PostgreSQL too (see `adapters.storage.tables`)."""
    for index in (one for table in METADATA.tables.values() for one in table.indexes):
        index.dialect_options["postgresql"]["where"] = index.dialect_options["sqlite"]["where"]
