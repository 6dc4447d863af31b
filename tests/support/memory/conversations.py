"""What is kept about threads, in memory."""

import sys
from collections.abc import Mapping
from dataclasses import replace

from agents.ports import Ledger
from agents.runs.clock import Clock, stamp, utc_now
from agents.runs.records import RunRecord, RunState
from bot.values import Card, Feedback, Reacted, Shown, ThreadRef, progress_slot
from tests.support.memory.outbox import MemoryOutbox


class MemoryConversations:
    """Implements `bot.ports.Conversations` over a ledger and an outbox."""

    def __init__(self, ledger: Ledger, outbox: MemoryOutbox, clock: Clock = utc_now) -> None:
        self._ledger = ledger
        self._outbox = outbox
        self._clock = clock
        self._seen: set[str] = set()
        self._remembered: dict[ThreadRef, dict[str, str]] = {}
        self._feedback: dict[tuple[str, str], Feedback] = {}
        self._reactions: dict[tuple[Shown, str, str], Reacted] = {}

    async def start(self, record: RunRecord, thread: ThreadRef, card: Card) -> bool:
        """See the port."""
        if not await self._ledger.create(record):
            return False
        await self._outbox.put(thread, progress_slot(record.run_id), card)
        return True

    async def runs(
        self, channel: ThreadRef, *, since: str = "", limit: int = 50, state: RunState | None = None
    ) -> list[RunRecord]:
        """See the port."""
        place = channel.whole_channel
        return [
            one
            for one in await self._ledger.runs(limit=sys.maxsize, state=state)
            if one.thread_id and ThreadRef.parse(one.thread_id).whole_channel == place and one.created > since
        ][:limit]

    async def seen(self, event_id: str) -> bool:
        """See the port."""
        known = event_id in self._seen
        self._seen.add(event_id)
        return known

    async def was_seen(self, event_id: str) -> bool:
        """See the port."""
        return event_id in self._seen

    async def remembered(self, thread: ThreadRef) -> Mapping[str, str]:
        """See the port."""
        return dict(self._remembered.get(thread, {}))

    async def remember(self, thread: ThreadRef, kind: str, value: str) -> None:
        """See the port."""
        self._remembered.setdefault(thread, {})[kind] = value

    async def remembered_as(self, kind: str) -> Mapping[str, str]:
        """See the port."""
        kept = self._remembered.items()
        return {thread.thread_id: values[kind] for thread, values in kept if values.get(kind)}

    async def add_feedback(self, feedback: Feedback) -> None:
        """See the port."""
        given = replace(feedback, at=feedback.at or stamp(self._clock()))
        self._feedback[feedback.run_id, feedback.user] = given

    async def withdraw_feedback(self, run_id: str, user: str) -> None:
        """See the port."""
        self._feedback.pop((run_id, user), None)

    async def note_reaction(self, reacted: Reacted) -> None:
        """See the port."""
        self._reactions[reacted.shown, reacted.user, reacted.meaning] = reacted

    async def reactions(self, shown: Shown) -> list[Reacted]:
        """See the port."""
        found = (one for one in self._reactions.values() if one.shown == shown)
        return sorted(found, key=lambda one: one.at)

    async def feedback(self, run_id: str = "") -> list[Feedback]:
        """See the port."""
        given = [one for one in self._feedback.values() if run_id in ("", one.run_id)]
        return sorted(reversed(given), key=lambda one: one.at, reverse=True)
