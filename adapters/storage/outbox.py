"""The outbox in SQL. A pump holds a whole thread while it delivers, so that cards come in order."""

from collections.abc import Sequence
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage import statements
from adapters.storage.database import Database
from adapters.storage.statements import ABANDONED, DELIVERED, IS_ABANDONED, IS_PENDING, REPLACED
from adapters.storage.tables import OUTBOX, THREADS
from adapters.storage.whole import whole
from agents.runs.clock import Clock, stamp, utc_now
from bot.values import Card, OutboxItem, Shown, ThreadRef, Unposted

_card = TypeAdapter(Card)


@whole
class SqlOutbox:
    """Implements `bot.ports.Outbox`. Abandoned items stay, delivered and replaced ones until `forget`."""

    def __init__(self, database: Database, clock: Clock = utc_now) -> None:
        self._database = database
        self._clock = clock

    async def put(self, thread: ThreadRef, slot: str, card: Card, after: float = 0.0) -> None:
        """See the port. The newer card keeps the older one's place in the thread."""
        async with self._database.writing() as connection:
            now = self._clock()
            due = stamp(now, after) if after else ""
            await put(self._database, connection, thread, slot, card, stamp(now), due)

    async def claim(self, owner: str, platforms: Sequence[str], seconds: float) -> OutboxItem | None:
        """See the port. An item that waits to be tried again holds back those behind it in its thread."""
        now = self._clock()
        values = {"by": owner, "platforms": list(platforms), "now": stamp(now)}
        async with self._database.reading() as connection:  # most looks find nothing, and need no lock
            if await connection.scalar(statements.FIRST_FREE_THREAD, values) is None:
                return None
        async with self._database.writing() as connection:
            thread_id = await connection.scalar(statements.FIRST_FREE_THREAD, values)
            if thread_id is None:
                return None
            item = await _head(connection, thread_id, owner, stamp(now))
            if item is not None:
                await _hold(connection, thread_id, owner, stamp(now, seconds))
            return item

    async def message_id(self, thread: ThreadRef, slot: str) -> str:
        """See the port."""
        values = {"one_thread": thread.thread_id, "one_slot": slot}
        async with self._database.reading() as connection:
            return await connection.scalar(statements.MESSAGE, values) or ""

    async def showing(self, place: ThreadRef, message_id: str) -> Shown | None:
        """See the port."""
        values = {"platform": place.platform, "channel": place.channel, "part": message_id}
        rows = await self._database.rows(statements.SHOWING, values)
        shown = (row for row in rows if message_id in row.message_id.split())
        return next((Shown(ThreadRef.parse(row.thread_id), row.slot) for row in shown), None)

    async def shown(self, thread: ThreadRef, kind: str) -> list[tuple[str, Card]]:
        """See the port."""
        of_kind = (OUTBOX.c.thread_id == thread.thread_id) & OUTBOX.c.slot.startswith(
            f"{kind}:", autoescape=True
        )
        query = select(OUTBOX.c.slot, OUTBOX.c.card).where(of_kind, OUTBOX.c.state == DELIVERED)
        rows = await self._database.rows(query.order_by(OUTBOX.c.number))
        return list({row.slot: _card.validate_json(row.card) for row in rows}.items())

    async def delivered(self, item: OutboxItem, message_id: str) -> None:
        """See the port."""
        of = {"thread_id": item.thread.thread_id, "slot": item.slot}
        place = {"platform": item.thread.platform, "channel": item.thread.channel}
        parts = [{**of, **place, "part": part} for part in message_id.split()]
        async with self._database.writing() as connection:
            shown = self._database.built(statements.message)
            if (await connection.execute(shown, {**of, "message_id": message_id})).rowcount and parts:
                await connection.execute(self._database.built(statements.message_part), parts)
            await self._end(connection, item, DELIVERED, "")
            await _replace(connection, item.thread.thread_id, item.slot)

    async def postponed(self, item: OutboxItem, seconds: float, error: str, *, failed: bool = True) -> None:
        """See the port."""
        later = stamp(self._clock(), seconds)
        values = {"attempts": item.attempts + failed, "not_before": later, "error": error}
        pending = (OUTBOX.c.number == item.number) & IS_PENDING
        async with self._database.writing() as connection:
            await connection.execute(update(OUTBOX).where(pending).values(values))
            await _let_go(connection, item)

    async def abandoned(self, item: OutboxItem, error: str) -> None:
        """See the port."""
        async with self._database.writing() as connection:
            await self._end(connection, item, ABANDONED, error)

    async def unposted(self, threads: Sequence[ThreadRef]) -> list[Unposted]:
        """See the port."""
        async with self._database.reading() as connection:
            return [one for _, one in await _unposted(connection, [ref.thread_id for ref in threads])]

    async def again(self, thread: ThreadRef, run_id: str) -> int:
        """See the port."""
        async with self._database.writing() as connection:
            found = await _unposted(connection, [thread.thread_id])
            newest = {one.slot: number for number, one in found if one.run_id == run_id}
            for slot, number in newest.items():
                of_slot = (OUTBOX.c.thread_id == thread.thread_id) & (OUTBOX.c.slot == slot)
                waits = await connection.scalar(select(OUTBOX.c.number).where(of_slot, IS_PENDING))
                await _replace(connection, thread.thread_id, slot, kept=0 if waits else number)
                anew = update(OUTBOX).where(OUTBOX.c.number == (waits or number))
                await connection.execute(anew.values(state="pending", attempts=0, not_before="", error=""))
            return len(newest)

    async def forget(self, days: float) -> int:
        """See the port."""
        over = OUTBOX.c.state.in_((DELIVERED, REPLACED))
        old = over & (OUTBOX.c.ended < stamp(self._clock(), -days * 86_400))
        async with self._database.writing() as connection:
            return (await connection.execute(delete(OUTBOX).where(old))).rowcount

    async def _end(self, connection: AsyncConnection, item: OutboxItem, state: str, error: str) -> None:
        """Take the item off, unless a newer card has taken its place meanwhile; let the thread go."""
        same = {"one_item": item.number, "as_shown": _dump(item.card)}
        values = {"to": state, "why": error, "now": stamp(self._clock())}
        await connection.execute(statements.ENDED, same | values)
        await _let_go(connection, item)


async def put(
    database: Database,
    connection: AsyncConnection,
    thread: ThreadRef,
    slot: str,
    card: Card,
    now: str,
    due: str = "",
) -> None:
    """Queue a card inside a transaction."""
    await ensure_thread(database, connection, thread)
    values = {"thread_id": thread.thread_id, "slot": slot, "card": _dump(card), "created": now}
    values["not_before"] = due
    await connection.execute(database.built(statements.queued), values)


async def ensure_thread(database: Database, connection: AsyncConnection, thread: ThreadRef) -> None:
    """Write the thread's row if it has none."""
    values = {
        "thread_id": thread.thread_id,
        "platform": thread.platform,
        "channel": thread.channel,
        "thread": thread.thread,
    }
    await database.add(connection, THREADS, values)


async def _head(connection: AsyncConnection, thread_id: str, owner: str, now: str) -> OutboxItem | None:
    """The thread's first pending item, if it may be delivered; read after the lock, so that it is current."""
    row = (await connection.execute(statements.HEAD, {"one_thread": thread_id})).first()
    if row is None or row.not_before > now:
        return None
    thread = ThreadRef(row.platform, row.channel, row.thread)
    card = _card.validate_json(row.card)
    return OutboxItem(row.number, thread, row.slot, card, row.attempts, row.not_before, owner)


async def _unposted(connection: AsyncConnection, thread_ids: Sequence[str]) -> list[tuple[int, Unposted]]:
    """The cards of these threads that were not shown, with their numbers, in order."""
    failed = IS_ABANDONED | (IS_PENDING & (OUTBOX.c.error != ""))
    query = select(OUTBOX).where(OUTBOX.c.thread_id.in_(thread_ids), failed).order_by(OUTBOX.c.number)
    return [(row.number, _as_unposted(row)) for row in await connection.execute(query)]


def _as_unposted(row: Any) -> Unposted:
    thread, given_up = ThreadRef.parse(row.thread_id), row.state == ABANDONED
    run_id = _card.validate_json(row.card).run_id
    return Unposted(thread, row.slot, run_id, row.error, given_up, "" if given_up else row.not_before)


async def _replace(connection: AsyncConnection, thread_id: str, slot: str, kept: int = 0) -> None:
    """Let the slot's abandoned cards rest, but for the one with the number `kept`."""
    await connection.execute(statements.RESTING, {"one_thread": thread_id, "one_slot": slot, "kept": kept})


async def _hold(connection: AsyncConnection, thread_id: str, owner: str, until: str) -> None:
    """Give the thread to a pump until a time."""
    await connection.execute(statements.HELD, {"one_thread": thread_id, "by": owner, "until": until})


async def _let_go(connection: AsyncConnection, item: OutboxItem) -> None:
    """Free the item's thread, unless another pump has taken it over."""
    await connection.execute(statements.LET_GO, {"one_thread": item.thread.thread_id, "by": item.owner})


def _dump(card: Card) -> str:
    """The card as JSON: one text for equal cards."""
    return _card.dump_json(card).decode()
