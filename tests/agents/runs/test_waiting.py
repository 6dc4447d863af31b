"""Runs that wait for a person, over every ledger."""

import asyncio
import json

import pytest

from agents.errors import NotAnOption, UnknownRequest
from agents.runs.execute import execute, resume
from agents.runs.pipeline import Pipeline, new_run
from agents.runs.records import Budget, Request, RunState
from agents.runs.requests import answer, settle_overdue
from agents.runs.run import Run
from tests.adapters.storage.places import Place

CODE = Request("Run the code?", ("yes", "no"), seconds=60, otherwise="no")


class Protocol:
    """A pipeline that asks twice at once, beside a step that need not wait; then once more."""

    def __init__(self, request: Request = CODE) -> None:
        self.request = request
        self.done: list[str] = []
        self.pause = 0.0
        self.seconds_left: float | None = None

    async def work(self, run: Run, text: str) -> str:
        finished: list[str] = []
        run.keep(lambda: " ".join(finished))
        await run.step("write", self.write, text, then=finished.append)
        code, other, data = await run.gather(
            run.asking("code", self.request),
            run.call("search", self.write, "search"),
            run.asking("data", Request("Whose data?")),
        )
        self.seconds_left = run.seconds_left()
        told = f"{other}: {code.choice} by {code.by or 'nobody'}, {data.choice} by {data.by}"
        return await run.step("report", self.write, told)

    async def write(self, text: str) -> str:
        self.done.append(text)
        return text.upper()


class Waiting:
    """A place with one run of the protocol, and a worker."""

    def __init__(self, place: Place, protocol: Protocol) -> None:
        self.place, self.protocol, self.ledger = place, protocol, place.ledger
        self.record = new_run("protocol", "plan", budget=Budget(seconds=100))

    async def carried(self) -> tuple[RunState, str, str]:
        """State, result and error of the run after a worker had it."""
        await self.ledger.create(self.record)
        pipelines = {"protocol": Pipeline(self.protocol.work, str, str)}
        clock = self.place.clock
        await execute(self.record.run_id, self.ledger, pipelines, "one", clock=lambda: clock.now.timestamp())
        run = await self.ledger.run(self.record.run_id)
        assert run is not None
        return run.state, json.loads(run.result) if run.result else "", run.error

    async def decides(self, about: str, choice: str, by: str = "ana") -> bool:
        return await answer(self.record.run_id, await self.name(about), choice, by, self.ledger)

    async def name(self, about: str) -> str:
        asked = await self.ledger.open_requests(self.record.run_id)
        return next((one.name for one in asked if one.name.startswith(about)), about)


@pytest.fixture
def waiting(place: Place) -> Waiting:
    return Waiting(place, Protocol())


async def test_run_goes_on_when_people_have_decided(waiting: Waiting) -> None:
    assert (await waiting.carried())[0] is RunState.WAITING
    assert waiting.protocol.done == ["plan", "search"], "what need not wait is done"
    assert await waiting.decides("code", "yes", "ana")
    assert (await waiting.carried())[0] is RunState.WAITING
    assert await waiting.decides("data", "ours", "ben")
    state, result, _ = await waiting.carried()
    assert (state, result) == (RunState.DONE, "SEARCH: YES BY ANA, OURS BY BEN")
    assert waiting.protocol.done[:2] == ["plan", "search"], "nothing is done twice"
    assert len(waiting.protocol.done) == 3
    kinds = [event.kind for event in await waiting.ledger.events(waiting.record.run_id)]
    assert [kind for kind in kinds if kind.startswith(("run.", "request."))] == [
        "run.started",
        "request.asked",
        "request.asked",
        "run.waiting",
        "request.decided",
        "run.continued",
        "run.waiting",
        "request.decided",
        "run.continued",
        "run.finished",
    ]


async def test_time_that_people_take_is_not_the_run_s(waiting: Waiting) -> None:
    await waiting.carried()
    for about, choice in (("code", "yes"), ("data", "ours")):
        waiting.place.clock.move(1000)
        await waiting.decides(about, choice)
        await waiting.carried()
    assert waiting.protocol.seconds_left == pytest.approx(100)


async def test_late_decision_falls_back_on_what_was_said_before(waiting: Waiting) -> None:
    await waiting.carried()
    await waiting.decides("data", "ours")
    assert await settle_overdue(waiting.ledger) == []
    waiting.place.clock.move(60)
    assert await settle_overdue(waiting.ledger) == [waiting.record.run_id]
    state, result, _ = await waiting.carried()
    assert (state, result) == (RunState.DONE, "SEARCH: NO BY NOBODY, OURS BY ANA")


async def test_without_a_fallback_the_run_stops_and_asks_again_when_resumed(place: Place) -> None:
    waiting = Waiting(place, Protocol(Request("Run the code?", seconds=60)))
    await waiting.carried()
    place.clock.move(60)
    assert await settle_overdue(place.ledger) == [waiting.record.run_id]
    assert await settle_overdue(place.ledger) == [], "it is told once"
    state, partial, error = await waiting.carried()
    assert (state, partial) == (RunState.STOPPED, "PLAN")
    assert error == "Nobody decided in time: Run the code? Resume the run to be asked again."
    assert await resume(waiting.record.run_id, place.ledger)
    assert (await waiting.carried())[0] is RunState.WAITING
    await waiting.decides("code", "yes")
    await waiting.decides("data", "ours")
    assert (await waiting.carried())[0] is RunState.DONE


async def test_waiting_run_can_be_stopped(waiting: Waiting) -> None:
    await waiting.carried()
    await waiting.ledger.request_stop(waiting.record.run_id, "enough")
    assert await waiting.carried() == (RunState.STOPPED, "PLAN", "enough")


async def test_decision_that_comes_while_other_steps_go_on_is_taken_in_at_once(
    place: Place,
) -> None:
    protocol = Protocol()
    waiting = Waiting(place, protocol)

    async def write(text: str) -> str:
        if text == "search":
            while len(await place.ledger.open_requests(waiting.record.run_id)) < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            await waiting.decides("code", "yes")
            await waiting.decides("data", "ours")
        return text.upper()

    protocol.write = write  # type: ignore[method-assign]
    assert (await waiting.carried())[:2] == (RunState.DONE, "SEARCH: YES BY ANA, OURS BY ANA")


async def test_only_what_is_asked_and_offered_can_be_decided(waiting: Waiting) -> None:
    await waiting.carried()
    with pytest.raises(NotAnOption, match=r"'maybe' is no choice here\. Choose one of: yes, no\."):
        await waiting.decides("code", "maybe")
    with pytest.raises(UnknownRequest):
        await waiting.decides("something else", "yes")
    assert await waiting.decides("data", "any text at all"), "without options any text is a decision"
    with pytest.raises(UnknownRequest):
        await waiting.decides("data", "again")
