"""The outbox in memory."""

from collections.abc import Sequence
from dataclasses import replace

from agents.runs.clock import Clock, stamp, utc_now
from bot.values import Card, OutboxItem, Shown, ThreadRef, Unposted


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

    async def put(self, thread: ThreadRef, slot: str, card: Card, after: float = 0.0) -> None:
        """See the port. The newer card keeps the older one's place in the thread."""
        for item in self._pending.values():
            if (item.thread, item.slot) == (thread, slot):
                self._pending[item.number] = replace(item, card=card, attempts=0)
                self._errors.pop(item.number, None)
                return
        self._numbers += 1
        due = stamp(self._clock(), after) if after else ""
        item = OutboxItem(self._numbers, thread, slot, card, not_before=due)
        self._pending[self._numbers] = item

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
