"""For any pipeline and any crash points: resuming gives the same result and repeats no finished step."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agents.runs.execute import execute
from agents.runs.meter import current
from agents.runs.pipeline import Pipeline, new_run
from agents.runs.records import Request, RunState
from agents.runs.run import Run
from agents.runs.steps import StepCall
from tests.adapters.storage.places import MovableClock
from tests.support.drills import examples
from tests.support.memory.ledger import MemoryLedger

CALLS = (
    *("acquire", "release", "run", "set_state", "step"),
    *("save_step", "steps", "append", "events", "stop_requested", "ask", "suspend"),
)


class Killed(BaseException):
    """The process ends here."""


class Process:
    """Counts every place where a process can die, and dies at one of them; dead, it writes nothing more."""

    def __init__(self, dies_at: int | None) -> None:
        self._left = dies_at
        self._dead = False

    def point(self) -> None:
        if self._left is not None:
            self._left -= 1
            self._dead = self._dead or self._left < 0
        if self._dead:
            raise Killed


class MortalLedger:
    """A ledger as a mortal process sees it: it may die before each call, and after it."""

    def __init__(self, ledger: MemoryLedger, process: Process) -> None:
        for name in CALLS:
            setattr(self, name, self._mortal(getattr(ledger, name), process))

    @staticmethod
    def _mortal(method: Callable[..., Awaitable[Any]], process: Process) -> Callable[..., Awaitable[Any]]:
        async def call(*arguments: Any, **named: Any) -> Any:
            process.point()
            await asyncio.sleep(0)
            result = await method(*arguments, **named)
            process.point()
            return result

        return call


@dataclass(frozen=True)
class Leaf:
    number: int


@dataclass(frozen=True)
class Question:
    """A decision to wait for."""

    number: int


@dataclass(frozen=True)
class Node:
    """Parts one after the other or side by side; `nested` makes a step of its own around them."""

    parts: tuple["Plan", ...]
    parallel: bool
    nested: bool


Plan = Leaf | Question | Node

PLANS = st.recursive(
    st.builds(Leaf, st.integers(0, 5)) | st.builds(Question, st.integers(0, 3)),
    lambda inner: st.builds(
        Node, st.lists(inner, min_size=1, max_size=4).map(tuple), st.booleans(), st.booleans()
    ),
    max_leaves=10,
)


class Work:
    """Carries a plan out, and notes each step that is begun although it was finished before."""

    def __init__(self, plan: Plan, ledger: MemoryLedger, run_id: str) -> None:
        self.plan = plan
        self.process = Process(None)
        self.repeated: list[str] = []
        self.told: list[str] = []
        self._ledger = ledger
        self._run_id = run_id

    async def pipeline(self, run: Run, inputs: None) -> str:
        self.told = []
        return await self._do(run, self.plan)

    async def _do(self, run: Run, plan: Plan) -> str:
        if isinstance(plan, Leaf):
            # A step inside another one is not told of once that one is finished.
            then = None if current() else self.told.append
            return await run.step(f"leaf {plan.number}", self._leaf, plan.number, then=then)
        if isinstance(plan, Question):
            return (await run.wait_for(f"ask {plan.number}", Request(str(plan.number)))).choice
        if plan.nested:
            return await run.step("nested", self._nested(run), plan)
        return await self._parts(run, plan)

    def _nested(self, run: Run) -> Callable[[Node], Awaitable[str]]:
        async def nested(plan: Node) -> str:
            return "(" + await self._parts(run, plan) + ")"

        return nested

    async def _parts(self, run: Run, plan: Node) -> str:
        if not plan.parallel:
            return ",".join([await self._do(run, part) for part in plan.parts])
        return "|".join(await run.gather(*[self._call(run, part) for part in plan.parts]))

    def _call(self, run: Run, plan: Plan) -> StepCall:
        if isinstance(plan, Leaf):
            then = None if current() else self.told.append
            return run.call(f"leaf {plan.number}", self._leaf, plan.number, then=then)
        return run.call("part", partial(self._do, run), plan)

    async def _leaf(self, number: int) -> str:
        steps = await self._ledger.steps(self._run_id)
        if any(step.name == f"leaf {number}" and not step.error for step in steps):
            self.repeated.append(f"leaf {number}")
        self.process.point()
        for _ in range(number):
            await asyncio.sleep(0)
        self.process.point()
        return str(number)


@dataclass(frozen=True)
class End:
    """Result, steps that were repeated, what `then` was told of, and names of the steps in the ledger."""

    result: str
    repeated: list[str]
    told: list[str]
    steps: list[str]


async def carried(plan: Plan, crashes: list[int]) -> End:
    """A run whose workers die at these points, and whose requests are decided whenever it waits."""
    clock = MovableClock()
    ledger = MemoryLedger(clock)
    record = new_run("plan", None)
    await ledger.create(record)
    work = Work(plan, ledger, record.run_id)
    left = [*crashes]
    while True:
        work.process = Process(left.pop(0) if left else None)
        mortal: Any = MortalLedger(ledger, work.process)
        try:
            await execute(record.run_id, mortal, {"plan": Pipeline(work.pipeline, None, str)}, "one")
        except (Killed, BaseExceptionGroup):
            clock.move(60)
        run = await ledger.run(record.run_id)
        assert run is not None
        if run.state.over:
            break
        for asked in await ledger.open_requests(record.run_id) if run.state is RunState.WAITING else ():
            await ledger.decide(record.run_id, asked.name, f"chose {asked.request.question}", "ana")
    assert run.state is RunState.DONE, run.error
    steps = sorted(step.name for step in await ledger.steps(record.run_id) if not step.error)
    return End(run.result, work.repeated, sorted(set(work.told)), steps)


@settings(max_examples=examples(150), deadline=None)
@given(PLANS, st.lists(st.integers(0, 60), max_size=4))
def test_resume_after_any_crashes_gives_the_same_and_repeats_nothing(plan: Plan, crashes: list[int]) -> None:
    expected = asyncio.run(carried(plan, []))
    assert not expected.repeated
    assert asyncio.run(carried(plan, crashes)) == expected


def test_every_single_crash_point_of_one_pipeline() -> None:
    side_by_side = Node(
        (Leaf(2), Node((Leaf(3), Question(1)), False, True), Question(2), Leaf(0)), True, True
    )
    plan = Node((Leaf(1), side_by_side, Node((Leaf(4), Question(3), Leaf(5)), True, False)), False, False)
    expected = asyncio.run(carried(plan, []))
    assert expected.told == ["1", "4", "5"]
    for dies_at in range(200):
        assert asyncio.run(carried(plan, [dies_at])) == expected, dies_at
