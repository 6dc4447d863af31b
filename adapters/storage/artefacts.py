"""Artefacts of runs in SQL: one row per content, so that all processes of a team see them."""

from dataclasses import dataclass

from sqlalchemy import func, select

from adapters.storage.database import Database
from adapters.storage.tables import ARTEFACTS
from adapters.storage.whole import whole
from agents.runs.artefacts import Artefact, described
from agents.runs.clock import Clock, stamp, utc_now


@whole
@dataclass(frozen=True, slots=True)
class SqlArtefacts:
    """Implements `agents.ports.Artefacts`."""

    database: Database
    clock: Clock = utc_now

    async def put(self, data: bytes, media_type: str, name: str) -> Artefact:
        """See the port."""
        artefact = described(data, media_type, name)
        values = {
            "sha256": artefact.sha256,
            "media_type": media_type,
            "name": name,
            "created": stamp(self.clock()),
            "data": data,
        }
        async with self.database.writing() as connection:
            await self.database.add(connection, ARTEFACTS, values)
        return artefact

    async def get(self, sha256: str) -> bytes | None:
        """See the port."""
        rows = await self.database.rows(select(ARTEFACTS.c.data).where(ARTEFACTS.c.sha256 == sha256))
        return next((bytes(row.data) for row in rows), None)

    async def described(self, sha256: str) -> Artefact | None:
        """See the port."""
        kept = ARTEFACTS.c
        query = select(kept.media_type, kept.name, func.length(kept.data)).where(kept.sha256 == sha256)
        return next((Artefact(sha256, *row) for row in await self.database.rows(query)), None)
