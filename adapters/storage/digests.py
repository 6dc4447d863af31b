"""Digests in SQL. A tick is one row under digest and time, so that it is begun once and ended once, whoever
tries; its card goes into the outbox in the transaction that ends it.
"""

from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import delete, literal_column, select, true, update

from adapters.storage.database import Database
from adapters.storage.outbox import put
from adapters.storage.tables import DIGESTS, TICKS
from adapters.storage.whole import whole
from agents.runs.clock import Clock, stamp, utc_now
from bot.digests.schedule import Schedule
from bot.digests.values import Baseline, Digest, Tick, TickResult
from bot.values import ThreadRef

_baseline = TypeAdapter(Baseline)
YES = "yes"
IS_OPEN = TICKS.c.ended == literal_column("''")
"""As in the index, because no database finds a partial index behind a parameter."""


@whole
@dataclass(frozen=True, slots=True)
class SqlDigests:
    """Implements `bot.digests.ports.Digests`."""

    database: Database
    clock: Clock = utc_now

    async def add(self, digest: Digest) -> int:
        """See the port."""
        row = _row(digest) | {
            "thread_id": digest.thread.thread_id,
            "channel_id": digest.thread.whole_channel.thread_id,
            "by": digest.by,
            "event": digest.event,
            "created": digest.created or stamp(self.clock()),
            "baseline": _baseline.dump_json(digest.baseline).decode(),
        }
        async with self.database.writing() as connection:
            await self.database.add(connection, DIGESTS, row)
            found = await connection.scalar(select(DIGESTS.c.number).where(DIGESTS.c.event == digest.event))
            return int(found or 0)

    async def get(self, number: int) -> Digest | None:
        """See the port."""
        return next(iter(await self._read(DIGESTS.c.number == number)), None)

    async def of(self, channel: ThreadRef) -> list[Digest]:
        """See the port."""
        return await self._read(DIGESTS.c.channel_id == channel.whole_channel.thread_id)

    async def all(self) -> list[Digest]:
        """See the port."""
        return await self._read(true())

    async def change(self, digest: Digest) -> bool:
        """See the port."""
        changed = update(DIGESTS).where(DIGESTS.c.number == digest.number).values(_row(digest))
        return await self.database.change(changed)

    async def delete(self, number: int) -> bool:
        """See the port."""
        async with self.database.writing() as connection:
            gone = await connection.execute(delete(DIGESTS).where(DIGESTS.c.number == number))
            await connection.execute(delete(TICKS).where(TICKS.c.digest == number))
            return bool(gone.rowcount)

    async def due(self, now: str) -> list[Digest]:
        """See the port."""
        return await self._read(DIGESTS.c.due <= now)

    async def begin(self, tick: Tick, following: str, *, silent: bool = False) -> bool:
        """See the port. Who moves the digest on first has the tick; the tick's key is a second lock."""
        at_it = (DIGESTS.c.number == tick.number) & (DIGESTS.c.due == tick.at)
        row = {
            "digest": tick.number,
            "tick": tick.at,
            "begun": tick.begun,
            "ended": tick.begun if silent else "",
        }
        async with self.database.writing() as connection:
            moved = await connection.execute(update(DIGESTS).where(at_it).values(due=following))
            if not moved.rowcount:
                return False
            return await self.database.add(connection, TICKS, row)

    async def open_ticks(self) -> list[Tick]:
        """See the port."""
        query = select(TICKS.c.digest, TICKS.c.tick, TICKS.c.begun).where(IS_OPEN)
        rows = await self.database.rows(query.order_by(TICKS.c.begun, TICKS.c.digest))
        return [Tick(*row) for row in rows]

    async def end(self, tick: Tick, thread: ThreadRef, result: TickResult) -> bool:
        """See the port."""
        now = stamp(self.clock())
        is_open = (TICKS.c.digest == tick.number) & (TICKS.c.tick == tick.at) & IS_OPEN
        baseline = _baseline.dump_json(result.baseline).decode()
        async with self.database.writing() as connection:
            ended = await connection.execute(update(TICKS).where(is_open).values(ended=now))
            if not ended.rowcount:
                return False
            known = update(DIGESTS).where(DIGESTS.c.number == tick.number).values(baseline=baseline)
            await connection.execute(known)
            if result.card:
                await put(self.database, connection, thread, tick.slot, result.card, now)
            return True

    async def _read(self, condition: Any) -> list[Digest]:
        rows = await self.database.rows(select(DIGESTS).where(condition).order_by(DIGESTS.c.number))
        return [
            Digest(
                ThreadRef.parse(row.thread_id),
                Schedule(row.cron, row.zone, row.schedule),
                row.by,
                row.event,
                row.due,
                row.about,
                row.number,
                row.created,
                bool(row.muted),
                bool(row.heartbeat),
                _baseline.validate_json(row.baseline),
            )
            for row in rows
        ]


def _row(digest: Digest) -> dict[str, Any]:
    """What people may change."""
    return {
        "cron": digest.schedule.cron,
        "zone": digest.schedule.zone,
        "schedule": digest.schedule.text,
        "due": digest.due,
        "about": digest.about,
        "muted": YES if digest.muted else "",
        "heartbeat": YES if digest.heartbeat else "",
    }
