"""The database that bot and workers share: PostgreSQL where the tests have one, else a SQLite file."""

import asyncio
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg


@contextmanager
def shared_database(folder: Path) -> Iterator[str]:
    """The URL of an empty database; dropped at the end."""
    server = os.environ.get("PESTLE_TEST_POSTGRESQL_URL", "")
    if not server:
        yield f"sqlite:///{folder / 'pestle.db'}"
        return
    server = server.replace("postgresql+asyncpg", "postgresql")
    name = f"pestle_journey_{secrets.token_hex(4)}"
    asyncio.run(_execute(server, f"CREATE DATABASE {name}"))
    try:
        yield f"{server.rsplit('/', 1)[0]}/{name}"
    finally:
        asyncio.run(_execute(server, f"DROP DATABASE {name} WITH (FORCE)"))


async def _execute(server: str, statement: str) -> None:
    connection = await asyncpg.connect(server)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()
