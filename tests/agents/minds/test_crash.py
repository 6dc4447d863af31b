"""For any crash points of an agent with its critic: same result, no finished turn or tool call repeated."""

import asyncio
from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agents.evidence.memory import EvidenceMemory
from agents.messages import Message, ToolSpec, Turn
from agents.minds.agent import Agent, ModelCritic, Statements, run_agent
from agents.minds.critic import ACCEPT, Review
from agents.minds.work import AgentResult, Ports, Task
from agents.runs.execute import execute
from agents.runs.meter import current
from agents.runs.pipeline import Pipeline, new_run
from agents.runs.records import RunState
from agents.runs.run import Run
from agents.tools.reply import ToolReply
from tests.adapters.storage.places import MovableClock
from tests.agents.minds.agents import Drug, Labels, agent, look_up, prompt, says
from tests.agents.runs.test_crash import Killed, MortalLedger, Process
from tests.support.drills import examples
from tests.support.memory.ledger import MemoryLedger
from tests.support.scripted import Answer, Call, ScriptedModel


class Watch:
    """Notes each step that is begun after it was finished, and lets the process die inside steps."""

    def __init__(self, ledger: MemoryLedger, run_id: str) -> None:
        self.process = Process(None)
        self.repeated: list[str] = []
        self._ledger, self._run_id = ledger, run_id

    async def inside_a_step(self) -> None:
        step = current()
        assert step is not None
        finished = await self._ledger.step(self._run_id, step.name, step.inputs_hash)
        if finished is not None:
            self.repeated.append(step.name)
        self.process.point()
        await asyncio.sleep(0)


class MortalModel:
    """A model that dies with its process; it answers from the conversation alone."""

    name = "mortal"

    def __init__(self, watch: Watch, plan: Sequence[tuple[str, ...]], reviews: int) -> None:
        self._watch, self._plan, self._reviews = watch, plan, reviews
        self._inner = ScriptedModel({"research": self._research, "critic": self._review})

    async def converse(
        self,
        role: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        form: Any = None,
    ) -> Turn:
        await self._watch.inside_a_step()
        turn = await self._inner.converse(role, messages, tools, form)
        self._watch.process.point()
        return turn

    def _research(self, call: Call) -> Answer:
        turns = sum(message.role == "assistant" for message in call.messages)
        if call.tools and turns < len(self._plan):
            return look_up(*self._plan[turns])
        read = " ".join(message.text[:60] for message in call.messages if message.role == "tool")
        return says((f"Turn {turns + 1} after {read}", "E1"))

    def _review(self, call: Call) -> Answer:
        done = call.user.count('who="critic"') >= self._reviews
        return ACCEPT if done else Review(verdict="revise", points=(f"Look again, {len(call.user)}.",))


class MortalLabels(Labels):
    def __init__(self, watch: Watch) -> None:
        super().__init__()
        self._watch = watch

    async def __call__(self, inputs: Drug) -> ToolReply:
        await self._watch.inside_a_step()
        reply = await super().__call__(inputs)
        self._watch.process.point()
        return reply


async def carried(
    plan: Sequence[tuple[str, ...]], reviews: int, crashes: list[int]
) -> tuple[str, list[str], list[str]]:
    """Result, steps that were repeated, and the finished steps of the run."""
    clock = MovableClock()
    ledger = MemoryLedger(clock)
    record = new_run("agent", Task("Is angioedema known?"))
    await ledger.create(record)
    watch = Watch(ledger, record.run_id)

    async def work(run: Run, task: Task) -> AgentResult:
        model: Any = MortalModel(watch, plan, reviews)
        worker: Agent[Statements] = agent(MortalLabels(watch), critic=ModelCritic(prompt("critic")), rounds=3)
        return await run_agent(run, worker, task, EvidenceMemory(), Ports(model))

    for dies_at in [*crashes, None]:
        watch.process = Process(dies_at)
        mortal: Any = MortalLedger(ledger, watch.process)
        try:
            await execute(record.run_id, mortal, {"agent": Pipeline(work, Task, AgentResult)}, "one")
        except (Killed, BaseExceptionGroup):
            clock.move(60)
    done = await ledger.run(record.run_id)
    assert done is not None
    assert done.state is RunState.DONE, done.error
    return done.result, watch.repeated, sorted(step.name for step in await ledger.steps(record.run_id))


DRUGS = st.sampled_from(("alpha", "beta", "gamma", "omega", "closed"))
PLANS = st.lists(st.lists(DRUGS, min_size=1, max_size=3).map(tuple), max_size=3)


@settings(max_examples=examples(60), deadline=None)
@given(PLANS, st.integers(0, 3), st.lists(st.integers(0, 120), max_size=3))
def test_any_crashes_give_the_same_and_repeat_nothing(
    plan: list[tuple[str, ...]], reviews: int, crashes: list[int]
) -> None:
    expected, _, steps = asyncio.run(carried(plan, reviews, []))
    assert asyncio.run(carried(plan, reviews, crashes)) == (expected, [], steps)


def test_every_single_crash_point_of_one_agent() -> None:
    plan, reviews = [("alpha",), ("beta", "alpha", "closed")], 1
    expected, _, steps = asyncio.run(carried(plan, reviews, []))
    assert steps.count("tool/search_labels") == 3
    for dies_at in range(0, 200, 3):
        assert asyncio.run(carried(plan, reviews, [dies_at])) == (expected, [], steps), dies_at
