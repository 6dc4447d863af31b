"""The places where runs and conversations are kept, each of them empty, with a clock that tests move."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from adapters.storage import open_storage
from adapters.storage.tables import METADATA
from agents.evidence.sources import Sources
from agents.ports import Artefacts, Ledger
from agents.reports.revisions import Revisions
from agents.runs.artefacts import MemoryArtefacts
from bot.digests.ports import Digests
from bot.ports import Conversations, Outbox
from tests.support.memory import MemoryConversations, MemoryOutbox
from tests.support.memory.digests import MemoryDigests
from tests.support.memory.ledger import MemoryLedger
from tests.support.memory.revisions import MemoryRevisions
from tests.support.memory.sources import MemorySources
from tests.support.services import postgresql_url

PLACES = ("memory", "sqlite", "postgresql")
DATABASES = PLACES[1:]


class MovableClock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@dataclass(frozen=True)
class Place:
    ledger: Ledger
    outbox: Outbox
    conversations: Conversations
    sources: Sources
    artefacts: Artefacts
    revisions: Revisions
    digests: Digests
    clock: MovableClock


@asynccontextmanager
async def opened(kind: str, folder: Path) -> AsyncIterator[Place]:
    clock = MovableClock()
    if kind == "memory":
        ledger, outbox = MemoryLedger(clock), MemoryOutbox(clock)
        conversations = MemoryConversations(ledger, outbox, clock)
        rooms = (MemorySources(), MemoryArtefacts(), MemoryRevisions())
        kept = (*rooms, MemoryDigests(outbox))
        yield Place(ledger, outbox, conversations, *kept, clock)
        return
    url = await emptied(kind, folder)
    storage = await open_storage(url, clock)
    try:
        chat = (storage.outbox, storage.conversations)
        kept = (storage.sources, storage.artefacts, storage.revisions, storage.digests)
        yield Place(storage.ledger, *chat, *kept, clock)
    finally:
        await storage.close()


async def emptied(kind: str, folder: Path) -> str:
    """URL of a database with the tables and nothing in them."""
    if kind == "sqlite":
        return f"sqlite:///{folder / 'pestle.db'}"
    url = postgresql_url()
    storage = await open_storage(url)
    async with storage.database.writing() as connection:
        for table in METADATA.sorted_tables:
            await connection.execute(table.delete())
    await storage.close()
    return url
