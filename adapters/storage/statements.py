"""What the outbox sends to the database for each card, as statements that are made once.

SQLAlchemy takes as long to make a statement and to find its text again as to send it.
"""

from typing import Any

from sqlalchemy import Select, bindparam, func, literal_column, or_, select, update

from adapters.storage.database import Insert
from adapters.storage.tables import MESSAGE_PARTS, MESSAGES, OUTBOX, THREADS

DELIVERED, ABANDONED, REPLACED = "delivered", "abandoned", "replaced"
"""States beside "pending". An abandoned card is replaced when its slot shows a newer one."""

IS_PENDING = OUTBOX.c.state == literal_column("'pending'")
"""As in the index, because no database finds a partial index behind a parameter."""
IS_ABANDONED = OUTBOX.c.state == literal_column("'abandoned'")


def queued(insert: Insert) -> Any:
    """A card in the outbox; in a slot that has one already, the newer one in its place."""
    queued = insert(OUTBOX)
    return queued.on_conflict_do_update(
        index_elements=[OUTBOX.c.thread_id, OUTBOX.c.slot],
        index_where=IS_PENDING,
        set_={"card": queued.excluded.card, "attempts": 0, "error": ""},
    )


def message(insert: Insert) -> Any:
    """Which message shows a slot; no row where it is known."""
    shown = insert(MESSAGES)
    return shown.on_conflict_do_update(
        index_elements=[MESSAGES.c.thread_id, MESSAGES.c.slot],
        set_={"message_id": shown.excluded.message_id},
        where=MESSAGES.c.message_id != shown.excluded.message_id,
    )


def message_part(insert: Insert) -> Any:
    """Which slot a part of a message shows."""
    part = insert(MESSAGE_PARTS)
    columns = MESSAGE_PARTS.c
    return part.on_conflict_do_update(
        index_elements=[columns.platform, columns.channel, columns.part],
        set_={"thread_id": part.excluded.thread_id, "slot": part.excluded.slot},
    )


def _first_free_thread() -> Select[str]:
    """The thread of the oldest deliverable item, locked; threads that another pump is claiming are passed
    over (SQLite has one writer at a time and needs no such lock).
    """
    heads = (
        select(func.min(OUTBOX.c.number).label("number"))
        .where(IS_PENDING)
        .group_by(OUTBOX.c.thread_id)
        .subquery()
    )
    ready = (
        select(OUTBOX.c.number, OUTBOX.c.thread_id)
        .join(heads, OUTBOX.c.number == heads.c.number)
        .where(OUTBOX.c.not_before <= bindparam("now"))
        .subquery()
    )
    return (
        select(THREADS.c.thread_id)
        .join(ready, THREADS.c.thread_id == ready.c.thread_id)
        .where(THREADS.c.platform.in_(bindparam("platforms", expanding=True)))
        .where(or_(THREADS.c.pump == bindparam("by"), THREADS.c.pump_until <= bindparam("now")))
        .order_by(ready.c.number)
        .limit(1)
        .with_for_update(of=THREADS, skip_locked=True)
    )


FIRST_FREE_THREAD = _first_free_thread()
HEAD = (
    select(OUTBOX, THREADS.c.platform, THREADS.c.channel, THREADS.c.thread)
    .join(THREADS, THREADS.c.thread_id == OUTBOX.c.thread_id)
    .where(OUTBOX.c.thread_id == bindparam("one_thread"), IS_PENDING)
    .order_by(OUTBOX.c.number)
    .limit(1)
)
MESSAGE = select(MESSAGES.c.message_id).where(
    MESSAGES.c.thread_id == bindparam("one_thread"), MESSAGES.c.slot == bindparam("one_slot")
)
SHOWING = (
    select(MESSAGES.c.thread_id, MESSAGES.c.slot, MESSAGES.c.message_id)
    .join(
        MESSAGE_PARTS,
        (MESSAGES.c.thread_id == MESSAGE_PARTS.c.thread_id) & (MESSAGES.c.slot == MESSAGE_PARTS.c.slot),
    )
    .where(MESSAGE_PARTS.c.platform == bindparam("platform"))
    .where(MESSAGE_PARTS.c.channel == bindparam("channel"), MESSAGE_PARTS.c.part == bindparam("part"))
)
"""The slot of a channel that a message showed last, and the ids of the message that shows it now."""
ENDED = (
    update(OUTBOX)
    .where(OUTBOX.c.number == bindparam("one_item"), OUTBOX.c.card == bindparam("as_shown"))
    .values(state=bindparam("to"), error=bindparam("why"), ended=bindparam("now"))
)
RESTING = (
    update(OUTBOX)
    .where(OUTBOX.c.thread_id == bindparam("one_thread"), OUTBOX.c.slot == bindparam("one_slot"))
    .where(IS_ABANDONED, OUTBOX.c.number != bindparam("kept"))
    .values(state=REPLACED)
)
HELD = (
    update(THREADS)
    .where(THREADS.c.thread_id == bindparam("one_thread"))
    .values(pump=bindparam("by"), pump_until=bindparam("until"))
)
LET_GO = (
    update(THREADS)
    .where(THREADS.c.thread_id == bindparam("one_thread"), THREADS.c.pump == bindparam("by"))
    .values(pump="", pump_until="")
)
