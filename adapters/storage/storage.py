"""Opens a database and hands out what is kept in it."""

from dataclasses import dataclass
from pathlib import Path

from adapters.errors import StorageError
from adapters.storage.accounts import SqlAccounts
from adapters.storage.artefacts import SqlArtefacts
from adapters.storage.audit import SqlAudit
from adapters.storage.conversations import SqlConversations
from adapters.storage.database import Database
from adapters.storage.digests import SqlDigests
from adapters.storage.ledger import SqlLedger
from adapters.storage.outbox import SqlOutbox
from adapters.storage.policies import SqlPolicies
from adapters.storage.revisions import SqlRevisions
from adapters.storage.schema import is_current, make_tables
from adapters.storage.sources import SqlSources
from agents.runs.clock import Clock, utc_now


@dataclass(frozen=True, slots=True)
class Storage:
    """What is kept in one database. Belongs to the event loop it was opened in."""

    ledger: SqlLedger
    outbox: SqlOutbox
    conversations: SqlConversations
    revisions: SqlRevisions
    sources: SqlSources
    artefacts: SqlArtefacts
    accounts: SqlAccounts
    digests: SqlDigests
    policies: SqlPolicies
    audit: SqlAudit
    database: Database

    async def close(self) -> None:
        """Close all connections."""
        await self.database.close()


async def open_storage(url: str, clock: Clock = utc_now) -> Storage:
    """Open a database, and make its tables where there are none.

    `url` is `sqlite:///FILE` or `postgresql://USER:PASSWORD@HOST/NAME`, with or without the driver's name.
    Raises `SettingsError` if the URL is none of these, `StorageError` if the database cannot be used, was
    written by another version of Pestle, or its driver is not installed.
    """
    database = Database(url)
    _make_folder(database)
    try:
        async with database.reading() as connection:
            current = await connection.run_sync(is_current)
        if not current:
            async with database.writing() as connection:
                await make_tables(connection)
    except BaseException:
        await database.close()
        raise
    return Storage(
        SqlLedger(database, clock),
        SqlOutbox(database, clock),
        SqlConversations(database, clock),
        SqlRevisions(database),
        SqlSources(database),
        SqlArtefacts(database, clock),
        SqlAccounts(database, clock),
        SqlDigests(database, clock),
        SqlPolicies(database, clock),
        SqlAudit(database, clock),
        database,
    )


def _make_folder(database: Database) -> None:
    """The folder of a SQLite file."""
    if database.url.get_backend_name() != "sqlite":
        return
    folder = Path(database.url.database or "").parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"The folder {folder} cannot be made: {error.strerror}. Name another database."
        ) from error
