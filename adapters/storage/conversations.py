"""Threads and feedback in SQL."""

from collections.abc import Sequence

from pydantic import TypeAdapter
from sqlalchemy import select, update

from adapters.storage.database import Database
from adapters.storage.ledger import insert_run
from adapters.storage.outbox import ensure_thread, put
from adapters.storage.tables import FEEDBACK, SEEN, THREADS
from adapters.storage.whole import whole
from agents.runs.clock import Clock, stamp, utc_now
from agents.runs.records import RunRecord
from bot.values import Card, Feedback, ThreadRef, progress_slot

_names = TypeAdapter(tuple[str, ...])


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
            return True

    async def seen(self, event_id: str) -> bool:
        """See the port."""
        values = {"event_id": event_id, "at": stamp(self._clock())}
        async with self._database.writing() as connection:
            noted = await connection.execute(
                self._database.insert(SEEN).values(values).on_conflict_do_nothing()
            )
            return not noted.rowcount

    async def molecules(self, thread: ThreadRef) -> tuple[str, ...]:
        """See the port."""
        query = select(THREADS.c.molecules).where(THREADS.c.thread_id == thread.thread_id)
        async with self._database.reading() as connection:
            return _names.validate_json(await connection.scalar(query) or "[]")

    async def discuss(self, thread: ThreadRef, molecules: Sequence[str]) -> None:
        """See the port."""
        names = _names.dump_json(tuple(molecules)).decode()
        ours = THREADS.c.thread_id == thread.thread_id
        async with self._database.writing() as connection:
            await ensure_thread(self._database, connection, thread)
            await connection.execute(update(THREADS).where(ours).values(molecules=names))

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
        async with self._database.writing() as connection:
            await connection.execute(given.on_conflict_do_update(index_elements=keys, set_=judged))

    async def feedback(self, run_id: str = "") -> list[Feedback]:
        """See the port."""
        columns = FEEDBACK.c
        query = select(columns.run_id, columns.user_id, columns.verdict, columns.comment, columns.at)
        if run_id:
            query = query.where(columns.run_id == run_id)
        async with self._database.reading() as connection:
            rows = await connection.execute(query.order_by(columns.at.desc(), columns.number.desc()))
            return [Feedback(*row) for row in rows]
