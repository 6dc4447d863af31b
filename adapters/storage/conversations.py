"""Threads and feedback in SQL."""

from collections.abc import Mapping

from sqlalchemy import bindparam, delete, select

from adapters.storage.database import Database, unless_known
from adapters.storage.ledger import RUN_COLUMNS, insert_run, note_asked, run_of
from adapters.storage.outbox import put
from adapters.storage.tables import FEEDBACK, REACTIONS, RUNS, SEEN, THREAD_CONTEXT, THREADS
from adapters.storage.whole import whole
from agents.runs.clock import Clock, stamp, utc_now
from agents.runs.records import RunRecord, RunState
from bot.values import Card, Feedback, Reacted, Shown, ThreadRef, progress_slot

REMEMBERED = select(THREAD_CONTEXT.c.kind, THREAD_CONTEXT.c.value).where(
    THREAD_CONTEXT.c.thread_id == bindparam("one_thread")
)


@whole
class SqlConversations:
    """Implements `bot.ports.Conversations`."""

    def __init__(self, database: Database, clock: Clock = utc_now) -> None:
        self._database = database
        self._clock = clock

    async def start(self, record: RunRecord, thread: ThreadRef, card: Card) -> bool:
        """See the port."""
        now = stamp(self._clock())
        async with self._database.writing() as connection:
            if not await insert_run(self._database, connection, record, now):
                return False
            await put(self._database, connection, thread, progress_slot(record.run_id), card, now)
            await note_asked(connection, record, now)
            return True

    async def runs(
        self, channel: ThreadRef, *, since: str = "", limit: int = 50, state: RunState | None = None
    ) -> list[RunRecord]:
        """See the port."""
        here = (THREADS.c.platform == channel.platform) & (THREADS.c.channel == channel.channel)
        query = select(*RUN_COLUMNS).join(THREADS, THREADS.c.thread_id == RUNS.c.thread_id)
        query = query.where(here, RUNS.c.created > since).order_by(RUNS.c.number.desc()).limit(limit)
        if state is not None:
            query = query.where(RUNS.c.state == state.value)
        return [run_of(row) for row in await self._database.rows(query)]

    async def seen(self, event_id: str) -> bool:
        """See the port."""
        values = {"event_id": event_id, "at": stamp(self._clock())}
        return not await self._database.change(self._database.built(unless_known(SEEN)), values)

    async def was_seen(self, event_id: str) -> bool:
        """See the port."""
        query = select(SEEN.c.at).where(SEEN.c.event_id == event_id)
        return bool(await self._database.rows(query))

    async def remembered(self, thread: ThreadRef) -> Mapping[str, str]:
        """See the port."""
        values = {"one_thread": thread.thread_id}
        return {kind: value for kind, value in await self._database.rows(REMEMBERED, values)}

    async def remember(self, thread: ThreadRef, kind: str, value: str) -> None:
        """See the port."""
        row = {"thread_id": thread.thread_id, "kind": kind, "value": value}
        kept = self._database.insert(THREAD_CONTEXT).values(row)
        keys = [THREAD_CONTEXT.c.thread_id, THREAD_CONTEXT.c.kind]
        newest = {"value": kept.excluded.value}
        await self._database.change(kept.on_conflict_do_update(index_elements=keys, set_=newest))

    async def remembered_as(self, kind: str) -> Mapping[str, str]:
        """See the port."""
        columns = THREAD_CONTEXT.c
        query = select(columns.thread_id, columns.value).where(columns.kind == kind, columns.value != "")
        return {row.thread_id: row.value for row in await self._database.rows(query)}

    async def add_feedback(self, feedback: Feedback) -> None:
        """See the port."""
        judged = {
            "verdict": feedback.verdict,
            "comment": feedback.comment,
            "at": feedback.at or stamp(self._clock()),
        }
        given = self._database.insert(FEEDBACK).values(
            run_id=feedback.run_id, user_id=feedback.user, **judged
        )
        keys = [FEEDBACK.c.run_id, FEEDBACK.c.user_id]
        await self._database.change(given.on_conflict_do_update(index_elements=keys, set_=judged))

    async def withdraw_feedback(self, run_id: str, user: str) -> None:
        """See the port."""
        given = (FEEDBACK.c.run_id == run_id) & (FEEDBACK.c.user_id == user)
        await self._database.change(delete(FEEDBACK).where(given))

    async def note_reaction(self, reacted: Reacted) -> None:
        """See the port."""
        shown = reacted.shown
        keys = {
            "thread_id": shown.thread.thread_id,
            "slot": shown.slot,
            "user_id": reacted.user,
            "meaning": reacted.meaning,
        }
        rest = {name: getattr(reacted, name) for name in ("emoji", "at", "event", "before", "removed")}
        noted = self._database.insert(REACTIONS).values(keys | rest)
        columns = [REACTIONS.c[name] for name in keys]
        await self._database.change(noted.on_conflict_do_update(index_elements=columns, set_=rest))

    async def reactions(self, shown: Shown) -> list[Reacted]:
        """See the port."""
        columns = REACTIONS.c
        names = ("user_id", "meaning", "emoji", "at", "event", "before", "removed")
        query = select(*(columns[name] for name in names)).where(
            columns.thread_id == shown.thread.thread_id, columns.slot == shown.slot
        )
        return [Reacted(shown, *row) for row in await self._database.rows(query.order_by(columns.at))]

    async def feedback(self, run_id: str = "") -> list[Feedback]:
        """See the port."""
        columns = FEEDBACK.c
        query = select(columns.run_id, columns.user_id, columns.verdict, columns.comment, columns.at)
        if run_id:
            query = query.where(columns.run_id == run_id)
        rows = await self._database.rows(query.order_by(columns.at.desc(), columns.number.desc()))
        return [Feedback(*row) for row in rows]
