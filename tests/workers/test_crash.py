"""A worker may die before any of its writes and reads: the answer still arrives, the same, once."""

import json
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, cast

import pytest

from agents.archive.answer import Answer, AnswerOutcome, Question
from agents.ports import Ledger
from agents.runs.execute import LEASE_SECONDS
from agents.runs.pipeline import Pipeline
from agents.runs.run import Run
from bot.ports import Conversations, Outbox
from bot.values import answer_slot, progress_slot
from tests.bot.world import THREAD, World
from tests.support.archive import said
from workers.executor import Executor
from workers.sweeper import LOOK_EVERY, Sweeper


class Killed(BaseException):
    """As if the process were gone."""


class Life:
    """Ends after so many calls of ledger, outbox and conversations; then every call fails."""

    def __init__(self, calls: int) -> None:
        self.left = calls

    def of(self, port: object) -> Any:
        return _Mortal(port, self)


class _Mortal:
    def __init__(self, port: object, life: Life) -> None:
        self._port, self._life = port, life

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        method = getattr(self._port, name)

        async def call(*args: Any, **named: Any) -> Any:
            self._life.left -= 1
            if self._life.left < 0:
                raise Killed
            return await method(*args, **named)

        return call


async def reading(question: Question) -> Answer:
    return Answer(
        question.text,
        "It is low.",
        said(f"It is low {question.thread_molecules}."),
        AnswerOutcome.ANSWERED,
        molecules=("AB-123",),
    )


async def checking(answer: Answer) -> Answer:
    return answer


async def work(run: Run, question: Question) -> Answer:
    answer = await run.step("research", reading, question)
    run.keep(lambda: answer)
    return await run.step("check", checking, answer)


def worker(world: World, life: Life, owner: str) -> Executor:
    return Executor(
        cast(Ledger, life.of(world.ledger)),
        cast(Conversations, life.of(world.conversations)),
        cast(Outbox, life.of(world.outbox)),
        {"archive": Pipeline(work, Question, Answer)},
        world.views,
        owner=owner,
        progress_every_s=60,
    )


async def carried_through(calls: int) -> tuple[World, str, bool]:
    """A question whose first worker dies after so many calls; whether it died."""
    world = World()
    run_id = (await world.say("What is the dose?")).run_id
    died = False
    try:
        await worker(world, Life(calls), "w1").execute(run_id)
    except Killed:
        died = True
    await world.pump.drain()
    world.now += timedelta(seconds=LEASE_SECONDS + 1) + LOOK_EVERY
    second = worker(world, Life(10_000), "w2")
    sweeper = Sweeper(world.ledger, world.queue, second, clock=lambda: world.now)
    world.now += LOOK_EVERY
    await sweeper.sweep()
    for waiting in world.queue.run_ids[1:]:
        await second.execute(waiting)
    return world, run_id, died


@pytest.mark.parametrize("calls", range(60))
async def test_the_answer_arrives_once_wherever_the_worker_dies(calls: int) -> None:
    world, run_id, _ = await carried_through(calls)
    shown = {card.mark: card for card in await world.shown()}
    assert list(shown) == [progress_slot(run_id), answer_slot(run_id)]
    assert world.wall.posts == 2
    assert shown[answer_slot(run_id)].text == "It is low ()."
    assert shown[progress_slot(run_id)].title == "Done"
    kept = await world.conversations.remembered(THREAD)
    assert json.loads(kept["archive"])["molecules"] == ["AB-123"]
    steps = [step.name for step in await world.ledger.steps(run_id) if not step.error]
    assert steps == ["research", "check"]


async def test_the_deaths_above_cover_the_whole_life_of_a_worker() -> None:
    assert (await carried_through(0))[2]
    assert not (await carried_through(60))[2]
