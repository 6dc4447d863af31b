"""The run ledger in SQL. Each method is one transaction."""

import asyncio
from collections.abc import Collection, Mapping
from datetime import timedelta
from functools import cache
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import (
    DateTime,
    Integer,
    Select,
    bindparam,
    case,
    delete,
    func,
    literal_column,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.storage import requests
from adapters.storage.audit import note, note_of_run, passages, person, sha256
from adapters.storage.database import Database
from adapters.storage.events import append, unknown_run
from adapters.storage.requests import AWAKE, UNFINISHED
from adapters.storage.tables import EVENTS, LEASES, OVER, REQUESTS, RUNS, STEPS
from adapters.storage.whole import whole
from agents.runs.clock import Clock, between, stamp, utc_now
from agents.runs.hashing import canonical_json
from agents.runs.limits import HANDED_OVER
from agents.runs.polls import Vote
from agents.runs.records import (
    Budget,
    Decision,
    Event,
    InLine,
    Lease,
    Neglected,
    OpenRequest,
    Past,
    Request,
    RunRecord,
    RunState,
    Spent,
    StepRecord,
)
from agents.runs.steps import step_ended
from agents.usage import Usage

NEED_WORKER = tuple(state.value for state in RunState if state.needs_worker)
"""States of runs that a worker has to carry."""
RUN_COLUMNS = [RUNS.c[name] for name in RunRecord.__slots__]
STEP_COLUMNS = [STEPS.c[name] for name in StepRecord.__slots__]
EVENT_COLUMNS = [EVENTS.c[name] for name in Event.__slots__]

ENQUEUED = update(RUNS).where(RUNS.c.run_id == bindparam("one_run")).values(enqueued=bindparam("now"))
NOTED = ENQUEUED.where(RUNS.c.state == RunState.QUEUED.value)
NOTED_AGAIN = ENQUEUED.where(RUNS.c.enqueued <= bindparam("latest"))
"""That a run's message waits in a queue."""
TO_HAND_OVER = text(f"handed_over = '' AND state IN {OVER}")
IS_FINISHED = STEPS.c.error == literal_column("''")
"""As in the indexes, because no database finds a partial index behind a parameter."""

STAMP = 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"'
"""How PostgreSQL writes a time as `stamp` does."""
NO_CALL = '"calls":0,'
"""In the usage of a step that asked no model."""

RUN_OF_ID = select(*RUN_COLUMNS).where(RUNS.c.run_id == bindparam("one_run"))
STOP = select(RUNS.c.stop).where(RUNS.c.run_id == bindparam("one_run"))
FINISHED = select(*STEP_COLUMNS).where(
    STEPS.c.run_id == bindparam("one_run"),
    STEPS.c.name == bindparam("one_name"),
    STEPS.c.inputs_hash == bindparam("one_hash"),
    IS_FINISHED,
)
"""What each step asks for, made once."""

_budget = TypeAdapter(Budget)
_usage = TypeAdapter(Usage)
_names = TypeAdapter(tuple[str, ...])


@whole
class SqlLedger:
    """Implements `agents.ports.Ledger`."""

    def __init__(self, database: Database, clock: Clock = utc_now) -> None:
        self._database = database
        self._clock = clock

    async def create(self, record: RunRecord) -> bool:
        """See the port."""
        async with self._database.writing() as connection:
            now = self._now()
            if inserted := await insert_run(self._database, connection, record, now):
                await note_asked(connection, record, now)
            return inserted

    async def run(self, run_id: str) -> RunRecord | None:
        """See the port."""
        return await self._one_run(RUN_OF_ID, {"one_run": run_id})

    async def run_of_request(self, request_key: str) -> RunRecord | None:
        """See the port."""
        return await self._one_run(select(*RUN_COLUMNS).where(RUNS.c.request_key == request_key), {})

    async def runs(
        self, *, limit: int = 50, thread_id: str = "", state: RunState | None = None
    ) -> list[RunRecord]:
        """See the port."""
        query = _latest_runs(of_thread=bool(thread_id), in_state=state is not None)
        values = {"most": limit, "of_thread": thread_id, "in_state": state and state.value}
        return [run_of(row) for row in await self._database.rows(query, values)]

    async def set_state(self, run_id: str, state: RunState, *, result: str = "", error: str = "") -> None:
        """See the port."""
        now = self._now()
        values: dict[str, Any] = {"state": state.value, "result": result, "error": error}
        values |= {"ended": now if state.over else "", "enqueued": ""}
        if state is RunState.QUEUED:
            values |= {"stop": "", "handed_over": ""}
        if state is RunState.RUNNING:
            values["started"] = case((RUNS.c.started == "", now), else_=RUNS.c.started)
        unfinished = (RUNS.c.run_id == run_id) & (RUNS.c.state != RunState.DONE.value)
        answered = await self._answered(run_id, state, result) if state.over else {}
        async with self._database.writing() as connection:
            changed = await connection.execute(update(RUNS).where(unfinished).values(values))
            if not changed.rowcount:
                await _require(connection, run_id)
            if state is RunState.QUEUED:
                await requests.renew(connection, run_id, self._clock())
            if state.over and changed.rowcount:
                await note_of_run(connection, now, "answered", run_id, facts=answered)

    async def step(self, run_id: str, name: str, inputs_hash: str) -> StepRecord | None:
        """See the port."""
        values = {"one_run": run_id, "one_name": name, "one_hash": inputs_hash}
        return next((_step(row) for row in await self._database.rows(FINISHED, values)), None)

    async def save_step(self, step: StepRecord) -> None:
        """See the port."""
        values = {name: getattr(step, name) for name in StepRecord.__slots__}
        values |= {
            "usage": _usage.dump_json(step.usage).decode(),
            "fingerprints": _names.dump_json(step.fingerprints).decode(),
        }
        async with self._database.writing() as connection:
            if await self._database.add(connection, STEPS, values):
                await append(connection, step.run_id, self._now(), *step_ended(step))

    async def steps(self, run_id: str) -> list[StepRecord]:
        """See the port."""
        query = select(*STEP_COLUMNS).where(STEPS.c.run_id == run_id).order_by(STEPS.c.number)
        rows = await self._database.rows(query)
        if not rows:
            await self.stop_requested(run_id)  # raises where there is no such run
        return [_step(row) for row in rows]

    async def append(self, run_id: str, kind: str, detail: str) -> int:
        """See the port."""
        async with self._database.writing() as connection:
            return await append(connection, run_id, self._now(), kind, detail)

    async def events(self, run_id: str, after: int = 0) -> list[Event]:
        """See the port."""
        query = select(*EVENT_COLUMNS).where(EVENTS.c.run_id == run_id, EVENTS.c.number > after)
        rows = await self._database.rows(query.order_by(EVENTS.c.number))
        if not rows:
            await self.stop_requested(run_id)  # raises where there is no such run
        return [Event(*row) for row in rows]

    async def request_stop(self, run_id: str, reason: str) -> None:
        """See the port."""
        unfinished = (RUNS.c.run_id == run_id) & RUNS.c.state.in_(UNFINISHED)
        async with self._database.writing() as connection:
            await _require(connection, run_id)
            await connection.execute(update(RUNS).where(unfinished).values(stop=reason, **AWAKE))

    async def move(self, run_id: str, thread_id: str) -> None:
        """See the port."""
        async with self._database.writing() as connection:
            await _require(connection, run_id)
            moved = update(RUNS).where(RUNS.c.run_id == run_id).values(thread_id=thread_id)
            await connection.execute(moved)

    async def stop_requested(self, run_id: str) -> str:
        """See the port."""
        async with self._database.reading() as connection:
            return await _stop_of(connection, run_id)

    async def ask(self, run_id: str, name: str, request: Request) -> Decision | None:
        """See the port."""
        async with self._database.writing() as connection:
            return await requests.ask(self._database, connection, run_id, name, request, self._clock())

    async def suspend(self, run_id: str, owner: str, names: Collection[str]) -> bool:
        """See the port."""
        async with self._database.writing() as connection:
            return await requests.suspend(connection, run_id, owner, names, self._now())

    async def decide(
        self, run_id: str, name: str, choice: str, by: str = "", *, timed_out: bool = False
    ) -> bool:
        """See the port."""
        decision = Decision(choice, by, self._now(), timed_out)
        async with self._database.writing() as connection:
            return await requests.decide(connection, run_id, name, decision)

    async def vote(self, run_id: str, name: str, vote: Vote) -> bool:
        """See the port."""
        async with self._database.writing() as connection:
            return await requests.vote(connection, run_id, name, vote, self._now())

    async def open_requests(self, run_id: str) -> list[OpenRequest]:
        """See the port."""
        async with self._database.reading() as connection:
            await _require(connection, run_id)
            return await requests.open_requests(connection, REQUESTS.c.run_id == run_id)

    async def overdue(self) -> list[OpenRequest]:
        """See the port."""
        async with self._database.reading() as connection:
            return await requests.overdue(connection, self._now())

    async def acquire(self, run_id: str, owner: str, seconds: float) -> Lease | None:
        """See the port. One guarded upsert: the row changes only if it is ours or has expired."""
        async with self._database.writing() as connection:
            await _require(connection, run_id)
            # Not before: to come into this block may have taken long.
            values = {"owner": owner, "expires": self._lease_time(seconds)}
            taking = (
                self._database.insert(LEASES)
                .values(run_id=run_id, **values)
                .on_conflict_do_update(
                    index_elements=[LEASES.c.run_id],
                    set_=values,
                    where=or_(LEASES.c.owner == owner, LEASES.c.expires <= self._lease_time()),
                )
                .returning(LEASES.c.expires)
            )
            expires = await connection.scalar(taking)
            return Lease(run_id, owner, expires) if expires else None

    async def release(self, run_id: str, owner: str) -> None:
        """See the port."""
        ours = (LEASES.c.run_id == run_id) & (LEASES.c.owner == owner)
        await self._database.change(delete(LEASES).where(ours))

    async def line(self, queue: str = "") -> list[InLine]:
        """See the port."""
        columns = [RUNS.c[name] for name in ("run_id", "pipeline", "thread_id", "queue")]
        query = select(*columns, self._is_free().label("free")).where(RUNS.c.state.in_(NEED_WORKER))
        if queue:
            query = query.where(RUNS.c.queue == queue)
        rows = await self._database.rows(query.order_by(RUNS.c.number))
        return [InLine(row.run_id, row.pipeline, row.thread_id, row.queue, not row.free) for row in rows]

    async def past(self, pipeline: str, latest: int = 50) -> list[Past]:
        """See the port."""
        runs = (
            select(RUNS.c.number, RUNS.c.run_id, RUNS.c.started, RUNS.c.ended)
            .where(RUNS.c.state == RunState.DONE.value, RUNS.c.pipeline == pipeline)
            .order_by(RUNS.c.number.desc())
            .limit(latest)
            .subquery()
        )
        called = (STEPS.c.run_id == runs.c.run_id) & STEPS.c.usage.not_like(f"%{NO_CALL}%")
        query = select(runs.c.number, runs.c.started, runs.c.ended, STEPS.c.usage)
        query = query.select_from(runs.outerjoin(STEPS, called)).order_by(runs.c.number.desc())
        found: dict[int, Past] = {}
        for number, started, ended, usage in await self._database.rows(query):
            spent = _usage.validate_json(usage) if usage else Usage()
            before = found[number].spent if number in found else Usage()
            found[number] = Past(between(started, ended), before + spent)
        return list(found.values())

    async def counted(self) -> dict[tuple[str, RunState], int]:
        """See the port."""
        columns = (RUNS.c.pipeline, RUNS.c.state)
        rows = await self._database.rows(select(*columns, func.count()).group_by(*columns))
        return {(kind, RunState(state)): count for kind, state, count in rows}

    async def spent(self, since: str) -> list[Spent]:
        """See the port."""
        of_run = STEPS.join(RUNS, RUNS.c.run_id == STEPS.c.run_id)
        query = select(RUNS.c.asked_by, RUNS.c.thread_id, STEPS.c.usage).select_from(of_run)
        counted = (RUNS.c.created >= since) & STEPS.c.usage.not_like(f"%{NO_CALL}%")
        rows = await self._database.rows(query.where(counted))
        usages = [(row.asked_by, row.thread_id, _usage.validate_json(row.usage)) for row in rows]
        return [Spent(by, thread, usage.tokens, usage.cost_usd) for by, thread, usage in usages]

    async def neglected(self, seconds: float) -> list[Neglected]:
        """See the port."""
        since, columns = stamp(self._clock(), -seconds), RUNS.c
        deserted = (columns.enqueued == "") & (columns.state == RunState.RUNNING.value)
        last = case((columns.enqueued == "", columns.created), else_=columns.enqueued)
        query = select(columns.run_id, columns.queue, columns.enqueued).where(
            columns.state.in_(NEED_WORKER), self._is_free(), or_(deserted, last <= since)
        )
        rows = await self._database.rows(query.order_by(columns.number))
        return [Neglected(row.run_id, row.queue, bool(row.enqueued)) for row in rows]

    async def hand_on(self, run_id: str, seconds: float = 0.0) -> bool:
        """See the port."""
        now = self._clock()
        values = {"one_run": run_id, "now": stamp(now), "latest": stamp(now, -seconds)}
        return await self._database.change(NOTED_AGAIN if seconds else NOTED, values)

    async def not_handed_over(self) -> list[str]:
        """See the port."""
        query = select(RUNS.c.run_id).where(TO_HAND_OVER, RUNS.c.thread_id != "").order_by(RUNS.c.number)
        return [row.run_id for row in await self._database.rows(query)]

    async def handed_over(self, record: RunRecord) -> bool:
        """See the port."""
        now, ours = self._now(), RUNS.c.run_id == record.run_id
        same = (RUNS.c.state == record.state.value) & (RUNS.c.ended == record.ended)
        noting = update(RUNS).where(ours, same, RUNS.c.handed_over == "").values(handed_over=now)
        detail = canonical_json({"state": record.state})
        async with self._database.writing() as connection:
            if not (await connection.execute(noting)).rowcount:
                return False
            await append(connection, record.run_id, now, HANDED_OVER, detail)
            return True

    async def _answered(self, run_id: str, state: RunState, result: str) -> dict[str, object]:
        """What the audit tells of a run's end: what was read, by which models and prompts."""
        query = select(*STEP_COLUMNS).where(STEPS.c.run_id == run_id)
        steps = [_step(row) for row in await self._database.rows(query)]
        return {
            "state": state,
            "answer": sha256(result) if result else "",
            "models": {model for step in steps for model in step.usage.models},
            "prompts": {one for step in steps for one in step.fingerprints},
            "passages": await asyncio.to_thread(passages, [*(step.output for step in steps), result]),
        }

    def _is_free(self) -> Any:
        live = select(LEASES.c.run_id).where(LEASES.c.expires > self._lease_time())
        return RUNS.c.run_id.not_in(live)

    def _lease_time(self, seconds: float = 0.0) -> Any:
        """The time so many seconds from now, for leases: PostgreSQL's, since clocks of machines differ."""
        if self._database.on_sqlite or self._clock is not utc_now:
            return stamp(self._clock(), seconds)
        moment = func.clock_timestamp(type_=DateTime(timezone=True)) + timedelta(seconds=seconds)
        return func.to_char(func.timezone("UTC", moment), STAMP)

    async def _one_run(self, query: Select[Any], values: Mapping[str, str]) -> RunRecord | None:
        return next((run_of(row) for row in await self._database.rows(query, values)), None)

    def _now(self) -> str:
        return stamp(self._clock())


async def insert_run(database: Database, connection: AsyncConnection, record: RunRecord, now: str) -> bool:
    """Insert a run unless its id or request is known; whether it was inserted."""
    values = {name: getattr(record, name) for name in RunRecord.__slots__}
    values |= {
        "state": record.state.value,
        "budget": _budget.dump_json(record.budget).decode(),
        "created": record.created or now,
    }
    return await database.add(connection, RUNS, values)


async def note_asked(connection: AsyncConnection, record: RunRecord, now: str) -> None:
    """Tell the audit of a run that was inserted, at the end of the transaction."""
    facts = {"kind": record.pipeline, "reads": record.reads, "replay": record.replay_of}
    texts = {"by": person(record.thread_id, record.asked_by), "thread": record.thread_id}
    await note(connection, now, "asked", run=record.run_id, facts=facts, text=record.inputs, **texts)


@cache
def _latest_runs(*, of_thread: bool, in_state: bool) -> Select[Any]:
    """Runs, newest first; made once for each of its forms."""
    query = select(*RUN_COLUMNS).order_by(RUNS.c.number.desc()).limit(bindparam("most", type_=Integer))
    if of_thread:
        query = query.where(RUNS.c.thread_id == bindparam("of_thread"))
    return query.where(RUNS.c.state == bindparam("in_state")) if in_state else query


async def _require(connection: AsyncConnection, run_id: str) -> None:
    """Raises `UnknownRun`."""
    await _stop_of(connection, run_id)


async def _stop_of(connection: AsyncConnection, run_id: str) -> str:
    """Why a run is to stop; "" if it is not. Raises `UnknownRun`."""
    reason = await connection.scalar(STOP, {"one_run": run_id})
    if reason is None:
        raise unknown_run(run_id)
    return str(reason)


def run_of(row: Any) -> RunRecord:
    """A row of the runs as the record that it holds."""
    read = {"state": RunState(row.state), "budget": _budget.validate_json(row.budget)}
    return RunRecord(**row._asdict() | read)


def _step(row: Any) -> StepRecord:
    read = {
        "usage": _usage.validate_json(row.usage),
        "fingerprints": _names.validate_json(row.fingerprints),
    }
    return StepRecord(**row._asdict() | read)
