"""The ports of the thinking floor."""

from collections.abc import Collection, Sequence
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel

from agents.evidence.values import Evidence
from agents.messages import Message, ToolSpec, Turn
from agents.programs.values import Ended, Job
from agents.runs.artefacts import Artefact
from agents.runs.polls import Vote
from agents.runs.records import (
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
from agents.trust.values import Verdict

T = TypeVar("T", bound=BaseModel)

Pair = tuple[str, Sequence[Evidence]]
"""A claim and the evidence that should carry it."""
Judged = tuple[Verdict, str]
"""A verdict and a one-line reason."""


class LanguageModel(Protocol):
    """A model behind a role ("classify", "judge", "research", "entail", ...).

    A system prompt is sent with the rule on data at its end. What a call spends is reported to the current
    step by the implementation (`agents.runs.meter.spend`).
    """

    name: str

    async def ask(self, role: str, system: str, user: str, schema: type[T]) -> T:
        """A schema-checked value. Raises `ModelError` with the tokens already spent."""

    async def converse(
        self,
        role: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        form: dict[str, Any] | None = None,
    ) -> Turn:
        """The model's turn in a conversation, with tools that it may call. Raises `ModelError`.

        Where no tools are offered, an endpoint that can is held to `form`, a JSON schema; its answer may
        still not fit.
        """


class Entailment(Protocol):
    """Judges whether evidence carries a claim."""

    name: str
    """Shown with every verdict, so that a weaker check is not taken for a stronger one."""

    async def judge(self, claim: str, evidence: Sequence[Evidence]) -> Judged:
        """The verdict and a one-line reason."""

    async def judge_all(self, pairs: Sequence[Pair]) -> list[Judged]:
        """As `judge` for several claims, in their order; a model judges many of them in one call."""


class Artefacts(Protocol):
    """Keeps the files that runs make, by the hash of their content. Contract:
    `tests/agents/runs/test_artefacts_contract.py`.
    """

    async def put(self, data: bytes, media_type: str, name: str) -> Artefact:
        """Keep a file; the same content is kept once. Raises `ArtefactTooLarge`."""

    async def get(self, sha256: str) -> bytes | None:
        """The content with this hash, or None."""

    async def described(self, sha256: str) -> Artefact | None:
        """What is known of the file with this hash, as it was first kept; or None."""


class Sandbox(Protocol):
    """Runs programs that nobody trusts. Contract: `tests/agents/programs/test_sandbox_contract.py`."""

    name: str

    async def unavailable(self) -> str:
        """Why no program can run here, and what to do about it; "" if one can."""

    async def run(self, job: Job) -> Ended:
        """Run a program to its end, within its limits and those of the house, with nothing left running.

        Whoever cancels the call ends the program and all that it has started; so does the end of this
        process. Raises `SandboxUnavailable`.
        """


class RunLedger(Protocol):
    """What a run needs of its ledger, and who carries it."""

    async def create(self, record: RunRecord) -> bool:
        """Store a new run. False if a run with this id or this `request_key` exists already;
        nothing is changed then.
        """

    async def run(self, run_id: str) -> RunRecord | None:
        """The run with this id, or None."""

    async def set_state(self, run_id: str, state: RunState, *, result: str = "", error: str = "") -> None:
        """Move a run to a state; `result` is the JSON of its answer.

        A run that is queued again has no stop request any more, and its open requests get their time anew.
        """

    async def step(self, run_id: str, name: str, inputs_hash: str) -> StepRecord | None:
        """A finished step with these inputs, or None."""

    async def save_step(self, step: StepRecord) -> None:
        """Store a finished or failed step, and its event (`step_ended`). A finished step is never
        overwritten.
        """

    async def steps(self, run_id: str) -> list[StepRecord]:
        """All steps of a run in the order they ended."""

    async def append(self, run_id: str, kind: str, detail: str) -> int:
        """Append an event (append-only); returns its number in the run, from 1."""

    async def events(self, run_id: str, after: int = 0) -> list[Event]:
        """Events with a number over `after`, in order."""

    async def request_stop(self, run_id: str, reason: str) -> None:
        """Ask the run to stop. One that waits for a person is queued, so that a worker ends it."""

    async def stop_requested(self, run_id: str) -> str:
        """The reason given to stop, or an empty string."""

    async def ask(self, run_id: str, name: str, request: Request) -> Decision | None:
        """The decision on a request; None, and an event, if nobody has decided. Asking again changes
        nothing.
        """

    async def suspend(self, run_id: str, owner: str, names: Collection[str]) -> bool:
        """Let a run wait and give its lease back. False if one of these requests is decided, or if somebody
        said stop: then the run goes on.
        """

    async def decide(
        self, run_id: str, name: str, choice: str, by: str = "", *, timed_out: bool = False
    ) -> bool:
        """Decide on a request, with an event; a run that waits is queued. False if there is no such open
        request of an unfinished run: the first decision stands.
        """

    async def open_requests(self, run_id: str) -> list[OpenRequest]:
        """What a run asks and nobody has decided, oldest first."""

    async def acquire(self, run_id: str, owner: str, seconds: float) -> Lease | None:
        """Take the lease of a run if it is free, expired or ours; None if another owner holds it."""

    async def release(self, run_id: str, owner: str) -> None:
        """Give the lease back, if ours."""


class Ledger(RunLedger, Protocol):
    """Durable memory of runs: what was asked, each finished step, events, leases. Contract:
    `tests/agents/runs`.
    """

    async def run_of_request(self, request_key: str) -> RunRecord | None:
        """The run that this request started, or None."""

    async def runs(
        self, *, limit: int = 50, thread_id: str = "", state: RunState | None = None
    ) -> list[RunRecord]:
        """Runs, newest first."""

    async def move(self, run_id: str, thread_id: str) -> None:
        """Let a run belong to another thread from now on."""

    async def vote(self, run_id: str, name: str, vote: Vote) -> bool:
        """Change a person's ballot in a poll, with an event; a poll that this closes is decided at once.
        False if there is no such open poll of an unfinished run, or its time is over.
        """

    async def overdue(self) -> list[OpenRequest]:
        """Open requests of unfinished runs whose time is over, and that nobody has told to stop."""

    async def neglected(self, seconds: float) -> list[Neglected]:
        """Runs of `line` that nobody holds and somebody should hand on, oldest first: at once a run whose
        worker is gone; a queued run after `seconds` in which nobody did.
        """

    async def hand_on(self, run_id: str, seconds: float = 0.0) -> bool:
        """Note that a message for the run goes into its queue. False if one did within `seconds`, or, without
        `seconds`, if a worker has taken it already.
        """

    async def not_handed_over(self) -> list[str]:
        """Ids of runs of a thread that are over and whose end was not handed over, oldest first."""

    async def handed_over(self, record: RunRecord) -> bool:
        """Note, with an event, that what the run ended with was handed over. False if it was before, or if
        the run has gone on meanwhile.
        """

    async def line(self, queue: str = "") -> list[InLine]:
        """Runs of a queue, or of all, that are queued or running, oldest first."""

    async def past(self, pipeline: str, latest: int = 50) -> list[Past]:
        """The latest runs of a kind that are done, newest first."""

    async def counted(self) -> dict[tuple[str, RunState], int]:
        """How many runs there are of each kind in each state."""

    async def spent(self, since: str) -> list[Spent]:
        """What the steps of runs created since then (ISO 8601, UTC) spent."""
