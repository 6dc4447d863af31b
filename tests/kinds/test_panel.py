"""A kind that people steer while it works, in every skin: a card in mid-run, a word, a vote, an approval."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

from adapters.kinds import KINDS
from adapters.settings import Settings
from adapters.storage import open_storage
from agents.reports.midrun import SHOWN
from agents.runs.heard import HEARD, Said, said_detail
from agents.runs.polls import Vote
from agents.runs.records import OpenRequest
from tests.kinds import panel
from tests.kinds.skins import SKINS, PageSkin, Skin, SlackSkin, reads
from tests.support.services import ROOT


class Thinking(panel.Mind):
    """Thinks until it is told to stop."""

    def __init__(self) -> None:
        self.begun, self.enough = asyncio.Event(), asyncio.Event()

    async def think(self, words: tuple[str, ...]) -> tuple[str, ...]:
        self.begun.set()
        await self.enough.wait()
        return words


async def choose(skin: Skin, label: str, words: str) -> None:
    """Press a button, or write its words where there is none."""
    if isinstance(skin, PageSkin | SlackSkin):
        await skin.press(label)
    else:
        await skin.say(words)


@pytest.mark.parametrize("name", SKINS)
async def test_a_panel_is_steered_by_words_votes_and_an_approval(name: str, tmp_path: Path) -> None:
    mind = Thinking()
    async with SKINS[name](tmp_path, (*KINDS, panel.opened(mind))) as skin:
        await skin.say("panel 1: fish dog")
        await mind.begun.wait()
        await reads(skin, "Candidates", "fish", "As it stood while the run worked.")
        await skin.say("cat, please")
        await reads(skin, "Heard: 1 so far")
        mind.enough.set()
        await reads(skin, "Please vote", "cat, please", "It closes when 1 has voted")
        await choose(skin, "2️⃣ dog", "vote 2")
        await reads(
            skin, "The poll is closed", "Most want dog.", "May this program run?", "It touches out.csv."
        )
        await reads(skin, "run.R", *(() if name == "slack" else ("the last line",)))
        await choose(skin, "approve", "approve")
        await reads(skin, "The panel chose dog", ": dog")
        if isinstance(skin, SlackSkin):
            assert panel.PROGRAM.encode() in skin.files()


async def test_what_a_run_showed_and_asked_is_on_the_page_after_a_restart(tmp_path: Path) -> None:
    mind = Thinking()
    kinds = (*KINDS, panel.opened(mind))
    mind.enough.set()
    async with SKINS["page"](tmp_path, kinds) as skin:
        assert isinstance(skin, PageSkin)
        place = skin.place
        await skin.say("panel 1: fish dog")
        await reads(skin, "Please vote")
        await skin.press("1️⃣ fish")
        await reads(skin, "May this program run?", "the last line")
    async with SKINS["page"](tmp_path, kinds) as skin:
        assert isinstance(skin, PageSkin)
        skin.place = place
        read = await reads(skin, "Candidates", "Most want fish.", "May this program run?", "the last line")
        assert read.count("Candidates") == 1


@pytest.mark.drill
async def test_a_panel_killed_while_it_listens_and_in_its_poll_ends_the_same(tmp_path: Path) -> None:
    log = tmp_path / "log"
    storage = await open_storage(Settings(home=tmp_path).database_url)
    ledger = storage.ledger

    async def process(seconds: int) -> asyncio.subprocess.Process:
        command = (sys.executable, "-m", "tests.kinds.mortal_panel", str(tmp_path), str(log), str(seconds))
        return await asyncio.create_subprocess_exec(*command, cwd=ROOT)

    async def asked(poll: bool) -> OpenRequest:
        for _ in range(1200):
            for one in await ledger.open_requests(run_id):
                if bool(one.request.poll) is poll:
                    return one
            await asyncio.sleep(0.05)
        raise AssertionError("nothing is asked")

    first = await process(90)
    while not log.exists():  # noqa: ASYNC110 - another process
        await asyncio.sleep(0.05)
    (run_id,) = [run.run_id for run in await ledger.runs()]
    await ledger.append(run_id, HEARD, said_detail(Said("ana", "now", "wall:e2", "cat")))
    first.kill()
    await first.wait()
    second = await process(0)
    poll = await asked(poll=True)
    await ledger.vote(run_id, poll.name, Vote("ana", ("dog",)))
    second.kill()
    await second.wait()
    third = await process(0)
    await ledger.vote(run_id, poll.name, Vote("ben", ("dog",)))
    await ledger.decide(run_id, (await asked(poll=False)).name, "approve", "ana")
    assert await third.wait() == 0
    (run,) = await ledger.runs()
    steps = [step.name for step in await ledger.steps(run_id) if not step.error]
    kinds = [event.kind for event in await ledger.events(run_id)]
    await storage.close()
    result = json.loads(run.result)
    assert (result["candidates"], result["winner"]) == (["fish", "dog", "cat"], "dog")
    assert result["votes"] == ["ana: dog", "ben: dog"]
    assert log.read_text().split() == ["think", "think"], "it was in hand, and had not ended"
    assert (len(steps), len(set(steps))) == (6, 5), "two cards, and each other step once"
    assert kinds.count(SHOWN) == 2
