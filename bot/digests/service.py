"""Tells digests when they are due. Safe to repeat, and for several schedulers side by side.

A tick is begun once and ended once, each in one transaction of the store. Between the two stands what may
take long, pinned questions that are asked again: their runs are keyed by the tick, so that a scheduler that
takes over finds them.
"""

import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from agents.runs.clock import Clock, stamp, utc_now
from agents.runs.pipeline import fresh_id
from agents.runs.records import RunRecord
from bot.digests.card import digest_card
from bot.digests.contents import Gatherer
from bot.digests.ports import Digests
from bot.digests.schedule import next_tick
from bot.digests.values import PINS, Digest, Pin, Tick, TickResult
from bot.hand_on import hand_on_or_leave
from bot.services import Services
from bot.values import ThreadRef

logger = logging.getLogger(__name__)

LONGEST = timedelta(hours=1)
"""How long a digest waits for its pinned questions; what is not answered by then is told to be missing."""


class Telling:
    """Begins what is due, and ends what was begun."""

    def __init__(
        self,
        digests: Digests,
        rooms: Services,
        gatherer: Gatherer,
        clock: Clock = utc_now,
        reading: "Callable[[ThreadRef], Awaitable[Telling | None]] | None" = None,
    ) -> None:
        self._reading = reading
        """What tells the digests of a channel that does not read everything."""
        self._digests = digests
        self._ledger, self._conversations = rooms.ledger, rooms.conversations
        self._queue, self._kinds = rooms.queue, rooms.views.kinds
        self._gatherer = gatherer
        self._clock = clock

    async def round(self) -> None:
        """Begin every digest that is due, and end every tick whose questions are answered."""
        await self.begin_due()
        for tick in await self._digests.open_ticks():
            try:
                await self.end(tick)
            except Exception:
                logger.exception("digest %d of %s is tried again", tick.number, tick.at)

    async def begin_due(self) -> None:
        """Write the ticks of the digests that are due.

        Of the times that passed while no scheduler ran, one is told: what it tells covers the others.
        """
        now = self._clock()
        for digest in await self._digests.due(stamp(now)):
            tick = Tick(digest.number, digest.due, stamp(now))
            following = stamp(next_tick(digest.schedule, now))
            await self._digests.begin(tick, following, silent=digest.muted)

    async def end(self, tick: Tick) -> bool:
        """Tell a tick, if everything that it waits for is there; whether it was told by this call."""
        digest = await self._digests.get(tick.number)
        if digest is None:
            return False
        if self._reading and (other := await self._reading(digest.thread)):
            return await other.end(tick)
        again = await self._asked_again(digest, tick)
        late = datetime.fromisoformat(tick.begun) + LONGEST <= self._clock()
        if not late and not all(record.state.over for record in again.values()):
            return False
        now = self._clock()
        contents, baseline = await self._gatherer.gathered(digest, stamp(now), again)
        card = digest_card(digest, contents, now)
        return await self._digests.end(tick, digest.thread, TickResult(card, baseline))

    async def _asked_again(self, digest: Digest, tick: Tick) -> dict[str, RunRecord]:
        """The runs that ask the channel's pinned questions for this tick, by pin; begun if they are not."""
        found = {}
        for pin in await PINS.all(self._conversations, digest.thread):
            key = tick.request_key(pin.run_id)
            record = await self._ledger.run_of_request(key) or await self._begun(pin, key)
            if record:
                found[pin.run_id] = record
        return found

    async def _begun(self, pin: Pin, key: str) -> RunRecord | None:
        """A new run of a pinned question, in no thread: the digest tells what it found."""
        if pin.kind not in self._kinds:
            return None
        limits = self._kinds[pin.kind].limits
        record = RunRecord(
            fresh_id(),
            pin.kind,
            pin.inputs,
            key,
            asked_by=pin.by,
            budget=limits.budget,
            queue=limits.queue,
        )
        if await self._ledger.create(record):
            await hand_on_or_leave(record, self._ledger, self._queue)
            return record
        return await self._ledger.run_of_request(key)
