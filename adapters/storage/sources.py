"""What was cited beside the archive's documents, in SQL."""

from dataclasses import asdict

from sqlalchemy import select

from adapters.storage.database import Database
from adapters.storage.tables import SOURCES
from adapters.storage.whole import whole
from agents.evidence.sources import Origin, Source, refuse_document


@whole
class SqlSources:
    """Implements `agents.evidence.sources.Sources`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def put(self, source: Source) -> None:
        """See the port."""
        refuse_document(source)
        values = {name: value for name, value in asdict(source).items() if name in SOURCES.c}
        async with self._database.writing() as connection:
            await self._database.add(connection, SOURCES, values)

    async def get(self, source_id: str) -> Source | None:
        """See the port."""
        query = select(SOURCES).where(SOURCES.c.id == source_id)
        rows = await self._database.rows(query)
        return next((Source(**row._asdict() | {"origin": Origin(row.origin)}) for row in rows), None)
