"""Keeps a run's progress card up to date while the run is carried."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import KW_ONLY, dataclass

from agents.kinds import RunView
from agents.ports import Artefacts, Ledger
from agents.reports.midrun import sections_shown
from agents.runs.background import in_background
from agents.runs.records import Event, OpenRequest, RunRecord, RunState
from bot.attachments import Attachments
from bot.cards import progress_card
from bot.ports import Outbox
from bot.report_cards import midrun_card
from bot.request_cards import Files, request_cards
from bot.values import Card, ThreadRef, progress_slot, section_slot
from bot.views import Views

logger = logging.getLogger(__name__)

EVERY_S = 1.0
"""Shortest time between two updates of a card; Slack allows about one message per second and channel."""
SOON_S = 0.1
"""The same until it is seen to be at work: at its very beginning a run still stands as waiting."""


def cards_of_work(
    view: RunView, asked: Sequence[OpenRequest], events: Sequence[Event], files: Files
) -> dict[str, Card]:
    """What a run shows while it works, by slot: how far it is, its sections so far, and what it asks."""
    run_id = view.record.run_id
    sections = {section_slot(run_id, one.id): midrun_card(run_id, one) for one in sections_shown(events)}
    progress = {progress_slot(run_id): progress_card(view, events)}
    return progress | sections | request_cards(run_id, asked, events, files)


@dataclass(frozen=True, slots=True)
class Progress:
    """Reads a run's new events once in a while and puts the card into the outbox when it changed."""

    ledger: Ledger
    outbox: Outbox
    views: Views
    artefacts: Artefacts
    _: KW_ONLY
    every_s: float = EVERY_S

    def shown(self, record: RunRecord) -> AbstractAsyncContextManager[None]:
        """While the block runs, show where the run stands."""
        return in_background(self._follow(self._of(record)))

    async def ended(self, record: RunRecord) -> None:
        """Show how the run ended."""
        await self._of(record).refresh()

    def _of(self, record: RunRecord) -> "_Shown":
        return _Shown(self.ledger, self.outbox, self.views, Attachments(self.artefacts), record)

    async def _follow(self, view: "_Shown") -> None:
        pause = min(SOON_S, self.every_s)
        while True:
            await asyncio.sleep(pause)
            try:
                if await view.refresh():
                    pause = self.every_s
            except Exception:
                logger.warning("the progress of a run could not be shown", exc_info=True)
                pause = self.every_s


class _Shown:
    """The cards as last shown, and the events that they were made from."""

    def __init__(
        self, ledger: Ledger, outbox: Outbox, views: Views, attachments: Attachments, record: RunRecord
    ) -> None:
        self._attachments = attachments
        self._ledger = ledger
        self._outbox = outbox
        self._thread = ThreadRef.parse(record.thread_id)
        self._run_id = record.run_id
        self._views = views
        self._events: list[Event] = []
        self._cards: dict[str, Card] = {}

    async def refresh(self) -> bool:
        """Show what changed; False of a run that still waits, of which the thread knows."""
        record = await self._ledger.run(self._run_id)
        if record is None or record.state is RunState.QUEUED:
            return False
        after = self._events[-1].number if self._events else 0
        self._events += await self._ledger.events(self._run_id, after)
        asked = await self._ledger.open_requests(self._run_id)
        files = await self._attachments.of(self._events)
        shown = cards_of_work(await self._views.of(record), asked, self._events, files)
        for slot, card in shown.items():
            if self._cards.get(slot) != card:
                await self._outbox.put(self._thread, slot, card)
                self._cards[slot] = card
        return True
