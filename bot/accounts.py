"""People with an account of Pestle's own: who may open the page where others can reach it.

A session is known by the hash of what the browser keeps, so that a copy of the database opens nothing.
"""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

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

    async def refused(self, name: str, address: str) -> None:
        """Put a log-in on record that failed, from an address; `name` is that of an account, or ""."""

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
