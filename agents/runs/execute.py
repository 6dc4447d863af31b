"""Executes a run from wherever it stands to its end: done, stopped with what it has, or failed with a reason.
Or until it waits for a person.

At most one worker executes a run at a time (a lease). Executing a run twice, or again after a crash, is safe.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from uuid import uuid4

from agents.errors import LeaseLost, LedgerMismatch, RunStopped, Suspended, UnknownRun, WorkersDied
from agents.ports import Artefacts, RunLedger
from agents.runs.current import RUN
from agents.runs.encoding import decode, encode
from agents.runs.failures import expected, explain, innermost, innermost_cause
from agents.runs.hashing import canonical_json
from agents.runs.lease import Heartbeat, Locks, holding, no_locks
from agents.runs.limits import CONTINUED, RESUMED, STARTED, TAKEN_OVER
from agents.runs.pipeline import Pipeline
from agents.runs.records import RunRecord, RunState
from agents.runs.requests import WAITS
from agents.runs.run import Run
from agents.runs.watch import watched

logger = logging.getLogger(__name__)

LEASE_SECONDS = 15.0
STANDS = (WAITS, "run.stopped", "run.failed", STARTED, RESUMED, TAKEN_OVER, CONTINUED)
"""Events that say how a run stands."""
PROGRESS = ("step.finished", "step.failed", STARTED, RESUMED, CONTINUED)
"""Events after which the deaths of workers are counted anew."""
MOST_DEATHS = 5
"""Workers that may end in one step of a run."""
PARTIAL_SECONDS = 30.0
"""How long a partial result may take to be made."""


async def execute(
    run_id: str,
    ledger: RunLedger,
    pipelines: Mapping[str, Pipeline],
    owner: str,
    *,
    artefacts: Artefacts | None = None,
    lease_seconds: float = LEASE_SECONDS,
    clock: Callable[[], float] = time.monotonic,
    locks: Locks = no_locks,
    heartbeat: Heartbeat | None = None,
) -> bool:
    """Execute a queued or running run to its end, unless another worker does; whether it was executed here.

    A stopped or failed run goes on from its finished steps once it is queued again (`resume`).
    Does nothing if the run is over, leased, or held by a live process of this machine
    (`locks`); a leased run comes back through `Ledger.neglected` if its worker dies. `clock` counts the
    seconds of the time limit; `artefacts` keeps files, by default as long as this call lasts; `heartbeat`
    renews the lease, by default on this event loop.
    Raises `UnknownRun`, and whatever the ledger raises when it cannot be reached: the run is then taken over
    after its lease.
    """
    holder = f"{owner}/{uuid4().hex[:8]}"
    if await _find(ledger, run_id) is None:
        return False
    with locks(run_id) as ours:
        if not ours or not await ledger.acquire(run_id, holder, lease_seconds):
            return False
        around = RUN.set(run_id)
        try:
            async with holding(ledger, run_id, holder, lease_seconds, heartbeat) as lost:
                record = await _find(ledger, run_id)
                if record is not None:
                    run = await Run.resume(record, ledger, lost, clock, artefacts)
                    await _execute(run, record, ledger, pipelines, holder)
        except LeaseLost as error:
            logger.warning("%s", error)
        finally:
            RUN.reset(around)
            await ledger.release(run_id, holder)
    return True


async def resume(run_id: str, ledger: RunLedger, by: str = "") -> bool:
    """Queue a stopped or failed run again; the caller hands it to a worker. False for any other run.

    Raises `UnknownRun`.
    """
    record = await ledger.run(run_id)
    if record is None:
        raise UnknownRun(f"There is no run {run_id}. List the runs to find its id.")
    if record.state not in (RunState.STOPPED, RunState.FAILED):
        return False
    await ledger.append(run_id, "resume.requested", canonical_json({"by": by}))
    await ledger.set_state(run_id, RunState.QUEUED)
    return True


async def _find(ledger: RunLedger, run_id: str) -> RunRecord | None:
    """The run if it is still to be executed."""
    record = await ledger.run(run_id)
    if record is None:
        raise UnknownRun(f"There is no run {run_id}. List the runs to find its id.")
    return record if record.state.needs_worker else None


async def _execute(
    run: Run, record: RunRecord, ledger: RunLedger, pipelines: Mapping[str, Pipeline], holder: str
) -> None:
    beginning = await _how_it_starts(record, ledger)
    await run.event(beginning)
    logger.info("%s %s (%s)", beginning.replace(".", " "), run.id, record.pipeline)
    await ledger.set_state(run.id, RunState.RUNNING)
    try:
        if beginning == TAKEN_OVER:
            await _check_deaths(run, ledger)
        result = await _until_it_ends_or_waits(run, record, ledger, pipelines, holder)
    except Exception as raised:
        await _end_early(run, record, ledger, pipelines, innermost(raised))
        return
    if result is None:
        logger.info("run %s waits for %s", run.id, ", ".join(sorted(run.waits_for)))
        return
    await ledger.set_state(run.id, RunState.DONE, result=result)
    await run.event("run.finished")
    logger.info("run %s finished", run.id)


async def _how_it_starts(record: RunRecord, ledger: RunLedger) -> str:
    """The event that opens this worker's part of the trail."""
    if record.state is RunState.RUNNING:
        return TAKEN_OVER
    if not record.started:
        return STARTED
    kinds = [event.kind for event in await ledger.events(record.run_id)]
    stood = next((kind for kind in reversed(kinds) if kind in STANDS), STARTED)
    return CONTINUED if stood in (WAITS, CONTINUED) else RESUMED


async def _check_deaths(run: Run, ledger: RunLedger) -> None:
    """A run whose workers die again and again, with no step finished between, is tried no more.

    It may need more memory than a worker has. Raises `WorkersDied`.
    """
    kinds = [event.kind for event in await ledger.events(run.id)]
    last = max((at for at, kind in enumerate(kinds) if kind in PROGRESS), default=0)
    deaths = kinds[last:].count(TAKEN_OVER)
    if deaths > MOST_DEATHS:
        raise WorkersDied(
            f"{deaths} workers ended in the same step of this run; it may need more memory than they have. "
            "It is not tried again by itself; whoever runs Pestle can: `pestle queue`."
        )


async def _until_it_ends_or_waits(
    run: Run, record: RunRecord, ledger: RunLedger, pipelines: Mapping[str, Pipeline], holder: str
) -> str | None:
    """The pipeline's output as JSON, or None once the run waits for a person.

    A decision that comes while other steps are carried out is taken in at once.
    """
    while True:
        run.begin()
        try:
            return await _result(run, record, pipelines)
        except (Suspended, ExceptionGroup) as raised:
            if not isinstance(innermost(raised), Suspended):
                raise
        if await ledger.suspend(run.id, holder, run.waits_for):
            return None
        await run.check()


async def _result(run: Run, record: RunRecord, pipelines: Mapping[str, Pipeline]) -> str:
    """The pipeline's output as JSON."""
    if record.pipeline not in pipelines:
        raise LedgerMismatch(
            f"This worker has no pipeline named {record.pipeline!r} (it has {', '.join(sorted(pipelines))}). "
            "Start a worker of the version that the question was asked with, or ask again."
        )
    pipeline = pipelines[record.pipeline]
    inputs = decode(pipeline.inputs, record.inputs, "input of the run")
    async with watched(run):
        output = await pipeline.work(run, inputs)
    return encode(pipeline.output, output)[0]


async def _end_early(
    run: Run, record: RunRecord, ledger: RunLedger, pipelines: Mapping[str, Pipeline], error: BaseException
) -> None:
    """Write down why a run ended before its answer, with what it has so far."""
    if isinstance(error, LeaseLost):
        raise error
    reason = explain(error, run.id)
    if isinstance(error, RunStopped):
        state, kind = RunState.STOPPED, "run.stopped"
    else:
        state, kind = RunState.FAILED, "run.failed"
        cause = innermost_cause(error)  # its words may be the user's, so the ledger alone keeps them
        told = "run %s failed (%s): `pestle run show` says why"
        logger.error(told, run.id, type(cause).__name__, exc_info=None if expected(error) else error)
    await ledger.set_state(run.id, state, result=await _partial(run, record, pipelines, reason), error=reason)
    await run.event(kind, reason=reason)


async def _partial(run: Run, record: RunRecord, pipelines: Mapping[str, Pipeline], reason: str) -> str:
    """The partial result as JSON; empty if the pipeline keeps none, or fails to make it."""
    try:
        async with asyncio.timeout(PARTIAL_SECONDS):
            partial = await run.partial()
        if partial is None:
            return ""
        pipeline = pipelines[record.pipeline]
        return encode(pipeline.output, pipeline.stopped(partial, reason))[0]
    except Exception:
        logger.exception("run %s ends without its partial result", run.id)
        return ""
