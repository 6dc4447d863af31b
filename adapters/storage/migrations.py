"""Brings a database to the schema of this version, one numbered step at a time. Safe to do from several
processes at once.
"""

from collections.abc import Awaitable, Callable

from sqlalchemy import insert, inspect, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.errors import StorageError
from adapters.storage.tables import METADATA, SCHEMA

LOCK = 7_346_914_201
"""Key of the advisory lock in PostgreSQL that lets one process migrate at a time."""


async def _create_tables(connection: AsyncConnection) -> None:
    await connection.run_sync(METADATA.create_all)


MIGRATIONS: tuple[Callable[[AsyncConnection], Awaitable[None]], ...] = (_create_tables,)
"""Migration n (from 1) brings a database from version n - 1 to n. Only ever append."""


async def migrate(connection: AsyncConnection) -> None:
    """Bring the database up to date inside the connection's transaction.

    Raises `StorageError` if a newer Pestle has written it.
    """
    if connection.dialect.name == "postgresql":
        await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
    version = await _version(connection)
    if version > len(MIGRATIONS):
        raise StorageError(
            f"The database has schema version {version}, and this Pestle knows versions up to "
            f"{len(MIGRATIONS)}: a newer Pestle has written it. "
            "Install that version, or name another database."
        )
    for migration in MIGRATIONS[version:]:
        await migration(connection)
    if version < len(MIGRATIONS):
        await connection.execute(update(SCHEMA).values(version=len(MIGRATIONS)))


async def _version(connection: AsyncConnection) -> int:
    """The schema's version; an empty database has version 0."""
    if not await connection.run_sync(lambda sync: inspect(sync).has_table(SCHEMA.name)):
        await connection.run_sync(SCHEMA.create)
    version = await connection.scalar(select(SCHEMA.c.version))
    if version is None:
        await connection.execute(insert(SCHEMA).values(version=0))
    return version or 0
