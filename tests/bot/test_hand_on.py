"""However a run comes to the queue, its message is noted, and a queue that is down holds nothing else up."""

import asyncio
from datetime import timedelta

import pytest

from agents.runs.records import Neglected, Request, RunState
from bot.values import Incoming
from tests.bot.test_requests import waiting
from tests.bot.world import THREAD, World
from workers.sweeper import PATIENCE_S

ASKED = Request("Shall the program run?", ("approve", "reject"))


async def neglected(world: World) -> list[Neglected]:
    return await world.ledger.neglected(PATIENCE_S)


@pytest.mark.parametrize("said", [["stop"], ["approve"], ["stop", "resume"]])
async def test_a_run_that_goes_on_is_in_the_queue_once(said: list[str]) -> None:
    world, worker, run_id, _ = await waiting(ASKED)
    world.now += timedelta(minutes=5)
    for number, text in enumerate(said, start=1):
        await world.say(text)
        assert await neglected(world) == [], "a sweeper would send a second message"
        assert world.queue.run_ids == [run_id] * (1 + number)
        await worker.execute(run_id)


async def test_a_revision_is_in_the_queue_once() -> None:
    world, worker, run_id, _ = await waiting(ASKED)
    await world.say("approve")
    await worker.execute(run_id)
    await world.say("revise: shorter")
    world.now += timedelta(seconds=PATIENCE_S + 1)
    (revision,) = await neglected(world)
    assert revision.handed_on


async def test_every_waiting_run_is_stopped_also_while_the_queue_is_down() -> None:
    world, worker, first, _ = await waiting(ASKED)
    second = (await world.say("And in dogs?")).run_id
    await worker.execute(second)
    world.queue.down = True
    await world.say("stop")
    assert "Stopping" in (await world.shown())[-1].text
    for run_id in (first, second):
        assert await world.ledger.stop_requested(run_id)
    states = {run.state for run in await world.ledger.runs(thread_id=THREAD.thread_id)}
    assert states == {RunState.QUEUED}


async def test_a_new_run_is_in_its_queue_before_that_is_noted() -> None:
    world, free = World(), asyncio.Event()
    hand_on = world.ledger.hand_on

    async def slow(run_id: str, seconds: float = 0.0) -> bool:
        await free.wait()
        return await hand_on(run_id, seconds)

    world.ledger.hand_on = slow  # type: ignore[method-assign]
    receipt = await world.intake.receive(Incoming("e1", THREAD, "ada", "What was the NOAEL?"))
    await asyncio.sleep(0)
    assert world.queue.run_ids == [receipt.run_id]
    world.now += timedelta(seconds=PATIENCE_S)
    assert [run.handed_on for run in await neglected(world)] == [False]
    free.set()
    await world.intake.settle()
    assert await neglected(world) == []


async def test_a_question_is_acknowledged_before_its_run_is_in_its_queue() -> None:
    world, free = World(), asyncio.Event()
    enqueue = world.queue.enqueue

    async def slow(run_id: str, queue: str = "pipeline") -> None:
        await free.wait()
        await enqueue(run_id, queue)

    world.queue.enqueue = slow  # type: ignore[method-assign]
    receipt = await world.intake.receive(Incoming("e1", THREAD, "ada", "What was the NOAEL?"))
    assert receipt.run_id
    assert world.queue.run_ids == []
    free.set()
    await world.intake.settle()
    assert world.queue.run_ids == [receipt.run_id]


async def test_a_new_run_goes_on_although_its_message_could_not_be_noted() -> None:
    world = World()

    async def failing(run_id: str, seconds: float = 0.0) -> bool:
        raise OSError("the database is away")

    world.ledger.hand_on = failing  # type: ignore[method-assign]
    receipt = await world.say("What was the NOAEL?")
    assert world.queue.run_ids == [receipt.run_id]
    world.now += timedelta(seconds=PATIENCE_S)
    assert [run.run_id for run in await neglected(world)] == [receipt.run_id], "the sweeper sends one more"
