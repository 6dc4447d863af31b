"""The values of the run ledger."""

from dataclasses import dataclass
from enum import StrEnum

from agents.runs.artefacts import Artefact
from agents.runs.polls import Poll
from agents.usage import Usage


class RunState(StrEnum):
    """Where a run stands. The last three are final."""

    QUEUED = "queued"
    RUNNING = "running"
    WAITING = "waiting"
    """Waits for a person's decision; no worker executes it, and its time limit stands still."""
    DONE = "done"
    STOPPED = "stopped"
    """Stopped early with a partial result: by a person, the time limit, or the budget. Can be resumed."""
    FAILED = "failed"

    @property
    def over(self) -> bool:
        """Whether the run has ended."""
        return self in (RunState.DONE, RunState.STOPPED, RunState.FAILED)

    @property
    def needs_worker(self) -> bool:
        """Whether a worker has to execute the run: it is neither over nor does it wait for a person."""
        return self in (RunState.QUEUED, RunState.RUNNING)


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of a run, checked at each step's edge; None means no limit.

    Time in seconds, money in US dollars.
    """

    seconds: float | None = 900.0
    tokens: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One execution of a pipeline. `inputs` is JSON. `request_key` makes a request idempotent (a platform's
    event id).

    `queue` names where it waits for a worker, `handed_over` when its thread got what it ended with. `revises`
    is the report whose section `section` it writes anew as `instruction` says, or "". `reads` is what it may
    read of the archive (`bot.rights`), "" for everything. Times are ISO 8601 in UTC.
    """

    run_id: str
    pipeline: str
    inputs: str
    request_key: str
    thread_id: str = ""
    asked_by: str = ""
    state: RunState = RunState.QUEUED
    result: str = ""
    error: str = ""
    budget: Budget = Budget()
    created: str = ""
    started: str = ""
    ended: str = ""
    replay_of: str = ""
    queue: str = "pipeline"
    revises: str = ""
    section: str = ""
    instruction: str = ""
    handed_over: str = ""
    reads: str = ""


@dataclass(frozen=True, slots=True)
class Neglected:
    """A run that a worker has to execute and that none has. If it was `handed_on`, its message is still in
    the queue or lost.
    """

    run_id: str
    queue: str
    handed_on: bool


@dataclass(frozen=True, slots=True)
class InLine:
    """A run that is to be executed; `held` where a worker has it in hand."""

    run_id: str
    pipeline: str
    thread_id: str
    queue: str
    held: bool


@dataclass(frozen=True, slots=True)
class Spent:
    """What the runs of one person in one thread spent: tokens, and US dollars."""

    asked_by: str
    thread_id: str
    tokens: int
    cost_usd: float


@dataclass(frozen=True, slots=True)
class Past:
    """How long a run that is done took, in seconds from its first start, and what it spent."""

    seconds: float
    spent: Usage = Usage()


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One step: what went in (hash), what came out (JSON), how long it took and what it spent.

    `parent` is the name of the step it ran inside, or "". `fingerprints` are "name sha256-prefix" of the
    prompts and skills used.
    """

    run_id: str
    name: str
    inputs_hash: str
    output: str
    started: str
    seconds: float
    parent: str = ""
    usage: Usage = Usage()
    fingerprints: tuple[str, ...] = ()
    error: str = ""
    parent_inputs: str = ""
    """Hash of the inputs of the step around it: steps of one name may run side by side."""


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a run's append-only trail. `kind` is like "step.started"; `detail` is JSON."""

    number: int
    at: str
    kind: str
    detail: str


@dataclass(frozen=True, slots=True)
class Request:
    """What a run asks a person: a choice among `options`, or free text if there are none.

    `who` names who may decide, as a hint for those who show it; "" is anybody. After `seconds` without a
    decision the run goes on with `otherwise`, or stops with its partial result if that is None. Without
    `seconds` it waits for ever.
    """

    question: str
    options: tuple[str, ...] = ()
    who: str = ""
    seconds: float | None = None
    otherwise: str | None = None
    attachments: tuple[Artefact, ...] = ()
    """Files that are shown in full with the question, such as a program that is to run."""
    touches: tuple[str, ...] = ()
    """What a yes will let be changed or used, in words."""
    poll: Poll | None = None
    """Set where several people answer."""

    @property
    def shown(self) -> str:
        """SHA-256 of all that a person decides on."""
        from agents.runs.hashing import digest  # it loads Pydantic, which the name of a kind does not need

        return digest((self.question, self.options, self.attachments, self.touches))


@dataclass(frozen=True, slots=True)
class Decision:
    """What was chosen, by whom and when (ISO 8601, UTC). Nobody chose it if it `timed_out`.

    `shown` is the SHA-256 of what they were shown (`Request.shown`); "" if an earlier version kept it.
    """

    choice: str
    by: str
    at: str
    timed_out: bool = False
    shown: str = ""


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """A request that nobody has decided yet. `name` is unique in the run; `due` is "" without a limit."""

    run_id: str
    name: str
    request: Request
    asked: str
    due: str = ""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to execute a run, until `expires` (ISO 8601, UTC)."""

    run_id: str
    owner: str
    expires: str
