"""A run as a pipeline sees it: named steps that are done once, whatever happens to the process.

    classification = await run.step("classify", classify, question)

A finished step is replayed from the ledger; an interrupted one is done again. Stop requests, time limit and
budget are looked at before and after each step that is carried out; `agents.runs.watch` looks at the first
two inside steps. `wait_for` asks a person, `poll` several; `heard` gives what people say in the thread.

A run that ends early yields a partial result: `keep` says how it is made of what is finished by then, and
`then` of a step tells the pipeline what is finished, also when the step is replayed.
"""

import asyncio
import inspect
import logging
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from agents.errors import LeaseLost, RunCancelled, Suspended
from agents.ports import Artefacts, RunLedger
from agents.runs import meter
from agents.runs.artefacts import Artefact, MemoryArtefacts
from agents.runs.encoding import decode, encode, returned_type
from agents.runs.failures import failure_of, innermost, what_happened
from agents.runs.hashing import canonical_json, digest
from agents.runs.heard import HEARING, Heard, Said, not_heard, taken_in
from agents.runs.limits import Limits, active_seconds
from agents.runs.polls import VOTED, Closing, Poll, PollResult, ballots
from agents.runs.records import Decision, Request, RunRecord, StepRecord
from agents.runs.steps import StepCall
from agents.usage import Usage

logger = logging.getLogger(__name__)

T = TypeVar("T")


class Run:
    """One execution of a pipeline.

    `lost` tells whether somebody else executes the run now; then nothing more is written.
    """

    def __init__(
        self,
        record: RunRecord,
        ledger: RunLedger,
        limits: Limits | None = None,
        lost: Callable[[], bool] = lambda: False,
        artefacts: Artefacts | None = None,
    ) -> None:
        self.id = record.run_id
        self.record = record
        self.waits_for: set[str] = set()
        """Names of the requests without which the run cannot go on."""
        self._artefacts = artefacts or MemoryArtefacts()
        self._partial: Callable[[], Any] | None = None
        self._ledger = ledger
        self._limits = limits or Limits(record.budget)
        self._lost = lost
        self._locks: defaultdict[tuple[str, str], asyncio.Lock] = defaultdict(asyncio.Lock)
        self._turns: Counter[str] = Counter()
        self._hearing = asyncio.Lock()

    @classmethod
    async def resume(
        cls,
        record: RunRecord,
        ledger: RunLedger,
        lost: Callable[[], bool] = lambda: False,
        clock: Callable[[], float] = time.monotonic,
        artefacts: Artefacts | None = None,
    ) -> "Run":
        """A run that counts what it has used up before."""
        spent = sum((step.usage for step in await ledger.steps(record.run_id)), Usage())
        active = active_seconds(await ledger.events(record.run_id))
        return cls(record, ledger, Limits(record.budget, spent, active, clock), lost, artefacts)

    async def step(
        self,
        name: str,
        work: Callable[..., Awaitable[T]],
        *inputs: object,
        output: Any = None,
        then: Callable[[T], None] | None = None,
    ) -> T:
        """The output of `work(*inputs)`, done once per run, name and inputs.

        `inputs` are data; bind ports with a method or `functools.partial`. `output` is the type to validate
        against, by default the return annotation of `work`. `then` gets the output as soon as it is there,
        whether the step was carried out or replayed; it may get it more than once. (A step inside another
        step is not replayed any more once that one is finished.)
        Raises `StepFailed`, `RunStopped`, `LedgerMismatch`.
        """
        result: T = await self._perform(self.call(name, work, *inputs, output=output, then=then))
        return result

    def call(
        self,
        name: str,
        work: Callable[..., Awaitable[Any]],
        *inputs: object,
        output: Any = None,
        then: Callable[[Any], None] | None = None,
    ) -> StepCall:
        """A step for `gather`."""
        return StepCall(name, work, inputs, returned_type(work) if output is None else output, then)

    async def gather(self, *steps: StepCall) -> list[Any]:
        """Outputs of steps carried out side by side, in the order given.

        The first failure cancels the others; finished ones stay finished. Raises the error of the first
        failed step in the order given.
        """
        await self._replay_finished(steps)
        tasks: list[asyncio.Task[Any | Suspended]] = []
        try:
            async with asyncio.TaskGroup() as group:
                tasks += [group.create_task(_unless_suspended(self._perform(step))) for step in steps]
        except BaseExceptionGroup:
            failure = _first_failure(tasks)
        else:
            return [_result(task.result()) for task in tasks]
        raise failure

    async def wait_for(self, name: str, request: Request) -> Decision:
        """What a person decides. A run that has nothing else to do waits without a worker and without using
        up its time. Raises `Suspended` until there is a decision.
        """
        decision: Decision = await self._perform(self.asking(name, request))
        return decision

    def asking(self, name: str, request: Request) -> StepCall:
        """A request for `gather`: several may be open at once."""
        return replace(self.call(name, partial(self._ask, name), request), observed=True)

    async def poll(self, name: str, poll: Poll) -> PollResult:
        """What several people voted, once the poll is closed. The run waits for it as `wait_for` does."""
        result: PollResult = await self._perform(self.polling(name, poll))
        return result

    def polling(self, name: str, poll: Poll) -> StepCall:
        """A poll for `gather`."""
        return replace(self.call(name, partial(self._poll, name), poll), observed=True)

    async def heard(self) -> tuple[Said, ...]:
        """What people wrote and reacted in the thread since the last call, in order; a replay gives the same.
        The run's kind says that it `listens`.
        """
        async with self._hearing:
            call = self.call(HEARING, self._hear, *self.turn(HEARING))
            heard: Heard = await self._perform(replace(call, observed=True))
            return heard.said

    def turn(self, name: str) -> tuple[int, str, str]:
        """Inputs that tell steps of one name and content from each other by their order: how many came
        before in this run, or in the step around them, and which step that is.
        """
        around = meter.current()
        turns = around.turns if around else self._turns
        turns[name] += 1
        return (turns[name], *((around.name, around.inputs_hash) if around else ("", "")))

    def begin(self) -> None:
        """Forget what an earlier pass through the pipeline waited for and counted."""
        self.waits_for.clear()
        self._turns.clear()

    @property
    def model_calls(self) -> int:
        """Calls of a model in all steps that have ended, before a crash or a resume as well."""
        return self._limits.spent.calls

    def seconds_left(self) -> float | None:
        """Seconds until the run's time limit, to bound a call with; None without a limit."""
        return self._limits.seconds_left()

    async def check(self) -> None:
        """Raises `LeaseLost`, `RunCancelled`, `TimeLimitReached` or `BudgetExceeded` if the run must end."""
        if self._lost():
            raise LeaseLost(f"Another worker executes the run {self.id} now.")
        if reason := await self._ledger.stop_requested(self.id):
            raise RunCancelled(reason)
        self._limits.check()

    async def event(self, kind: str, **detail: object) -> None:
        """Add a line to the run's trail."""
        await self._ledger.append(self.id, kind, canonical_json(detail))

    async def artefact(self, data: bytes, media_type: str, name: str) -> Artefact:
        """Keep a file; a step that made it returns the reference. Raises `ArtefactTooLarge`."""
        return await self._artefacts.put(data, media_type, name)

    async def file(self, sha256: str) -> bytes | None:
        """The content of a kept file, or None."""
        return await self._artefacts.get(sha256)

    def keep(self, make: Callable[[], Any]) -> None:
        """Set how to make what the run yields if it ends early from here on; of the pipeline's output type.

        `make` is called only then, is awaited if it is async, and asks no model.
        """
        self._partial = make

    async def partial(self) -> Any:
        """What the run yields if it ends now; None if the pipeline keeps nothing."""
        made = self._partial() if self._partial else None
        return await made if inspect.isawaitable(made) else made

    async def _ask(self, name: str, request: Request) -> Decision:
        return (await self._asked(name, request))[1]

    async def _poll(self, name: str, poll: Poll) -> PollResult:
        voters = ", ".join(poll.voters)
        asked = (poll.question, poll.options, voters, poll.seconds, Closing.DEADLINE.value)
        key, decision = await self._asked(name, Request(*asked, poll=poll))
        events = await self._ledger.events(self.id)
        cast = ballots(poll, key, ((event.detail, event.at) for event in events if event.kind == VOTED))
        return PollResult(poll, cast, Closing(decision.choice))

    async def _asked(self, name: str, request: Request) -> tuple[str, Decision]:
        """The key of a request, and the decision on it: on nothing else than what was shown."""
        key = f"{name}#{digest((request,))[:8]}"
        decision = await self._ledger.ask(self.id, key, request)
        if decision and decision.shown not in ("", request.shown):
            key = f"{name}#{digest((request,))}"
            decision = await self._ledger.ask(self.id, key, request)
        if decision is None:
            self.waits_for.add(key)
            raise Suspended(f"waits for a decision: {request.question}")
        return key, decision

    async def _hear(self, turn: int, step: str, inputs: str) -> Heard:
        steps = await self._ledger.steps(self.id)
        upto, _ = taken_in(steps)
        events = await self._ledger.events(self.id, upto)
        return Heard(not_heard(events, steps), events[-1].number if events else upto)

    async def _perform(self, step: StepCall) -> Any:
        inputs_hash = digest(step.inputs)
        _refuse_recursion(step.name, inputs_hash)
        async with self._locks[step.name, inputs_hash]:
            stored = await self._ledger.step(self.id, step.name, inputs_hash)
            if stored is not None:
                await self.event("step.replayed", step=step.name, inputs=inputs_hash)
                logger.info("step %s is taken from the ledger", step.name)
                return _replayed(step, stored)
            await self.check()
            result = await self._carry_out(await self._as_observed(step, inputs_hash), inputs_hash)
            await self.check()
            return result

    async def _as_observed(self, step: StepCall, inputs_hash: str) -> StepCall:
        """The step, which in a replay tells what people said in the original."""
        original = self.record.replay_of if step.observed else ""
        stored = await self._ledger.step(original, step.name, inputs_hash) if original else None
        if stored is None:
            return step
        told = decode(step.output, stored.output, f"output of the step {step.name}")

        async def again(*_: object) -> Any:
            return told

        return replace(step, work=again)

    async def _replay_finished(self, steps: Sequence[StepCall]) -> None:
        """Tell what is finished before another step meets a reason to stop: no partial result lacks it."""
        for step in steps:
            if step.then and (stored := await self._ledger.step(self.id, step.name, digest(step.inputs))):
                _replayed(step, stored)

    async def _carry_out(self, step: StepCall, inputs_hash: str) -> Any:
        await self.event("step.started", step=step.name, inputs=inputs_hash, parent=_around())
        with meter.measuring(step.name, inputs_hash) as measured:
            try:
                output, result = encode(step.output, await step.work(*step.inputs))
            except (Exception, asyncio.CancelledError) as raised:
                failure = failure_of(step.name, innermost(raised), self.id)
            else:
                try:
                    await self._save(measured.record(self.id, output))
                finally:
                    _tell(step, result)
                return result
        if isinstance(failure, Suspended) and measured.usage == Usage():
            await self.event("step.waiting", step=step.name, inputs=inputs_hash)
        elif not self._lost() and not isinstance(failure, LeaseLost):
            await self._save(measured.record(self.id, error=what_happened(failure)))
        raise failure

    async def _save(self, step: StepRecord) -> None:
        """Write a step to the end, even if this task is cancelled meanwhile."""
        self._limits.spent += step.usage
        writing = asyncio.ensure_future(self._write(step))
        try:
            await asyncio.shield(writing)
        except asyncio.CancelledError:
            await writing
            raise

    async def _write(self, step: StepRecord) -> None:
        await self._ledger.save_step(step)
        ending = f"failed: {step.error}" if step.error else "finished"
        logger.info(
            "step %s took %.3f s and %d tokens, %s", step.name, step.seconds, step.usage.tokens, ending
        )


async def _unless_suspended(performing: Awaitable[T]) -> T | Suspended:
    """A step that waits for a person is no failure: the others go on."""
    try:
        return await performing
    except Suspended as suspended:
        return suspended


def _result(ended: T | Suspended) -> T:
    if isinstance(ended, Suspended):
        raise ended
    return ended


def _replayed(step: StepCall, stored: StepRecord) -> Any:
    """The output of a finished step. Raises `LedgerMismatch`."""
    result = decode(step.output, stored.output, f"output of the step {step.name}")
    _tell(step, result)
    return result


def _tell(step: StepCall, result: Any) -> None:
    if step.then:
        step.then(result)


def _around() -> str:
    """The name of the step being carried out, or ""."""
    around = meter.current()
    return around.name if around else ""


def _refuse_recursion(name: str, inputs_hash: str) -> None:
    """A step that waits for itself would wait for ever."""
    around = meter.current()
    if around is not None and around.surrounds(name, inputs_hash):
        raise ValueError(f"the step {name} calls itself with the same inputs")


def _first_failure(tasks: Sequence["asyncio.Task[T]"]) -> BaseException:
    """The error of the first task that failed by itself."""
    failed = (task.exception() for task in tasks if task.done() and not task.cancelled())
    return next(error for error in failed if error is not None)
