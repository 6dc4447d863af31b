"""Channels take turns where more is asked for than is executed."""

import heapq
from collections.abc import Mapping

import pytest

from agents.runs.execute import LEASE_SECONDS
from agents.runs.records import InLine, RunState
from bot.turns import Turns
from bot.values import ThreadRef
from tests.bot.world import World
from tests.workers.test_executor import executor

SLOTS = 4


def asked(channel: str, number: int) -> list[InLine]:
    return [InLine(f"{channel}{n}", "work", f"slack:{channel}:{n}", "pipeline", False) for n in range(number)]


def begun(line: list[InLine], turns: Turns, seconds: Mapping[str, float]) -> list[tuple[float, str]]:
    """When each run of a line begins, with so many seconds for a run of each channel."""
    waiting, hand, order, now = list(line), list[tuple[float, int, InLine]](), list[tuple[float, str]](), 0.0
    while waiting:
        if len(hand) == SLOTS:
            now, _, _ = heapq.heappop(hand)
        held = [InLine(one.run_id, "work", one.thread_id, "pipeline", True) for _, _, one in hand]
        run_id = turns.next([*held, *waiting])
        chosen = next(one for one in waiting if one.run_id == run_id)
        waiting.remove(chosen)
        order.append((now, run_id))
        heapq.heappush(hand, (now + seconds[run_id[0]], len(order), chosen))
    return order


@pytest.mark.parametrize(("slow", "quick"), [(1.0, 1.0), (5.0, 1.0), (1.0, 5.0)])
def test_a_hundred_runs_behind_nine_hundred_of_another_channel_wait_no_longer_than_their_share(
    slow: float, quick: float
) -> None:
    order = begun(asked("A", 900) + asked("B", 100), Turns(), {"A": slow, "B": quick})
    last = max(at for at, run_id in order if run_id[0] == "B")
    share = 100 * quick / (SLOTS / 2)  # half of the places
    print(f"the last of 100 runs begins after {last / share:.2f} of its share")
    assert last <= 1.2 * share


def test_a_channel_that_weighs_three_gets_three_turns_of_four() -> None:
    order = begun(asked("A", 300) + asked("B", 300), Turns({"B": 3.0}), {"A": 1.0, "B": 1.0})
    among = [run_id[0] for _, run_id in order[:200]]
    assert among.count("B") == pytest.approx(150, abs=3)


@pytest.mark.parametrize("weights", [{}, {"A": 3.0}, {"B": 3.0}, {"A": 0.25}])
@pytest.mark.parametrize("own", [0, 4])
def test_what_is_told_to_go_first_is_what_goes_first(weights: dict[str, float], own: int) -> None:
    line, turns = asked("A", 90) + asked("B", own), Turns(weights)
    told = turns.before({"A": 90, "B": own}, "B")
    order = [run_id for _, run_id in begun(line + asked("B", own + 1)[own:], turns, {"A": 1.0, "B": 1.0})]
    assert told == pytest.approx(order.index(f"B{own}"), abs=SLOTS)


def test_runs_of_one_channel_keep_their_order_and_those_left_out_are_passed_over() -> None:
    turns = Turns()
    assert [turns.next(asked("A", 3)[n:]) for n in range(3)] == ["A0", "A1", "A2"]
    assert turns.next(asked("A", 3), {"A0", "A1"}) == "A2"
    assert turns.next(asked("A", 1), {"A0"}) == ""


async def test_a_message_has_the_run_executed_whose_turn_it_is() -> None:
    world = World()
    many = [await world.say("What?", thread=ThreadRef("wall", "busy", str(n))) for n in range(3)]
    few = await world.say("What?", thread=ThreadRef("wall", "calm", "1"))
    worker = executor(world)
    await worker.execute_next(many[0].run_id)
    await worker.execute_next(many[1].run_id)
    states = [run.state for run in reversed(await world.ledger.runs())]
    assert states == [RunState.DONE, RunState.QUEUED, RunState.QUEUED, RunState.DONE]
    for one in (*many[2:], few):
        await worker.execute_next(one.run_id)
    assert {run.state for run in await world.ledger.runs()} == {RunState.DONE}


async def test_where_another_worker_is_quicker_the_next_run_is_executed() -> None:
    world = World()
    first, second = [await world.say("What?", thread=ThreadRef("wall", "busy", str(n))) for n in range(2)]
    line = world.ledger.line

    async def late(queue: str = "") -> list[InLine]:
        found = await line(queue)
        await world.ledger.acquire(first.run_id, "the quicker one", LEASE_SECONDS)
        return found

    world.ledger.line = late  # type: ignore[method-assign]
    await executor(world).execute_next(first.run_id)
    states = {run.run_id: run.state for run in await world.ledger.runs()}
    assert states == {first.run_id: RunState.QUEUED, second.run_id: RunState.DONE}
