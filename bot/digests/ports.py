"""The ports of digests."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from bot.digests.values import Digest, Tick, TickResult
from bot.values import ThreadRef


class Digests(Protocol):
    """The store of digests and their ticks. Contract: `tests/adapters/storage/test_digests_contract.py`."""

    async def add(self, digest: Digest) -> int:
        """Keep a new digest; its number. The same event again changes nothing and gives the same number."""

    async def get(self, number: int) -> Digest | None:
        """The digest with this number, or None."""

    async def of(self, channel: ThreadRef) -> list[Digest]:
        """The digests of a channel, in the order of their numbers."""

    async def all(self) -> list[Digest]:
        """The digests of all channels, in the order of their numbers."""

    async def change(self, digest: Digest) -> bool:
        """Set schedule, due time, subject, mute and heartbeat of a digest; False if there is none."""

    async def delete(self, number: int) -> bool:
        """Drop a digest and what is open of it; False if there is none."""

    async def due(self, now: str) -> list[Digest]:
        """The digests that are due by `now`, the muted ones among them."""

    async def begin(self, tick: Tick, following: str, *, silent: bool = False) -> bool:
        """Write a tick and move the digest on to the `following` time, in one transaction.

        False if this tick was begun before, or the digest is not due at it any more. A `silent` tick is
        closed at once.
        """

    async def open_ticks(self) -> list[Tick]:
        """The ticks that were begun and not ended, oldest first."""

    async def end(self, tick: Tick, thread: ThreadRef, result: TickResult) -> bool:
        """Close a tick, put its card into the outbox and keep what is known now, in one transaction.

        False, and nothing is written, if it was closed before or its digest is gone.
        """


@dataclass(frozen=True, slots=True)
class Document:
    """A document of the archive, and the hash of its content."""

    doc_id: str
    title: str
    sha256: str


class News(Protocol):
    """What the archive holds, to tell what is new in it."""

    async def documents(self) -> Mapping[str, Document]:
        """All documents, by id."""

    async def about(self, doc_ids: Collection[str], subject: str) -> list[str]:
        """Those of the documents that speak of a subject, those that speak of it most first."""
