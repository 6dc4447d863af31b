"""One question of a run to who is responsible: answered, or assumed after its time, and told either way."""

from datetime import UTC, datetime, timedelta

import pytest

from agents.errors import Suspended
from agents.runs.open_points import MOST, OpenPoint, Responsible, settled
from agents.runs.records import OpenRequest, RunRecord
from agents.runs.requests import settle_overdue
from agents.runs.run import Run
from tests.support.memory.ledger import MemoryLedger

ADA = Responsible("@ada", 3600.0)
POINT = OpenPoint("colour", "Which colour?", ("red", "blue"), lambda choice: f"It is {choice}")


class Asking:
    """A run over a ledger whose clock tests move."""

    def __init__(self, thread: str = "wall:general:1") -> None:
        self.now = datetime(2026, 3, 1, tzinfo=UTC)
        self.ledger = MemoryLedger(lambda: self.now)
        self.record = RunRecord("r1", "archive", "null", "key", thread_id=thread)

    async def run(self) -> Run:
        await self.ledger.create(self.record)
        return Run(self.record, self.ledger)

    async def asked(self, point: OpenPoint = POINT) -> OpenRequest:
        with pytest.raises(Suspended):
            await settled(await self.run(), point, ADA)
        (asked,) = await self.ledger.open_requests("r1")
        return asked


async def test_it_goes_on_with_the_answer_and_says_whose_it_is() -> None:
    asking = Asking()
    asked = await asking.asked()
    name, request = asked.name, asked.request
    assert (request.question, request.options, request.who) == ("Which colour?", ("red", "blue"), "@ada")
    await asking.ledger.decide("r1", name, "blue", "bob")
    found = await settled(await asking.run(), POINT, ADA)
    assert (found.choice, found.note) == ("blue", "It is blue, as bob decided.")


async def test_after_the_time_it_goes_on_with_the_likeliest_and_says_so() -> None:
    asking = Asking()
    await asking.asked()
    asking.now += timedelta(seconds=3601)
    await settle_overdue(asking.ledger)
    found = await settled(await asking.run(), POINT, ADA)
    assert found.choice == "red"
    assert found.note == "It is red, as an assumption: @ada was asked and did not say in time."


async def test_few_choices_are_offered() -> None:
    many = tuple(f"choice {number}" for number in range(20))
    asked = await Asking().asked(OpenPoint("one", "Which?", many, str))
    assert asked.request.options == many[:MOST]


async def test_a_run_in_no_thread_asks_nobody() -> None:
    asking = Asking("")
    found = await settled(await asking.run(), POINT, ADA)
    assert (found.choice, found.note) == ("red", "It is red, as an assumption: nobody could be asked.")
    assert await asking.ledger.open_requests("r1") == []
