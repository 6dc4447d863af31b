"""A worker carries runs to their end: progress, one answer, the thread's molecules."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from adapters.storage.host_locks import FileLocks
from agents.archive.answer import Answer, AnswerOutcome, Question
from agents.runs.artefacts import MemoryArtefacts
from agents.runs.lease import Locks, no_locks
from agents.runs.pipeline import Pipeline
from agents.runs.records import Request, RunState
from agents.runs.run import Run
from bot.progress import Progress
from bot.values import Card, CardKind, ThreadRef, answer_slot
from tests.bot.world import THREAD, World
from tests.support.archive import said
from tests.support.memory import MemoryOutbox
from tests.support.memory.ledger import MemoryLedger, unheld
from workers.executor import KEPT_DAYS, Executor
from workers.inprocess import InProcessQueue
from workers.sweeper import LOOK_EVERY, PATIENCE_S, TIDY_EVERY, Sweeper

Work = Callable[[Run, Question], Awaitable[Answer]]


@asynccontextmanager
async def closed(queue: InProcessQueue) -> AsyncIterator[InProcessQueue]:
    """The queue, closed at the end."""
    try:
        yield queue
    finally:
        await queue.close()


async def reading(question: Question) -> Answer:
    return Answer(
        question.text, "It is low.", said("It is low."), AnswerOutcome.ANSWERED, molecules=("AB-123",)
    )


async def one_step(run: Run, question: Question) -> Answer:
    return await run.step("research", reading, question)


async def failing(run: Run, question: Question) -> Answer:
    raise RuntimeError("a bug")


def until(go_on: asyncio.Event) -> Work:
    """A run of one step that ends when it is let."""

    async def waiting(run: Run, question: Question) -> Answer:
        async def wait() -> Answer:
            await go_on.wait()
            return await reading(question)

        return await run.step("research", wait)

    return waiting


def executor(
    world: World,
    work: Work = one_step,
    *,
    owner: str = "w1",
    lease: float = 15.0,
    most: int | None = None,
    locks: Locks = no_locks,
) -> Executor:
    pipelines = {"archive": Pipeline(work, Question, Answer, concurrency=most)}
    return Executor(
        world.ledger,
        world.conversations,
        world.outbox,
        pipelines,
        world.views,
        owner=owner,
        lease_seconds=lease,
        progress_every_s=0.01,
        locks=locks,
    )


def slots(cards: list[Card]) -> list[str]:
    return [card.mark.split(":")[0] for card in cards]


async def test_a_run_ends_in_a_finished_progress_card_and_an_answer() -> None:
    world = World()
    receipt = await world.say("What is the dose?")
    await executor(world).execute(receipt.run_id)
    progress, answer = await world.shown()
    assert (progress.title, [step.state for step in progress.steps]) == ("Done", ["done"])
    assert (answer.kind, answer.text) == (CardKind.ANSWER, "It is low.")
    kept = await world.conversations.remembered(THREAD)
    assert json.loads(kept["archive"])["molecules"] == ["AB-123"]


async def test_that_a_run_is_at_work_is_shown_soon() -> None:
    world, go_on = World(), asyncio.Event()

    receipt = await world.say("What is the dose?")
    acquire = world.ledger.acquire

    async def as_a_busy_database_does(*asked: Any) -> Any:
        await asyncio.sleep(0.2)
        return await acquire(*asked)

    world.ledger.acquire = as_a_busy_database_does  # type: ignore[method-assign]
    slow = executor(world, until(go_on))
    slow._progress = Progress(world.ledger, world.outbox, world.views, MemoryArtefacts())
    carrying = asyncio.create_task(slow.execute(receipt.run_id))
    await asyncio.sleep(0.5)
    (progress,) = await world.shown()
    assert progress.state is RunState.RUNNING
    go_on.set()
    await carrying


async def test_progress_is_shown_while_the_run_is_carried() -> None:
    world = World()
    go_on = asyncio.Event()

    receipt = await world.say("What is the dose?")
    carrying = asyncio.create_task(executor(world, until(go_on)).execute(receipt.run_id))
    shown: list[str] = []
    while shown != ["running"]:
        await asyncio.sleep(0.01)
        shown = [step.state for step in (await world.shown())[0].steps]
    go_on.set()
    await carrying
    assert world.wall.posts == 1
    assert slots(await world.shown()) == ["progress", "answer"]


async def test_a_run_delivered_three_times_is_answered_once() -> None:
    world = World()
    receipt = await world.say("What is the dose?")
    workers = [executor(world, owner=f"w{n}") for n in range(3)]
    await asyncio.gather(*(worker.execute(receipt.run_id) for worker in workers))
    await workers[0].execute(receipt.run_id)
    assert slots(await world.shown()) == ["progress", "answer"]


async def test_a_failure_ends_in_a_reason() -> None:
    world = World()
    receipt = await world.say("What is the dose?")
    await executor(world, failing).execute(receipt.run_id)
    card = (await world.shown())[-1]
    assert card.kind is CardKind.ERROR
    assert card.mark == answer_slot(receipt.run_id)
    assert receipt.run_id in card.footer


async def test_stop_ends_in_what_was_kept() -> None:
    world = World()
    receipt = await world.say("What is the dose?")

    async def stopped_half_way(run: Run, question: Question) -> Answer:
        answer = await run.step("research", reading, question)
        run.keep(lambda: answer)
        await world.say("stop")
        return await run.step("supervise", reading, question)

    await executor(world, stopped_half_way).execute(receipt.run_id)
    record = await world.ledger.run(receipt.run_id)
    assert record is not None
    assert record.state is RunState.STOPPED
    answers = [card for card in await world.shown() if card.mark == answer_slot(receipt.run_id)]
    assert [card.text for card in answers] == ["It is low."]


async def test_an_answer_that_a_dead_worker_did_not_hand_over_is_handed_over_by_the_sweeper() -> None:
    world = World()
    receipt = await world.say("What is the dose?")
    await world.finish(receipt.run_id, await reading(Question("What is the dose?")))
    later = datetime.now(UTC)
    sweeper = Sweeper(world.ledger, world.queue, executor(world), clock=lambda: later)
    await sweeper.sweep()
    later += LOOK_EVERY
    await sweeper.sweep()
    assert slots(await world.shown()) == ["progress", "answer"]
    kinds = [event.kind for event in await world.ledger.events(receipt.run_id)]
    assert kinds.count("answer.handed_over") == 1


async def test_an_answer_handed_over_from_two_sides_is_handed_over_once() -> None:
    world = World()
    receipt = await world.say("What is the dose?")
    await world.finish(receipt.run_id, await reading(Question("What is the dose?")))
    worker = executor(world)
    await asyncio.gather(*(worker.hand_over(receipt.run_id) for _ in range(3)))
    kinds = [event.kind for event in await world.ledger.events(receipt.run_id)]
    assert kinds.count("answer.handed_over") == 1


async def test_a_run_whose_worker_died_is_enqueued_at_once() -> None:
    world = World()
    receipt = await world.say("What is the dose?")
    await world.ledger.set_state(receipt.run_id, RunState.RUNNING)
    await Sweeper(world.ledger, world.queue, executor(world)).sweep()
    assert world.queue.run_ids == [receipt.run_id, receipt.run_id]


async def test_a_run_that_waits_its_turn_is_enqueued_again_only_when_its_message_is_lost() -> None:
    world = World()
    receipt = await world.say("What is the dose?")
    sweepers = [Sweeper(world.ledger, world.queue, executor(world)) for _ in range(3)]
    world.queue.waiting = 5
    for _ in range(4):
        world.now += timedelta(seconds=PATIENCE_S)
        for sweeper in sweepers:
            await sweeper.sweep()
    assert world.queue.run_ids == [receipt.run_id], "its turn may still come"
    world.queue.waiting = 0
    for sweeper in sweepers:
        await sweeper.sweep()
    assert world.queue.run_ids == [receipt.run_id] * 2, "the queue is empty: it was lost"


async def test_a_run_that_could_not_be_enqueued_is_handed_on_however_full_the_queue_is() -> None:
    world = World()
    world.queue.down = True
    receipt = await world.say("What is the dose?")
    world.queue.down, world.queue.waiting = False, 5
    sweeper = Sweeper(world.ledger, world.queue, executor(world))
    await sweeper.sweep()
    assert world.queue.run_ids == []
    world.now += timedelta(seconds=PATIENCE_S)
    for _ in range(3):
        await sweeper.sweep()
    assert world.queue.run_ids == [receipt.run_id]


@pytest.mark.parametrize("same", [True, False])
async def test_what_is_decided_before_a_waiting_run_is_let_go_is_taken_in_at_once(
    same: bool, tmp_path: Path
) -> None:
    """Its message comes to a worker that has to refuse it: this one, or another one."""
    world, suspend, locks = World(), MemoryLedger.suspend, FileLocks(tmp_path).hold

    async def approved(run: Run, question: Question) -> Answer:
        await run.wait_for("approve", Request("Go on?"))
        return await run.step("research", reading, question)

    async def suspended(*given: Any) -> bool:
        waits = await suspend(world.ledger, *given)
        (asked,) = await world.ledger.open_requests(receipt.run_id)
        await world.ledger.decide(receipt.run_id, asked.name, "yes", "ada")
        other = executor(world, approved, owner="w2", locks=locks)
        await (first if same else other).execute(receipt.run_id)
        return waits

    receipt, first = await world.say("What is the dose?"), executor(world, approved, locks=locks)
    world.ledger.suspend = suspended  # type: ignore[method-assign]
    await first.execute(receipt.run_id)
    assert slots(await world.shown())[-1] == "answer"


async def test_what_nobody_decided_in_time_goes_on_by_the_sweeper() -> None:
    world = World()
    receipt = await world.say("What is the dose?")

    async def asking(run: Run, question: Question) -> Answer:
        decision = await run.wait_for("approve", Request("Go on?", seconds=60, otherwise="no"))
        return Answer(
            question.text, decision.choice, said(f"decided: {decision.choice}"), AnswerOutcome.ANSWERED
        )

    worker = executor(world, asking)
    await worker.execute(receipt.run_id)
    assert (await world.shown())[0].title == "Waiting for a decision"
    world.now += timedelta(seconds=60)
    await Sweeper(world.ledger, world.queue, worker).sweep()
    assert world.queue.run_ids == [receipt.run_id] * 2
    await worker.execute(receipt.run_id)
    assert "decided: no" in str((await world.shown())[-1])


async def test_every_end_is_handed_over_after_a_long_outage_and_a_bad_one_hinders_no_other() -> None:
    world = World()
    run_ids = [(await world.say(f"What is dose {number}?")).run_id for number in range(30)]
    for run_id in run_ids:
        await world.finish(run_id, await reading(Question("What is the dose?")))

    class Refusing(MemoryOutbox):
        async def put(self, thread: ThreadRef, slot: str, card: Card) -> None:
            if slot == answer_slot(run_ids[3]):
                raise OSError("a card that cannot be stored")
            await super().put(thread, slot, card)

    world.outbox = Refusing()
    later = datetime.now(UTC)
    sweeper = Sweeper(world.ledger, world.queue, executor(world), clock=lambda: later)
    await sweeper.sweep()
    assert await world.ledger.not_handed_over() == [run_ids[3]]


async def test_so_many_runs_of_a_kind_are_carried_at_a_time_and_others_do_not_wait() -> None:
    world = World()
    run_ids = [(await world.say(f"What is dose {number}?")).run_id for number in range(4)]
    go_on, begun = asyncio.Event(), []

    async def waiting(run: Run, question: Question) -> Answer:
        begun.append(run.id)
        await go_on.wait()
        return await reading(question)

    worker = executor(world, waiting, most=2)
    carrying = [asyncio.create_task(worker.execute(run_id)) for run_id in [*run_ids, run_ids[0]]]
    await asyncio.sleep(0.05)
    assert begun == run_ids[:2]
    go_on.set()
    await asyncio.gather(*carrying)
    assert begun == run_ids


async def test_a_run_that_somebody_carries_is_left_alone() -> None:
    world = World()
    receipt = await world.say("What is the dose?")
    await world.ledger.set_state(receipt.run_id, RunState.RUNNING)
    await world.ledger.acquire(receipt.run_id, "w2", 15.0)
    await Sweeper(world.ledger, world.queue, executor(world)).sweep()
    assert world.queue.run_ids == [receipt.run_id]


async def test_the_sweeper_forgets_old_cards_once_an_hour() -> None:
    world = World()
    forgotten: list[float] = []

    class Forgetting(MemoryOutbox):
        async def forget(self, days: float) -> int:
            forgotten.append(days)
            return 1

    world.outbox = Forgetting()
    later = datetime.now(UTC)
    sweeper = Sweeper(world.ledger, world.queue, executor(world), clock=lambda: later)
    for _ in range(3):
        await sweeper.sweep()
    assert forgotten == [KEPT_DAYS]
    later += TIDY_EVERY
    await sweeper.sweep()
    assert forgotten == [KEPT_DAYS, KEPT_DAYS]


async def test_the_queue_in_this_process_carries_so_many_runs_at_a_time() -> None:
    running, most, done = 0, 0, []

    async def execute(run_id: str) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        done.append(run_id)

    async with closed(InProcessQueue(execute, workers=2)) as queue:
        for number in range(6):
            await queue.enqueue(str(number))
        await queue.join()
    assert most == 2
    assert sorted(done) == list("012345")


async def test_queues_in_this_process_do_not_wait_for_each_other() -> None:
    begun: list[str] = []

    async def execute(run_id: str) -> None:
        begun.append(run_id)
        if run_id == "long":
            await asyncio.Event().wait()

    async with closed(InProcessQueue(execute, workers=1)) as queue:
        await queue.enqueue("long")
        await queue.enqueue("behind")
        await queue.enqueue("chat", "chat")
        await asyncio.sleep(0.01)
        assert begun == ["long", "chat"]


async def test_a_run_enqueued_while_it_is_carried_is_looked_at_again() -> None:
    done: list[str] = []
    queue: InProcessQueue

    async def execute(run_id: str) -> None:
        if not done:
            await queue.enqueue(run_id)
        done.append(run_id)

    async with closed(InProcessQueue(execute)) as queue:
        await queue.enqueue("r1")
        await queue.join()
    assert done == ["r1", "r1"]


async def test_closing_gives_unfinished_runs_back() -> None:
    world = World()

    async def endless(run: Run, question: Question) -> Answer:
        await asyncio.Event().wait()
        return await reading(question)

    receipt = await world.say("What is the dose?")
    async with closed(InProcessQueue(executor(world, endless).execute)) as queue:
        await queue.enqueue(receipt.run_id)
        await asyncio.sleep(0.05)
        assert await unheld(world.ledger) == []
    assert await unheld(world.ledger) == [receipt.run_id]
    await executor(world, owner="w2").execute(receipt.run_id)
    assert slots(await world.shown()) == ["progress", "answer"]


async def test_a_failure_outside_the_run_does_not_end_the_queue() -> None:
    done: list[str] = []

    async def execute(run_id: str) -> None:
        if run_id == "bad":
            raise OSError("the database is away")
        done.append(run_id)

    async with closed(InProcessQueue(execute, workers=1)) as queue:
        await queue.enqueue("bad")
        await queue.enqueue("good")
        await queue.join()
    assert done == ["good"]
