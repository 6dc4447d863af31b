"""Accounts and their sessions in SQL, so that all processes of a house know them."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.audit import note
from adapters.storage.database import Database
from adapters.storage.tables import ACCOUNTS, IDENTITIES, SESSIONS
from adapters.storage.whole import whole
from agents.runs.clock import Clock, stamp, utc_now
from bot.accounts import TOKEN, Account
from bot.rights import PAGE


@whole
@dataclass(frozen=True, slots=True)
class SqlAccounts:
    """Implements `bot.accounts.Accounts`."""

    database: Database
    clock: Clock = utc_now

    async def add(self, account: Account) -> bool:
        """See the port."""
        values = {"name": account.name, "secret": account.secret, "created": stamp(self.clock())}
        async with self.database.writing() as connection:
            added = await self.database.add(connection, ACCOUNTS, values)
            return await self._noted(connection, added, "account added", account.name)

    async def change(self, name: str, secret: str) -> bool:
        """See the port."""
        async with self.database.writing() as connection:
            await connection.execute(delete(SESSIONS).where(SESSIONS.c.name == name))
            changed = await connection.execute(
                update(ACCOUNTS).where(ACCOUNTS.c.name == name).values(secret=secret)
            )
            return await self._noted(connection, changed.rowcount, "password changed", name)

    async def remove(self, name: str) -> bool:
        """See the port."""
        async with self.database.writing() as connection:
            await connection.execute(delete(SESSIONS).where(SESSIONS.c.name == name))
            await connection.execute(delete(IDENTITIES).where(IDENTITIES.c.name == name))
            removed = await connection.execute(delete(ACCOUNTS).where(ACCOUNTS.c.name == name))
            return await self._noted(connection, removed.rowcount, "account removed", name)

    async def get(self, name: str) -> Account | None:
        """See the port."""
        rows = await self.database.rows(select(ACCOUNTS).where(ACCOUNTS.c.name == name))
        return next((Account(row.name, row.secret, row.created) for row in rows), None)

    async def names(self) -> list[str]:
        """See the port."""
        return sorted(row.name for row in await self.database.rows(select(ACCOUNTS.c.name)))

    async def open_session(self, name: str, key: str, seconds: float) -> None:
        """See the port."""
        now = self.clock()
        values = {"key": key, "name": name, "until": stamp(now, seconds)}
        async with self.database.writing() as connection:
            await connection.execute(delete(SESSIONS).where(SESSIONS.c.until <= stamp(now)))
            await connection.execute(self.database.insert(SESSIONS).values(values))
            kind = "token made" if key.startswith(TOKEN) else "logged in"
            await self._noted(connection, 1, kind, name)

    async def in_session(self, key: str) -> str:
        """See the port."""
        query = (
            select(ACCOUNTS.c.name)
            .join(SESSIONS, SESSIONS.c.name == ACCOUNTS.c.name)
            .where(SESSIONS.c.key == key, SESSIONS.c.until > stamp(self.clock()))
        )
        async with self.database.reading() as connection:
            return await connection.scalar(query) or ""

    async def refused(self, name: str, address: str) -> None:
        """See the port."""
        by = f"{PAGE}:{name}" if name else ""
        async with self.database.writing() as connection:
            await note(connection, stamp(self.clock()), "log-in failed", by=by, text=f"from {address}")

    async def close_session(self, key: str) -> None:
        """See the port."""
        async with self.database.writing() as connection:
            closed = delete(SESSIONS).where(SESSIONS.c.key == key).returning(SESSIONS.c.name)
            name = await connection.scalar(closed)
            kind = "token revoked" if key.startswith(TOKEN) else "logged out"
            await self._noted(connection, bool(name), kind, name or "")

    async def tokens(self, name: str) -> Mapping[str, str]:
        """See the port."""
        query = select(SESSIONS.c.key, SESSIONS.c.until).where(SESSIONS.c.name == name)
        rows = await self.database.rows(query.where(SESSIONS.c.key.startswith(TOKEN)))
        return {row.key: row.until for row in rows}

    async def enter(self, identity: str, name: str, groups: Collection[str]) -> str:
        """See the port."""
        values = {"groups": json.dumps(list(groups)), "at": stamp(self.clock())}
        theirs = IDENTITIES.c.identity == identity
        async with self.database.writing() as connection:
            if known := await connection.scalar(select(IDENTITIES.c.name).where(theirs)):
                await connection.execute(update(IDENTITIES).where(theirs).values(values))
                return str(known)
            account = {"name": name, "secret": "", "created": values["at"]}
            if not await self.database.add(connection, ACCOUNTS, account):
                return ""
            row = {"identity": identity, "name": name} | values
            await connection.execute(IDENTITIES.insert().values(row))
            await self._noted(connection, 1, "account added", name)
            return name

    async def _noted(self, connection: AsyncConnection, changed: int, kind: str, name: str) -> bool:
        """Tell the audit what became of an account, if something did."""
        if changed:
            await note(connection, stamp(self.clock()), kind, by=f"{PAGE}:{name}")
        return bool(changed)
