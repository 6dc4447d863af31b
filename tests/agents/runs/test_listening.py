"""Runs that listen, hold a poll and show sections, over every ledger; crashes, and a replay."""

import json

import pytest

from agents.reports.midrun import SHOWN, sections_shown, show
from agents.reports.values import Paragraph, Section
from agents.runs.execute import execute
from agents.runs.heard import HEARD, Said, said_detail
from agents.runs.pipeline import Pipeline, new_run
from agents.runs.polls import Poll, Vote
from agents.runs.records import RunState
from agents.runs.replay import replay
from agents.runs.run import Run
from tests.adapters.storage.places import Place

POLL = Poll("Which one?", ("A", "B"), quorum=2)


class Died(BaseException):
    """Nothing catches it, as nothing catches the end of a process."""


class Debate:
    """Listens before a poll and inside a step after it. `dies` ends it in the last step."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.dies = False
        self.said: set[str] = set()

    async def __call__(self, run: Run, text: str) -> str:
        told: list[str] = []
        for number in range(2):
            await self.say(run, f"word {number}")
            told += [one.text for one in await run.heard()]
            await show(run, Section("plan", "Plan", (Paragraph("A" if number else "B"),)))
        await show(run, Section("plan", "Plan", (Paragraph("B"),)))
        result = await run.poll("which", POLL)
        told += [f"{ballot.by}: {ballot.choices[0]}" for ballot in result.ballots]
        told.append(await run.step("listen", self.listen(run), "inside"))
        return " ".join(await run.step("last", self.last, told))

    def listen(self, run: Run) -> "Listens":
        return Listens(self, run)

    async def last(self, told: list[str]) -> list[str]:
        if self.dies:
            raise Died
        return told

    async def say(self, run: Run, text: str) -> None:
        if text in self.said:
            return
        self.said.add(text)
        said = said_detail(Said("ana", "now", f"key {text}", text))
        for _ in range(2):  # a platform sends it twice
            await self.place.ledger.append(run.id, HEARD, said)


class Listens:
    def __init__(self, debate: Debate, run: Run) -> None:
        self.debate, self.run = debate, run

    async def __call__(self, text: str) -> str:
        await self.debate.say(self.run, text)
        return ",".join(one.text for one in await self.run.heard())


async def test_run_hears_each_word_once_and_the_same_after_a_crash_and_in_a_replay(place: Place) -> None:
    debate, ledger, record = Debate(place), place.ledger, new_run("debate", "?")
    await ledger.create(record)
    pipelines = {"debate": Pipeline(debate, str, str)}
    await execute(record.run_id, ledger, pipelines, "one")
    run = await ledger.run(record.run_id)
    assert run is not None
    assert run.state is RunState.WAITING
    (asked,) = await ledger.open_requests(record.run_id)
    await ledger.vote(record.run_id, asked.name, Vote("ana", ("A",)))
    await ledger.vote(record.run_id, asked.name, Vote("ben", ("B",)))
    debate.dies = True
    with pytest.raises(Died):
        await execute(record.run_id, ledger, pipelines, "one")
    debate.dies = False
    await execute(record.run_id, ledger, pipelines, "two")
    run = await ledger.run(record.run_id)
    assert run is not None
    assert json.loads(run.result) == "word 0 word 1 ana: A ben: B inside"
    events = await ledger.events(record.run_id)
    assert [event.kind for event in events].count(SHOWN) == 3, "nothing is shown twice"
    assert [section.opening for section in sections_shown(events)] == ["B"]
    told = await replay(record.run_id, ledger, pipelines, "three")
    assert told.same, told
