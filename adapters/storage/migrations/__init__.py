"""Brings a database to the schema of this version, one Alembic revision at a time.

The revisions stand in `versions/`, numbered in their order. Safe to do from several processes at once.
"""

from pathlib import Path

from sqlalchemy import Column, Connection, Integer, MetaData, String, Table, inspect, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.errors import StorageError

HEAD = "0010"
"""The newest revision."""

LOCK = 7_346_914_201
"""Key of the advisory lock in PostgreSQL that lets one process migrate at a time."""

REVISION = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))
BEFORE_ALEMBIC = Table("schema_version", MetaData(), Column("version", Integer, nullable=False))
"""How 0.1 counted: it knows version 1, which is revision 0001, and refuses any higher one."""
KEPT_BY_ALEMBIC = 2


async def migrate(connection: AsyncConnection) -> None:
    """Bring the database up to date inside the connection's transaction.

    Raises `StorageError` if a newer Pestle has written it.
    """
    if connection.dialect.name == "postgresql":
        await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
    await connection.run_sync(_migrate)


def at_head(connection: Connection) -> bool:
    """Whether there is nothing to do; only reads, so that no process waits for another's write."""
    return _revision(connection) == HEAD


def _migrate(connection: Connection) -> None:
    revision = _revision(connection)
    if revision == HEAD:
        return
    if revision > HEAD:
        raise StorageError(
            f"The database has schema version {revision}, and this Pestle knows versions up to {HEAD}: "
            "a newer Pestle has written it. Install that version, or name another database."
        )
    _upgrade(connection, revision)


def _revision(connection: Connection) -> str:
    """The database's revision; empty for an empty database."""
    if inspect(connection).has_table(REVISION.name):
        return connection.scalar(select(REVISION.c.version_num)) or ""
    if inspect(connection).has_table(BEFORE_ALEMBIC.name):
        version = connection.scalar(select(BEFORE_ALEMBIC.c.version)) or 0
        return f"{version:04}" if version else ""
    return ""


def _upgrade(connection: Connection, revision: str) -> None:
    """Carry out the revisions that are missing. Alembic is loaded only when there are some."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    if revision and not inspect(connection).has_table(REVISION.name):
        command.stamp(config, revision)
    command.upgrade(config, "head")
    connection.execute(update(BEFORE_ALEMBIC).values(version=KEPT_BY_ALEMBIC))
