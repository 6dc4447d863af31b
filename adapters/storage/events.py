"""The trail of a run, inside a transaction."""

from sqlalchemy import bindparam, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.audit import note_event
from adapters.storage.tables import EVENTS, RUNS
from agents.errors import UnknownRun

COUNTED = (
    update(RUNS)
    .where(RUNS.c.run_id == bindparam("one_run"))
    .values(event_count=RUNS.c.event_count + 1)
    .returning(RUNS.c.event_count)
)
NEW_EVENT = EVENTS.insert()
"""Made once: SQLAlchemy takes as long to make a statement as to send it."""


async def append(connection: AsyncConnection, run_id: str, now: str, kind: str, detail: str) -> int:
    """Append an event; its number. The run's counter gives it, so concurrent events wait for each other.

    Raises `UnknownRun`.
    """
    number: int | None = await connection.scalar(COUNTED, {"one_run": run_id})
    if number is None:
        raise unknown_run(run_id)
    values = {"run_id": run_id, "number": number, "at": now, "kind": kind, "detail": detail}
    await connection.execute(NEW_EVENT, values)
    await note_event(connection, now, run_id, kind, detail)
    return number


def unknown_run(run_id: str) -> UnknownRun:
    """The error for an id that the ledger does not have."""
    return UnknownRun(f"There is no run {run_id}. List the runs to find its id.")
