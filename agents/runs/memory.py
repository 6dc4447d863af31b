"""The ledger in memory: for tests, and for runs that nobody needs to find again."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from agents.errors import UnknownRun
from agents.runs.clock import Clock, stamp, utc_now
from agents.runs.hashing import canonical_json
from agents.runs.records import (
    Decision,
    Event,
    Lease,
    OpenRequest,
    Request,
    RunRecord,
    RunState,
    StepRecord,
)
from agents.runs.requests import ASKED, DECIDED, WAITS, asked_detail, decided_detail
from agents.runs.run import Run
from agents.runs.steps import step_ended


@dataclass(slots=True)
class _Trail:
    """Everything kept of one run."""

    record: RunRecord
    stop: str = ""
    enqueued: str = ""
    steps: list[StepRecord] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    asked: dict[str, OpenRequest] = field(default_factory=dict)
    decided: dict[str, Decision] = field(default_factory=dict)

    def open(self) -> list[OpenRequest]:
        """Requests without a decision."""
        return [asked for name, asked in self.asked.items() if name not in self.decided]


class MemoryLedger:
    """Implements `agents.ports.RunLedger`; one event loop, one process."""

    def __init__(self, clock: Clock = utc_now) -> None:
        self._clock = clock
        self._trails: dict[str, _Trail] = {}
        self._finished: dict[tuple[str, str, str], StepRecord] = {}
        self._requests: dict[str, str] = {}
        self._leases: dict[str, Lease] = {}

    async def create(self, record: RunRecord) -> bool:
        """See the port."""
        if record.run_id in self._trails or record.request_key in self._requests:
            return False
        record = replace(record, created=record.created or self._now())
        self._trails[record.run_id] = _Trail(record)
        self._requests[record.request_key] = record.run_id
        return True

    async def run(self, run_id: str) -> RunRecord | None:
        """See the port."""
        trail = self._trails.get(run_id)
        return trail.record if trail else None

    async def set_state(self, run_id: str, state: RunState, *, result: str = "", error: str = "") -> None:
        """See the port."""
        trail = self._trail(run_id)
        record = trail.record
        if record.state is RunState.DONE:
            return
        if state is RunState.QUEUED:
            trail.stop = ""
            for asked in trail.open():
                trail.asked[asked.name] = replace(asked, due=self._due(asked.request))
        trail.enqueued = ""
        now = self._now()
        trail.record = replace(
            record,
            state=state,
            result=result,
            error=error,
            started=record.started or (now if state is RunState.RUNNING else ""),
            ended=now if state.over else "",
            handed_over="" if state is RunState.QUEUED else record.handed_over,
        )

    async def step(self, run_id: str, name: str, inputs_hash: str) -> StepRecord | None:
        """See the port."""
        return self._finished.get((run_id, name, inputs_hash))

    async def save_step(self, step: StepRecord) -> None:
        """See the port."""
        key = (step.run_id, step.name, step.inputs_hash)
        trail = self._trail(step.run_id)
        if not step.error:
            if key in self._finished:
                return
            self._finished[key] = step
        trail.steps.append(step)
        await self.append(step.run_id, *step_ended(step))

    async def steps(self, run_id: str) -> list[StepRecord]:
        """See the port."""
        return list(self._trail(run_id).steps)

    async def append(self, run_id: str, kind: str, detail: str) -> int:
        """See the port."""
        events = self._trail(run_id).events
        events.append(Event(len(events) + 1, self._now(), kind, detail))
        return len(events)

    async def events(self, run_id: str, after: int = 0) -> list[Event]:
        """See the port."""
        return self._trail(run_id).events[after:]

    async def request_stop(self, run_id: str, reason: str) -> None:
        """See the port."""
        trail = self._trail(run_id)
        if not trail.record.state.over:
            trail.stop = reason
            self._wake(trail)

    async def stop_requested(self, run_id: str) -> str:
        """See the port."""
        return self._trail(run_id).stop

    async def ask(self, run_id: str, name: str, request: Request) -> Decision | None:
        """See the port."""
        trail = self._trail(run_id)
        if name not in trail.asked:
            due = self._due(request)
            trail.asked[name] = OpenRequest(run_id, name, request, self._now(), due)
            await self.append(run_id, ASKED, asked_detail(trail.asked[name]))
        return trail.decided.get(name)

    async def suspend(self, run_id: str, owner: str, names: Collection[str]) -> bool:
        """See the port."""
        trail = self._trail(run_id)
        if trail.record.state.over:
            return True
        if trail.stop or set(names) & set(trail.decided):
            return False
        trail.record = replace(trail.record, state=RunState.WAITING)
        await self.append(run_id, WAITS, canonical_json({"for": sorted(names)}))
        await self.release(run_id, owner)
        return True

    async def decide(
        self, run_id: str, name: str, choice: str, by: str = "", *, timed_out: bool = False
    ) -> bool:
        """See the port."""
        trail = self._trail(run_id)
        if trail.record.state.over or name not in trail.asked or name in trail.decided:
            return False
        decision = Decision(choice, by, self._now(), timed_out, trail.asked[name].request.shown)
        trail.decided[name] = decision
        await self.append(run_id, DECIDED, decided_detail(name, decision))
        self._wake(trail)
        return True

    async def open_requests(self, run_id: str) -> list[OpenRequest]:
        """See the port."""
        return self._trail(run_id).open()

    async def acquire(self, run_id: str, owner: str, seconds: float) -> Lease | None:
        """See the port."""
        self._trail(run_id)
        held = self._leases.get(run_id)
        if held and held.owner != owner and self._live(held):
            return None
        self._leases[run_id] = lease = Lease(run_id, owner, stamp(self._clock(), seconds))
        return lease

    async def release(self, run_id: str, owner: str) -> None:
        """See the port."""
        held = self._leases.get(run_id)
        if held and held.owner == owner:
            del self._leases[run_id]

    def _now(self) -> str:
        return stamp(self._clock())

    def _due(self, request: Request) -> str:
        return "" if request.seconds is None else stamp(self._clock(), request.seconds)

    @staticmethod
    def _wake(trail: _Trail) -> None:
        if trail.record.state is RunState.WAITING:
            trail.record = replace(trail.record, state=RunState.QUEUED)
            trail.enqueued = ""

    def _live(self, lease: Lease) -> bool:
        return lease.expires > self._now()

    def _trail(self, run_id: str) -> _Trail:
        try:
            return self._trails[run_id]
        except KeyError:
            raise UnknownRun(f"There is no run {run_id}. List the runs to find its id.") from None


async def trial_run(record: RunRecord | None = None) -> Run:
    """A run over a fresh memory ledger, to try a pipeline on."""
    record = record or RunRecord("trial", "trial", "null", "trial")
    ledger = MemoryLedger()
    await ledger.create(record)
    return Run(record, ledger)
