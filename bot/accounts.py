"""People with an account of Pestle's own: who may open the page where others can reach it.

A session is known by the hash of what the browser keeps, so that a copy of the database opens nothing.
"""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from agents.runs.clock import Clock, stamp, utc_now

TOKEN = "token-"
"""How the key of a personal token begins."""


@dataclass(frozen=True, slots=True)
class Account:
    """A person. `secret` is a password hash, "" for who logs in elsewhere; `created` is ISO 8601, UTC."""

    name: str
    secret: str
    created: str = ""


class Accounts(Protocol):
    """The accounts of this house, and their sessions."""

    async def add(self, account: Account) -> bool:
        """Keep a new account; False if there is one of that name."""

    async def change(self, name: str, secret: str) -> bool:
        """Set another secret and end all sessions of the account; False if there is none."""

    async def remove(self, name: str) -> bool:
        """Delete an account and its sessions; False if there is none."""

    async def get(self, name: str) -> Account | None:
        """The account of that name, or None."""

    async def names(self) -> list[str]:
        """All names, in order."""

    async def open_session(self, name: str, key: str, seconds: float) -> None:
        """Begin a session; those that are over are forgotten."""

    async def in_session(self, key: str) -> str:
        """The name whose session this is, or "" if it is none, over, or of an account that is gone."""

    async def close_session(self, key: str) -> None:
        """End a session."""

    async def tokens(self, name: str) -> Mapping[str, str]:
        """The keys of an account's personal tokens, each with when it is over (ISO 8601, UTC)."""

    async def enter(self, identity: str, name: str, groups: Collection[str]) -> str:
        """The account of somebody whom a provider knows for ever as `identity`, made with this name as they
        first come; "" if the name is somebody else's. `groups` are theirs until they come again.
        """


def token_key(token: str) -> str:
    """Under which a personal token is kept: as a session that `pestle account token` begins."""
    return TOKEN + hashlib.sha256(f"token:{token}".encode(errors="replace")).hexdigest()


class MemoryAccounts:
    """Implements `Accounts`; one process."""

    def __init__(self, clock: Clock = utc_now) -> None:
        self._clock = clock
        self._accounts: dict[str, Account] = {}
        self._sessions: dict[str, tuple[str, str]] = {}
        self._entered: dict[str, str] = {}

    async def add(self, account: Account) -> bool:
        """See the port."""
        if account.name in self._accounts:
            return False
        self._accounts[account.name] = replace(account, created=stamp(self._clock()))
        return True

    async def change(self, name: str, secret: str) -> bool:
        """See the port."""
        if name not in self._accounts:
            return False
        self._accounts[name] = replace(self._accounts[name], secret=secret)
        self._end_sessions(name)
        return True

    async def remove(self, name: str) -> bool:
        """See the port."""
        self._end_sessions(name)
        self._entered = {key: held for key, held in self._entered.items() if held != name}
        return self._accounts.pop(name, None) is not None

    async def get(self, name: str) -> Account | None:
        """See the port."""
        return self._accounts.get(name)

    async def names(self) -> list[str]:
        """See the port."""
        return sorted(self._accounts)

    async def open_session(self, name: str, key: str, seconds: float) -> None:
        """See the port."""
        now = self._clock()
        live = {one: held for one, held in self._sessions.items() if held[1] > stamp(now)}
        self._sessions = live | {key: (name, stamp(now, seconds))}

    async def in_session(self, key: str) -> str:
        """See the port."""
        name, until = self._sessions.get(key, ("", ""))
        return name if name in self._accounts and until > stamp(self._clock()) else ""

    async def close_session(self, key: str) -> None:
        """See the port."""
        self._sessions.pop(key, None)

    async def tokens(self, name: str) -> Mapping[str, str]:
        """See the port."""
        theirs = ((key, until) for key, (whose, until) in self._sessions.items() if whose == name)
        return {key: until for key, until in theirs if key.startswith(TOKEN)}

    async def enter(self, identity: str, name: str, groups: Collection[str]) -> str:
        """See the port."""
        if identity not in self._entered and await self.add(Account(name, "")):
            self._entered[identity] = name
        return self._entered.get(identity, "")

    def _end_sessions(self, name: str) -> None:
        self._sessions = {key: held for key, held in self._sessions.items() if held[0] != name}
