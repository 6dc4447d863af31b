"""Brings cards from the outbox to their platform: in order per thread, one message per slot, none lost."""

import asyncio
import contextlib
import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace

from agents.errors import UnknownRun
from agents.ports import Ledger
from agents.reports.values import Figure, Structure
from bot.errors import DeliveryDelayed, DeliveryFailed, DeliveryHindered
from bot.ports import ChatPlatform, FileMaker, FindsPosted, Outbox, ShowsFiles
from bot.private import show_privately
from bot.rights import Permits, allowed
from bot.values import Attachment, Card, CardKind, Handed, OutboxItem, OutgoingFile, Table, file_slot
from bot.words import without_file

logger = logging.getLogger(__name__)

CLAIM_S = 12.0
"""How long an item is held by a pump; another pump takes over the item of one that died after this time."""
IDLE_S = 0.2
LONG_TABLE = 30
"""Rows over which a table also follows as a file."""
LONGEST_WAIT_S = 60.0
WITHHELD = "This is not shown here: not everybody here may read what it rests on. Ask for it alone."
ATTEMPTS = 12
"""Of a card that fails for a reason nobody foresaw; it holds back those behind it in its thread."""
LONGEST_HINDERED_S = 600.0
HINDERED_ATTEMPTS = 155
"""Of a card that the platform does not take now: about a day."""


class Pump:
    """Claims outbox items and shows them.

    A pump may die after the platform took a post and before the outbox heard of it. On a platform that
    `FindsPosted`, the next pump looks the message up and goes on with it, so that it is shown once. On any
    other platform that gap, which is one round trip long, can show a card twice; it can never lose one.

    Where the platform `ShowsFiles`, the pictures and long tables of a card follow it as items of their own,
    each once: they are kept, tried again and told like any card. `files` makes them. `permits` says, at the
    moment of showing, whether everybody at a place may read it.
    """

    def __init__(
        self,
        outbox: Outbox,
        ledger: Ledger,
        platforms: Sequence[ChatPlatform],
        *,
        owner: str,
        files: FileMaker | None = None,
        permits: Permits = allowed,
    ) -> None:
        self._permits = permits
        self._outbox = outbox
        self._ledger = ledger
        self._files = files
        self._platforms = {platform.name: platform for platform in platforms}
        self._owner = owner
        self._delivering = asyncio.Lock()

    async def run(self, stop: asyncio.Event) -> None:
        """Deliver until `stop` is set. A failing database is waited out."""
        while not stop.is_set():
            try:
                idle = not await self.deliver_one()
            except Exception:
                logger.exception("the outbox cannot be read; trying again in %.0f s", 1.0)
                await _pause(stop, 1.0)
                continue
            if idle:
                await _pause(stop, IDLE_S)

    async def drain(self) -> int:
        """Deliver what is deliverable now; returns how many items were taken."""
        count = 0
        while await self.deliver_one():
            count += 1
        return count

    async def deliver_one(self) -> bool:
        """Take one item and show it, put it back, or give it up. False when there is nothing to take."""
        async with self._delivering:  # a claim by the same owner would succeed twice
            return await self._deliver_one()

    async def _deliver_one(self) -> bool:
        item = await self._outbox.claim(self._owner, tuple(self._platforms), CLAIM_S)
        if item is None:
            return False
        try:
            shown = await self._permitted(item)
            message_id = await self._show(shown)
        except DeliveryDelayed as error:
            await self._outbox.postponed(item, error.seconds, str(error), failed=False)
        except DeliveryHindered as error:
            await self._try_later(item, str(error), HINDERED_ATTEMPTS, LONGEST_HINDERED_S)
        except DeliveryFailed as error:
            await self._give_up(item, str(error))
        except Exception as error:
            await self._try_later(item, f"{type(error).__name__}: {error}", ATTEMPTS, LONGEST_WAIT_S)
        else:
            await self._queue_files(shown)
            await self._outbox.delivered(item, message_id)
        return True

    async def _permitted(self, item: OutboxItem) -> OutboxItem:
        """The item, without what not everybody at its place may read by now: somebody came in meanwhile."""
        run_id = item.card.run_id
        if not run_id or await self._permits(item.thread, run_id):
            return item
        return replace(item, card=Card(CardKind.NOTICE, text=WITHHELD, run_id=run_id))

    async def _show(self, item: OutboxItem) -> str:
        """Post a card, or update the message its slot has already; returns the message's id."""
        platform = self._platforms[item.thread.platform]
        card = replace(item.card, mark=item.slot)
        message_id = await self._outbox.message_id(item.thread, item.slot)
        if item.thread.only:
            return await show_privately(platform, item.thread, card, message_id)
        if not message_id and isinstance(platform, FindsPosted):
            message_id = await platform.find(item.thread, card)
        if card.file and isinstance(platform, ShowsFiles) and (file := await self._made(card.file)):
            return message_id or await platform.show_file(item.thread, card, file)
        if not message_id:
            return await platform.post(item.thread, card)
        return await platform.update(item.thread, message_id, card) or message_id

    async def _made(self, handed: Handed) -> OutgoingFile | None:
        return await self._files.made(handed) if self._files else None

    async def _queue_files(self, item: OutboxItem) -> None:
        """Let the pictures and long tables of a card follow it, each once."""
        shows = isinstance(self._platforms[item.thread.platform], ShowsFiles)
        if self._files is None or not shows or item.thread.only:
            return
        for part in _as_files(item.card):
            slot = file_slot(item.slot, part)
            if not await self._outbox.message_id(item.thread, slot):
                told = Card(CardKind.NOTICE, text=without_file(part), file=part, run_id=item.card.run_id)
                await self._outbox.put(item.thread, slot, told)

    async def _try_later(self, item: OutboxItem, error: str, attempts: int, longest: float) -> None:
        """Wait twice as long after each failure, up to `longest` seconds; after the last attempt give up."""
        if item.attempts + 1 >= attempts:
            return await self._give_up(item, error)
        logger.warning("card %s of %s is tried again: %s", item.slot, item.thread.thread_id, error)
        await self._outbox.postponed(item, min(2.0 ** min(item.attempts, 30), longest), error)
        if item.attempts == 0:
            await self._note(item, "delivery.hindered", error)
        return None

    async def _give_up(self, item: OutboxItem, error: str) -> None:
        """Let the next card through. This one is kept: `pestle run post` shows it after all."""
        logger.error("card %s of %s was given up: %s", item.slot, item.thread.thread_id, error)
        await self._outbox.abandoned(item, error)
        await self._note(item, "delivery.abandoned", error)

    async def _note(self, item: OutboxItem, kind: str, error: str) -> None:
        """A line in the run's trail, if the card is of a run that is known here."""
        if not item.card.run_id:
            return
        detail = json.dumps({"slot": item.slot, "error": error})
        with contextlib.suppress(UnknownRun):
            await self._ledger.append(item.card.run_id, kind, detail)


def _as_files(card: Card) -> Iterator[Table | Figure | Structure | Attachment]:
    """What of a card is worth a file: what is drawn or attached, and tables that are long to read in a
    thread.
    """
    for part in card.parts:
        if isinstance(part, Figure | Structure | Attachment) or (
            isinstance(part, Table) and len(part.rows) > LONG_TABLE
        ):
            yield part


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)
