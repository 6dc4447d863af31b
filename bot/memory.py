"""The ports of the conversation in memory: for tests, and for a terminal session that keeps nothing."""

import sys
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from agents.ports import Ledger
from agents.runs.clock import Clock, stamp, utc_now
from agents.runs.records import RunRecord, RunState
from bot.values import (
    Card,
    Feedback,
    OutboxItem,
    OutgoingFile,
    Reacted,
    Shown,
    ThreadRef,
    Unposted,
    progress_slot,
)


class MemoryOutbox:
    """Implements `bot.ports.Outbox`; one event loop, one process."""

    def __init__(self, clock: Clock = utc_now) -> None:
        self._clock = clock
        self._numbers = 0
        self._pending: dict[int, OutboxItem] = {}
        self._messages: dict[tuple[ThreadRef, str], str] = {}
        self._held: dict[ThreadRef, tuple[str, str]] = {}
        self._errors: dict[int, str] = {}
        """Why an item was not shown, by its number."""
        self._abandoned: dict[int, OutboxItem] = {}
        self._shown: dict[tuple[ThreadRef, str], Card] = {}

    async def put(self, thread: ThreadRef, slot: str, card: Card) -> None:
        """See the port. The newer card keeps the older one's place in the thread."""
        for item in self._pending.values():
            if (item.thread, item.slot) == (thread, slot):
                self._pending[item.number] = replace(item, card=card, attempts=0)
                self._errors.pop(item.number, None)
                return
        self._numbers += 1
        self._pending[self._numbers] = OutboxItem(self._numbers, thread, slot, card)

    async def claim(self, owner: str, platforms: Sequence[str], seconds: float) -> OutboxItem | None:
        """See the port. An item that waits to be tried again holds back those behind it in its thread."""
        heads: dict[ThreadRef, OutboxItem] = {}
        for _, item in sorted(self._pending.items()):
            heads.setdefault(item.thread, item)
        for thread, item in heads.items():
            if thread.platform in platforms and item.not_before <= self._now() and self._free(thread, owner):
                self._held[thread] = (owner, stamp(self._clock(), seconds))
                return replace(item, owner=owner)
        return None

    async def message_id(self, thread: ThreadRef, slot: str) -> str:
        """See the port."""
        return self._messages.get((thread, slot), "")

    async def showing(self, place: ThreadRef, message_id: str) -> Shown | None:
        """See the port."""
        for (thread, slot), shown in self._messages.items():
            here = (thread.platform, thread.channel) == (place.platform, place.channel)
            if here and message_id in shown.split():
                return Shown(thread, slot)
        return None

    async def shown(self, thread: ThreadRef, kind: str) -> list[tuple[str, Card]]:
        """See the port."""
        return [
            (slot, card)
            for (place, slot), card in self._shown.items()
            if place == thread and slot.startswith(f"{kind}:")
        ]

    async def delivered(self, item: OutboxItem, message_id: str) -> None:
        """See the port."""
        self._messages[item.thread, item.slot] = message_id
        self._shown[item.thread, item.slot] = item.card
        self._take_off(item)
        for older in self._abandoned_of(item.thread, item.slot):
            del self._abandoned[older.number]

    async def postponed(self, item: OutboxItem, seconds: float, error: str, *, failed: bool = True) -> None:
        """See the port."""
        later, attempts = stamp(self._clock(), seconds), item.attempts + failed
        if pending := self._pending.get(item.number):
            self._pending[item.number] = replace(pending, attempts=attempts, not_before=later)
            self._errors[item.number] = error
        self._let_go(item)

    async def abandoned(self, item: OutboxItem, error: str) -> None:
        """See the port."""
        if self._take_off(item):
            self._abandoned[item.number] = item
            self._errors[item.number] = error

    async def unposted(self, threads: Sequence[ThreadRef]) -> list[Unposted]:
        """See the port."""
        waiting = {number: item for number, item in self._pending.items() if self._errors.get(number)}
        found = sorted((self._abandoned | waiting).items())
        return [self._unposted(item) for _, item in found if item.thread in threads]

    async def again(self, thread: ThreadRef, run_id: str) -> int:
        """See the port."""
        slots = {one.slot for one in await self.unposted([thread]) if one.run_id == run_id}
        for slot in slots:
            abandoned = self._abandoned_of(thread, slot)
            for older in abandoned:
                del self._abandoned[older.number]
            waiting = [one for one in self._pending.values() if (one.thread, one.slot) == (thread, slot)]
            for item in waiting or abandoned[-1:]:
                self._pending[item.number] = replace(item, attempts=0, not_before="")
        return len(slots)

    def _unposted(self, item: OutboxItem) -> Unposted:
        error, given_up = self._errors[item.number], item.number in self._abandoned
        not_before = "" if given_up else item.not_before
        return Unposted(item.thread, item.slot, item.card.run_id, error, given_up, not_before)

    def _abandoned_of(self, thread: ThreadRef, slot: str) -> list[OutboxItem]:
        return [
            item for _, item in sorted(self._abandoned.items()) if (item.thread, item.slot) == (thread, slot)
        ]

    async def forget(self, days: float) -> int:
        """See the port. Delivered items are not kept here at all."""
        return 0

    def _take_off(self, item: OutboxItem) -> bool:
        """Remove the item, unless a newer card has taken its place meanwhile; let the thread go."""
        self._let_go(item)
        pending = self._pending.get(item.number)
        if not pending or pending.card != item.card:
            return False
        del self._pending[item.number]
        self._errors.pop(item.number, None)
        return True

    def _let_go(self, item: OutboxItem) -> None:
        if self._held.get(item.thread, ("", ""))[0] == item.owner:
            self._held.pop(item.thread, None)

    def _free(self, thread: ThreadRef, owner: str) -> bool:
        holder, until = self._held.get(thread, (owner, ""))
        return holder == owner or until <= self._now()

    def _now(self) -> str:
        return stamp(self._clock())


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


@dataclass(frozen=True, slots=True)
class Posted:
    """A message on the memory platform, as it looks now."""

    message_id: str
    thread: ThreadRef
    card: Card
    file: OutgoingFile | None = None
    user: str = ""
    """Who alone sees it; "" for everybody."""


class MemoryPlatform:
    """Implements `bot.ports.ChatPlatform`, `ShowsFiles` and `ShowsPrivately`: keeps what it is shown.

    An error put into `failures` is raised by the next call instead.
    """

    def __init__(self, name: str = "memory") -> None:
        self.name = name
        self.failures: deque[Exception] = deque()
        self._messages: dict[str, Posted] = {}

    @property
    def messages(self) -> list[Posted]:
        """All messages, in the order they were first posted."""
        return list(self._messages.values())

    async def post(self, thread: ThreadRef, card: Card) -> str:
        """See the port."""
        return self._keep(thread, card)

    async def show_file(self, thread: ThreadRef, card: Card, file: OutgoingFile) -> str:
        """See the port."""
        return self._keep(thread, card, file)

    async def show_privately(self, thread: ThreadRef, user: str, card: Card) -> None:
        """See the port."""
        self._keep(thread, card, user=user)

    def _keep(self, thread: ThreadRef, card: Card, file: OutgoingFile | None = None, user: str = "") -> str:
        self._fail()
        message_id = f"m{len(self._messages) + 1}"
        self._messages[message_id] = Posted(message_id, thread, card, file, user)
        return message_id

    async def update(self, thread: ThreadRef, message_id: str, card: Card) -> None:
        """See the port."""
        self._fail()
        self._messages[message_id] = Posted(message_id, thread, card)

    def _fail(self) -> None:
        if self.failures:
            raise self.failures.popleft()
