"""The store of digests in memory."""

from dataclasses import replace

from bot.digests.values import Digest, Tick, TickResult
from bot.ports import Outbox
from bot.values import ThreadRef


class MemoryDigests:
    """Implements `bot.digests.ports.Digests` over an outbox; one event loop, one process."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._numbers = 0
        self._digests: dict[int, Digest] = {}
        self._events: dict[str, int] = {}
        self._ticks: dict[tuple[int, str], tuple[Tick, bool]] = {}

    async def add(self, digest: Digest) -> int:
        """See the port."""
        if known := self._events.get(digest.event):
            return known
        self._numbers += 1
        self._events[digest.event] = self._numbers
        self._digests[self._numbers] = replace(digest, number=self._numbers)
        return self._numbers

    async def get(self, number: int) -> Digest | None:
        """See the port."""
        return self._digests.get(number)

    async def of(self, channel: ThreadRef) -> list[Digest]:
        """See the port."""
        place = channel.whole_channel
        return [one for one in self._digests.values() if one.thread.whole_channel == place]

    async def all(self) -> list[Digest]:
        """See the port."""
        return list(self._digests.values())

    async def change(self, digest: Digest) -> bool:
        """See the port."""
        if (held := self._digests.get(digest.number)) is None:
            return False
        self._digests[digest.number] = replace(
            held,
            schedule=digest.schedule,
            due=digest.due,
            about=digest.about,
            muted=digest.muted,
            heartbeat=digest.heartbeat,
        )
        return True

    async def delete(self, number: int) -> bool:
        """See the port."""
        self._ticks = {key: held for key, held in self._ticks.items() if key[0] != number}
        return self._digests.pop(number, None) is not None

    async def due(self, now: str) -> list[Digest]:
        """See the port."""
        return [one for one in self._digests.values() if one.due <= now]

    async def begin(self, tick: Tick, following: str, *, silent: bool = False) -> bool:
        """See the port."""
        digest = self._digests.get(tick.number)
        if digest is None or digest.due != tick.at or (tick.number, tick.at) in self._ticks:
            return False
        self._digests[tick.number] = replace(digest, due=following)
        self._ticks[tick.number, tick.at] = tick, silent
        return True

    async def open_ticks(self) -> list[Tick]:
        """See the port."""
        return sorted((tick for tick, ended in self._ticks.values() if not ended), key=lambda one: one.begun)

    async def end(self, tick: Tick, thread: ThreadRef, result: TickResult) -> bool:
        """See the port."""
        held, ended = self._ticks.get((tick.number, tick.at), (tick, True))
        digest = self._digests.get(tick.number)
        if ended or digest is None:
            return False
        self._ticks[tick.number, tick.at] = held, True
        self._digests[tick.number] = replace(digest, baseline=result.baseline)
        if result.card:
            await self._outbox.put(thread, tick.slot, result.card)
        return True
