"""What is told before a run begins: who goes first, how long that takes, and the month's budget."""

import asyncio
import time
from dataclasses import replace
from datetime import timedelta

import pytest

from agents.runs.pipeline import new_run
from agents.runs.records import InLine, RunState, StepRecord
from agents.usage import Usage
from bot.intake import Intake
from bot.values import ThreadRef
from bot.waits import MANY, Waits
from tests.bot.world import THREAD, World

ELSEWHERE = ThreadRef("wall", "elsewhere", "1")


async def notes(world: World, thread: ThreadRef = THREAD) -> str:
    """The notes of the card that a new question gets, from a bot that has not looked at the line lately."""
    world.intake._starting._waits._known.clear()
    await world.say("What is the dose?", thread=thread)
    await world.pump.drain()
    return " ".join([*world.wall.messages.values()][-1].notes)


async def finished(world: World, seconds: float, number: int) -> None:
    for one in range(number):
        record = replace(new_run("archive", None), thread_id="wall:past:1")
        await world.ledger.create(record)
        await world.ledger.set_state(record.run_id, RunState.RUNNING)
        world.now += timedelta(seconds=seconds + one % 2)
        await world.ledger.set_state(record.run_id, RunState.DONE, result="null")


async def stopped(world: World) -> None:
    """Nothing waits any more."""
    for one in await world.ledger.line():
        await world.ledger.set_state(one.run_id, RunState.STOPPED)


async def test_nothing_is_told_where_no_run_waits() -> None:
    world = World()
    assert "first" not in await notes(world)


async def test_who_goes_first_is_told_and_the_time_once_five_runs_were_done() -> None:
    world = World()
    await finished(world, 120, 4)
    await world.say("What is the dose?", thread=ThreadRef("wall", "general", "0"))
    told = await notes(world)
    assert "1 run goes first." in told
    assert "past runs" not in told
    await finished(world, 120, 1)
    told = await notes(world, ThreadRef("wall", "general", "3"))
    assert (
        "2 runs go first. It begins in about 4 minutes. "
        "From 5 past runs it takes about 2 minutes (2 minutes to 2 minutes)." in told
    )


async def test_what_a_long_run_takes_is_told_from_past_ones_before_it_begins() -> None:
    world = World()
    await finished(world, 29, 6)
    assert await notes(world) == "", "a short run is no matter"
    world = World()
    for minutes in range(1, 12):
        await finished(world, 60 * minutes, 1)
        run = (await world.ledger.runs(limit=1))[0]
        usage = Usage(prompt_tokens=1_000 * minutes, cost_usd=0.1 * minutes, calls=1)
        await world.ledger.save_step(StepRecord(run.run_id, "a", "h", "1", run.created, 1.0, usage=usage))
        if minutes == 4:
            assert await notes(world, ELSEWHERE) == "", "too few to learn from"
            await stopped(world)
    assert await notes(world) == (
        "From 11 past runs it takes about 6 minutes (2 minutes to 10 minutes), "
        "6,000 tokens (2,000 tokens to 10,000 tokens), $0.60 ($0.20 to $1.00)."
    )


async def test_channels_take_turns_in_what_is_told_too() -> None:
    world = World()
    for number in range(9):
        await world.say("What is the dose?", thread=ThreadRef("wall", "busy", str(number)))
    assert "1 run goes first." in await notes(world, ELSEWHERE)


async def test_an_overloaded_house_says_so_and_keeps_what_was_asked() -> None:
    world = World()
    for number in range(MANY):
        await world.say("What is the dose?", thread=ThreadRef("wall", "general", str(number)))
    assert "Pestle has much to do now; what you asked is kept. 100 runs go first." in await notes(world)
    assert len(await world.ledger.runs(limit=MANY + 1)) == MANY + 1


@pytest.mark.parametrize(("limit", "thread"), [("user", ELSEWHERE), ("channel", THREAD), ("all", ELSEWHERE)])
async def test_a_budget_of_a_month_warns_at_80_percent_and_refuses_when_it_is_spent(
    limit: str, thread: ThreadRef
) -> None:
    world = World()

    async def spend(tokens: int) -> None:
        run = (await world.ledger.runs())[0]
        usage = Usage(prompt_tokens=tokens, calls=1)
        step = StepRecord(run.run_id, f"step {tokens}", "h", "1", run.created, 1.0, usage=usage)
        await world.ledger.save_step(step)
        world.intake = Intake(world.rooms, waits=Waits(world.ledger, {limit: 1000}))

    await world.say("What is the dose?")
    await spend(790)
    assert "budget" not in await notes(world, thread)
    await spend(20)
    assert "nearly spent: 810 of the 1,000 tokens" in await notes(world, thread)
    await spend(200)
    runs = len(await world.ledger.runs())
    assert (await world.say("What is the dose?", thread=thread)).refused
    await world.pump.drain()
    assert "The budget is spent: 1,010 of the 1,000" in [*world.wall.messages.values()][-1].text
    assert len(await world.ledger.runs()) == runs


async def test_a_budget_is_each_persons_and_channels_own_and_of_this_month() -> None:
    world = World()
    await world.say("What is the dose?")
    run = (await world.ledger.runs())[0]
    usage = Usage(prompt_tokens=2000, calls=1)
    await world.ledger.save_step(StepRecord(run.run_id, "a", "h", "1", run.created, 1.0, usage=usage))
    waits = Waits(world.ledger, {"user": 1000, "channel": 1000})
    world.intake = Intake(world.rooms, waits=waits)
    assert (await world.say("What is the dose?")).refused
    assert not (await world.say("What is the dose?", user="ben", thread=ELSEWHERE)).refused
    later = Waits(world.ledger, {"user": 1000}, clock=lambda: world.now + timedelta(days=32))
    world.intake = Intake(world.rooms, waits=later)
    assert not (await world.say("What is the dose?")).refused


async def test_many_at_once_look_at_the_line_once_and_wait_for_no_second_look() -> None:
    world, looks, slow = World(), list[str](), asyncio.Event()
    line = world.ledger.line

    async def counted(queue: str = "") -> list[InLine]:
        looks.append(queue)
        if len(looks) > 1:
            await slow.wait()
        return await line(queue)

    world.ledger.line = counted  # type: ignore[method-assign]
    waits = Waits(world.ledger)
    kind = world.kinds["archive"]
    await asyncio.gather(*(waits.notes(kind, THREAD, "ada") for _ in range(20)))
    assert len(looks) == 1
    waits._known[kind.limits.queue] = (time.monotonic() - 2, ({}, 0))
    async with asyncio.timeout(1):
        await asyncio.gather(*(waits.notes(kind, THREAD, "ada") for _ in range(20)))
    assert len(looks) == 2
    slow.set()
    await waits.settle()
