"""What runs ask people, inside a transaction of the ledger.

Each function that looks and then writes locks the run's row first, so that a decision is never missed by a
run that is about to wait. (SQLite has one writer at a time and needs no lock.)
"""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import case, delete, literal_column, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage.database import Database
from adapters.storage.events import append, unknown_run
from adapters.storage.tables import EVENTS, LEASES, REQUESTS, RUNS
from agents.runs.clock import stamp
from agents.runs.hashing import canonical_json
from agents.runs.polls import VOTED, Vote, ballots, closed
from agents.runs.records import Decision, OpenRequest, Request, RunState
from agents.runs.requests import ASKED, DECIDED, WAITS, asked_detail, decided_detail, voted_detail

UNFINISHED = tuple(state.value for state in RunState if not state.over)
_WAITS = RUNS.c.state == RunState.WAITING.value
AWAKE = {
    "state": case((_WAITS, RunState.QUEUED.value), else_=RUNS.c.state),
    "enqueued": case((_WAITS, ""), else_=RUNS.c.enqueued),
}
"""A run that need not wait any longer is queued; any other stays as it is."""
IS_OPEN = REQUESTS.c.decision == literal_column("''")
"""As in the index, because no database finds a partial index behind a parameter."""

_request = TypeAdapter(Request)
_decision = TypeAdapter(Decision)


async def ask(
    database: Database, connection: AsyncConnection, run_id: str, name: str, request: Request, now: datetime
) -> Decision | None:
    """See `agents.ports.Ledger.ask`."""
    await _lock(connection, run_id)
    asked = OpenRequest(run_id, name, request, stamp(now), _due(request, now))
    values = {
        "run_id": run_id,
        "name": name,
        "request": _request.dump_json(request).decode(),
        "asked": asked.asked,
        "due": asked.due,
    }
    if await database.add(connection, REQUESTS, values):
        await append(connection, run_id, asked.asked, ASKED, asked_detail(asked))
        return None
    decided = await connection.scalar(select(REQUESTS.c.decision).where(_named(run_id, [name])))
    return _decision.validate_json(decided) if decided else None


async def suspend(
    connection: AsyncConnection, run_id: str, owner: str, names: Collection[str], now: str
) -> bool:
    """See `agents.ports.Ledger.suspend`."""
    state, stop = await _lock(connection, run_id)
    if state not in UNFINISHED:
        return True
    decided = await connection.scalar(select(REQUESTS.c.name).where(_named(run_id, names), ~IS_OPEN).limit(1))
    if stop or decided is not None:
        return False
    waiting = update(RUNS).where(RUNS.c.run_id == run_id).values(state=RunState.WAITING.value)
    await connection.execute(waiting)
    await append(connection, run_id, now, WAITS, canonical_json({"for": sorted(names)}))
    await connection.execute(delete(LEASES).where(LEASES.c.run_id == run_id, LEASES.c.owner == owner))
    return True


async def decide(connection: AsyncConnection, run_id: str, name: str, decision: Decision) -> bool:
    """See `agents.ports.Ledger.decide`."""
    state, _ = await _lock(connection, run_id)
    asked = await open_requests(connection, _named(run_id, [name])) if state in UNFINISHED else []
    if not asked:
        return False
    decision = replace(decision, shown=asked[0].request.shown)
    chosen = update(REQUESTS).where(_named(run_id, [name]), IS_OPEN)
    await connection.execute(chosen.values(decision=_decision.dump_json(decision).decode()))
    await append(connection, run_id, decision.at, DECIDED, decided_detail(name, decision))
    await connection.execute(update(RUNS).where(RUNS.c.run_id == run_id).values(AWAKE))
    return True


async def vote(connection: AsyncConnection, run_id: str, name: str, vote: Vote, now: str) -> bool:
    """See `agents.ports.Ledger.vote`."""
    state, _ = await _lock(connection, run_id)
    asked = await open_requests(connection, _named(run_id, [name])) if state in UNFINISHED else []
    poll = asked[0].request.poll if asked else None
    if poll is None or "" < asked[0].due <= now:
        return False
    await append(connection, run_id, now, VOTED, voted_detail(name, vote))
    votes = select(EVENTS.c.detail, EVENTS.c.at).where(EVENTS.c.run_id == run_id, EVENTS.c.kind == VOTED)
    rows = await connection.execute(votes.order_by(EVENTS.c.number))
    if reason := closed(poll, ballots(poll, name, ((row.detail, row.at) for row in rows))):
        await decide(connection, run_id, name, Decision(reason, "", now))
    return True


async def open_requests(connection: AsyncConnection, condition: Any) -> list[OpenRequest]:
    """Requests without a decision for which a condition holds, oldest first."""
    columns = (REQUESTS.c.run_id, REQUESTS.c.name, REQUESTS.c.request, REQUESTS.c.asked, REQUESTS.c.due)
    query = select(*columns).where(IS_OPEN, condition).order_by(REQUESTS.c.asked, REQUESTS.c.name)
    return [
        OpenRequest(row.run_id, row.name, _request.validate_json(row.request), row.asked, row.due)
        for row in await connection.execute(query)
    ]


async def overdue(connection: AsyncConnection, now: str) -> list[OpenRequest]:
    """See `agents.ports.Ledger.overdue`."""
    going_on = select(RUNS.c.run_id).where(RUNS.c.state.in_(UNFINISHED), RUNS.c.stop == "")
    late = (REQUESTS.c.due != "") & (REQUESTS.c.due <= now) & REQUESTS.c.run_id.in_(going_on)
    return await open_requests(connection, late)


async def renew(connection: AsyncConnection, run_id: str, now: datetime) -> None:
    """Give the open requests of a run their time anew."""
    for asked in await open_requests(connection, REQUESTS.c.run_id == run_id):
        due = _due(asked.request, now)
        await connection.execute(update(REQUESTS).where(_named(run_id, [asked.name])).values(due=due))


async def _lock(connection: AsyncConnection, run_id: str) -> tuple[str, str]:
    """State and stop request of a run that nobody else changes now. Raises `UnknownRun`."""
    query = select(RUNS.c.state, RUNS.c.stop).where(RUNS.c.run_id == run_id).with_for_update()
    row = (await connection.execute(query)).first()
    if row is None:
        raise unknown_run(run_id)
    return row.state, row.stop


def _named(run_id: str, names: Collection[str]) -> Any:
    return (REQUESTS.c.run_id == run_id) & REQUESTS.c.name.in_(names)


def _due(request: Request, now: datetime) -> str:
    return "" if request.seconds is None else stamp(now, request.seconds)
