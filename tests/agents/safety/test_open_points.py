"""What an order leaves open is asked of whoever is responsible; the report says what came of it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from agents.errors import Suspended
from agents.runs.open_points import Responsible
from agents.runs.records import RunRecord
from agents.runs.requests import settle_overdue
from agents.runs.run import Run
from agents.safety.open_points import with_direction
from agents.safety.order import Direction, SafetyOrder
from tests.support.memory.ledger import MemoryLedger

ORDER = SafetyOrder("ADRB2", asks=Responsible("@ada", 3600.0))


class Trial:
    """A run over a ledger whose clock tests move."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, tzinfo=UTC)
        self.ledger = MemoryLedger(lambda: self.now)
        self.record = RunRecord("r1", "safety", "null", "trial", thread_id="wall:general:1")

    async def run(self) -> Run:
        await self.ledger.create(self.record)
        return Run(self.record, self.ledger)

    async def waiting(self) -> str:
        with pytest.raises(Suspended):
            await with_direction(await self.run(), ORDER)
        (asked,) = await self.ledger.open_requests("r1")
        assert asked.request.options == ("inhibition", "activation", "both")
        assert asked.request.who == "@ada"
        return asked.name


async def test_the_run_goes_on_with_what_was_decided_and_says_by_whom() -> None:
    trial = Trial()
    await trial.ledger.decide("r1", await trial.waiting(), "inhibition", "bob")
    order, note = await with_direction(await trial.run(), ORDER)
    assert order.direction is Direction.INHIBITION
    assert note == "Direction: inhibition, as bob decided."


async def test_after_the_time_it_goes_on_with_an_assumption_that_is_told() -> None:
    trial = Trial()
    await trial.waiting()
    trial.now += timedelta(seconds=3601)
    assert await settle_overdue(trial.ledger) == ["r1"]
    order, note = await with_direction(await trial.run(), ORDER)
    assert order.direction is None
    assert note == ("Both directions are weighed, as an assumption: @ada was asked and did not say in time.")


@pytest.mark.parametrize(
    "order",
    [
        replace(ORDER, asks=None),
        replace(ORDER, direction=Direction.ACTIVATION),
        replace(ORDER, section="expression"),
    ],
)
async def test_nothing_is_asked_where_nobody_is_named_or_nothing_is_open(order: SafetyOrder) -> None:
    assert await with_direction(await Trial().run(), order) == (order, "")
