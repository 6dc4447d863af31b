"""A report of three sections: order, slots, staleness, refresh, locks, approval, and any crash."""

import asyncio
import json
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import cast

import pytest

from adapters.settings import Settings
from adapters.storage import open_storage
from agents.kinds import AnyKind, Kinds
from agents.reports.marked import bracketed
from agents.runs.execute import LEASE_SECONDS
from agents.runs.records import Event, RunState
from agents.runs.requests import settle_overdue
from bot.values import Card, CardKind
from tests.kinds import three
from tests.kinds.house import KindHouse
from tests.kinds.skins import SKINS, reads
from tests.kinds.three import Order, Organ
from tests.support.drills import grid
from tests.support.memory.revisions import MemoryRevisions
from tests.support.memory.sources import MemorySources
from tests.support.services import ROOT
from tests.workers.test_crash import Killed, Life


class House(KindHouse):
    """A world with the toy, and a worker for it."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.sources = MemorySources()
        tool = replace(three.LOOK_UP, work=self._look_up)
        kind: AnyKind = replace(three.KIND, open=lambda house: three.opened(tool, self.sources))
        super().__init__(kind, Order, three.Brief)

    async def _look_up(self, asked: Organ) -> three.ToolReply:
        self.asked.append(asked.organ)
        return await three.look_up(asked)

    async def released(self) -> str:
        run_id = await self.say("brief Zorvatinib")
        await self.say("approve")
        return run_id

    async def cards(self) -> dict[str, Card]:
        """The cards by the first and last part of their slots."""
        return {
            ":".join((card.mark.split(":")[0], card.mark.split(":")[-1])): card
            for card in await self.world.shown()
        }

    async def texts(self) -> dict[str, str]:
        return {card.title: card.text for card in await self.world.shown() if card.kind is CardKind.SECTION}


@pytest.fixture
def house() -> House:
    return House()


async def test_sections_are_written_in_the_order_of_the_graph_each_in_a_slot_of_its_own(house: House) -> None:
    run_id = await house.released()
    steps = [step.name for step in await house.world.ledger.steps(run_id)]
    assert sorted(steps[:2]) == ["section:heart", "section:liver"]
    assert steps[2:] == ["section:advice", "release"]
    shown = [card for card in await house.world.shown() if card.kind in (CardKind.ANSWER, CardKind.SECTION)]
    assert [card.mark for card in shown] == [
        f"answer:{run_id}",
        *(f"section:{run_id}:{name}" for name in ("liver", "heart", "advice")),
    ]
    assert "○ Advice (draft)" in shown[0].text
    assert [[source.number for source in card.sources] for card in shown] == [[], [1, 2], [3, 4], []]
    assert bracketed(shown[1].text).endswith("They went away within 3 days. [2]")


async def test_a_critic_reviews_until_it_is_content_and_the_reader_is_told(house: House) -> None:
    await house.released()
    cards = await house.world.shown()
    (index,) = [card for card in cards if card.kind is CardKind.ANSWER]
    assert "The critic of the advice accepted round 2." in index.notes
    assert (await house.texts())["Advice"].endswith("Ask a physician.")


async def test_the_tools_reply_is_evidence_that_can_be_opened(house: House) -> None:
    await house.released()
    (source,) = [
        card.sources[0] for card in await house.world.shown() if card.title == "Liver" and card.sources
    ]
    kept = await house.sources.get(source.doc_id)
    assert kept is not None
    assert kept.text[source.start : source.end] == source.quote == "Zorvatinib: liver findings were mild."
    assert kept.release == "2026-01"


async def test_a_revision_upstream_makes_its_dependants_stale_and_touches_no_other_byte(house: House) -> None:
    run_id = await house.released()
    before = {one.id: one for one in (await house.world.views.by_id(run_id)).report.sections}  # type: ignore[union-attr]
    shown = await house.world.shown()
    await house.say("revise liver: short")
    after = (await house.world.views.by_id(run_id)).report
    assert after is not None
    assert after.sections[1] == before["heart"]
    assert replace(after.sections[2], state=before["advice"].state) == before["advice"]
    assert [str(one.state) for one in after.sections] == ["draft", "draft", "stale"]
    assert house.asked == ["liver", "heart", "liver"]
    cards = await house.world.shown()
    unchanged = [card for card in cards if card.title == "Heart"]
    assert unchanged == [card for card in shown if card.title == "Heart"]
    (advice,) = [card for card in cards if card.title == "Advice"]
    assert advice.notes[0].startswith("A section that this one was written from changed since.")
    assert "Refresh" in [button.label for button in advice.buttons]
    assert "↻ Advice (stale)" in cards[[card.title for card in cards].index("Brief")].text


async def test_the_numbers_of_a_revised_section_are_those_of_the_report(house: House) -> None:
    await house.released()
    await house.say("revise heart: short")
    (heart,) = [card for card in await house.world.shown() if card.title == "Heart"]
    assert [source.number for source in heart.sources] == [3]
    await house.say("undo heart")
    (heart,) = [card for card in await house.world.shown() if card.title == "Heart"]
    assert [source.number for source in heart.sources] == [3, 4]


async def test_refresh_writes_a_stale_section_from_what_stands_now(house: House) -> None:
    await house.released()
    await house.say("edit liver: The liver is fine.")
    await house.say("refresh advice")
    assert (await house.texts())["Advice"].startswith("Watch for this: Zorvatinib: liver")  # not yet released
    await house.say("approve")
    assert (await house.texts())["Advice"] == (
        "Watch for this: The liver is fine. Zorvatinib: heart findings were mild. Ask a physician."
    )
    states = [card.text for card in await house.world.shown() if card.title == "Brief"]
    assert "stale" not in states[0]


async def test_accepting_a_stale_section_makes_it_fresh(house: House) -> None:
    await house.released()
    await house.say("edit liver: The liver is fine.")
    await house.say("accept advice")
    (index,) = [card.text for card in await house.world.shown() if card.title == "Brief"]
    assert "✓ Advice (ada, " in index


async def test_a_locked_section_refuses_and_the_others_do_not(house: House) -> None:
    await house.released()
    await house.say("lock advice")
    before = (await house.texts())["Advice"]
    for text in ("edit advice: x", "append advice: x", "revise advice: x", "undo advice", "refresh advice"):
        await house.say(text)
        assert "locked" in (await house.world.shown())[-1].text, text
    await house.say("edit liver: The liver is fine.")
    assert (await house.texts())["Advice"] == before
    (advice,) = [card for card in await house.world.shown() if card.title == "Advice"]
    assert [button.label for button in advice.buttons] == ["Unlock"]
    assert advice.notes, "a locked section that is stale says so"


async def test_a_revision_that_meets_a_lock_at_its_end_tells_it(house: House) -> None:
    await house.released()
    await house.world.say("revise liver: short")
    await house.world.say("lock liver")
    await house.work()
    assert "stands as it was: The section Liver is locked (ada" in (await house.world.shown())[-1].text


async def test_changes_without_a_section_are_the_last_ones_of_the_report(house: House) -> None:
    await house.released()
    await house.say("edit liver: The liver is fine.")
    await house.say("edit heart: The heart is fine.")
    before = len(await house.world.shown())
    await house.say("changes")
    shown = await house.world.shown()
    assert len(shown) > before
    assert shown[-1].title == "Edited: Heart"


async def test_a_section_must_be_named_where_there_are_several(house: House) -> None:
    await house.released()
    await house.say("undo")
    assert (
        "Name the section. This brief has: `liver`, `heart`, `advice`."
        in (await house.world.shown())[-1].text
    )


@pytest.mark.parametrize("name", SKINS)
async def test_in_every_skin_sections_follow_the_decision(name: str, tmp_path: Path) -> None:
    async with SKINS[name](tmp_path, [three.KIND]) as skin:
        await skin.say("brief Zorvatinib")
        await reads(skin, "A decision is needed", "May this advice on Zorvatinib be given?")
        await skin.say("approve")
        await reads(skin, "Decided by", "Brief", "Liver", "Heart", "Ask a physician.")
        await skin.say("revise liver: short")
        await reads(skin, "Written anew: Liver", "↻ Advice (stale)", "changed since. Refresh it")


@pytest.mark.parametrize(("said", "text"), [("approve", "Watch for this"), ("reject", "The advice was not")])
async def test_a_person_releases_the_advice_or_does_not(house: House, said: str, text: str) -> None:
    run_id = await house.say("brief Zorvatinib")
    record = await house.world.ledger.run(run_id)
    assert record is not None
    assert record.state is RunState.WAITING
    assert await house.texts() == {}
    await house.say(said)
    assert (await house.texts())["Advice"].startswith(text)


async def test_without_a_decision_in_time_it_goes_on_without_the_advice(house: House) -> None:
    run_id = await house.say("brief Zorvatinib")
    house.world.now += timedelta(seconds=601)
    await settle_overdue(house.world.ledger)
    await house.worker.execute(run_id)
    assert (await house.texts())["Advice"] == "The advice was not released."


async def test_stopped_while_it_waits_it_gives_what_is_written_and_resume_asks_again(house: House) -> None:
    await house.say("brief Zorvatinib")
    await house.say("stop")
    cards = await house.world.shown()
    assert "Partial brief: stopped on request" in [card.title for card in cards]
    assert list(await house.texts()) == ["Liver", "Heart"]
    await house.say("resume")
    await house.say("approve")
    assert list(await house.texts()) == ["Liver", "Heart", "Advice"]
    assert house.asked == ["liver", "heart"]


def repeated(events: Sequence[Event]) -> list[str]:
    """Steps that were begun again after they were finished."""
    finished: set[tuple[str, str]] = set()
    found = []
    for event in events:
        detail = json.loads(event.detail)
        key = (detail.get("step", ""), detail.get("inputs", ""))
        if event.kind == "step.started" and key in finished:
            found.append(key[0])
        if event.kind == "step.finished":
            finished.add(key)
    return found


async def lived(dies_at: int) -> tuple[House, str, bool]:
    """Brief, approval and a revision. Whoever works dies at one port call of each; another goes on."""
    house = House()
    died = False

    async def worked() -> None:
        nonlocal died
        while house.world.queue.run_ids:
            run_id = house.world.queue.run_ids.pop(0)
            try:
                await house.executor(Life(dies_at), f"mortal {run_id}").execute(run_id)
            except (Killed, BaseExceptionGroup):
                died = True
                house.world.now += timedelta(seconds=LEASE_SECONDS + 1)
                await house.worker.execute(run_id)

    receipt = await house.world.say("brief Zorvatinib")
    await worked()
    await house.world.say("approve")
    await worked()
    await house.world.say("revise liver: short")
    await worked()
    return house, receipt.run_id, died


def comparable(house: House, cards: Sequence[Card], ids: Sequence[str]) -> list[str]:
    """Cards without what differs from run to run: ids and times."""
    texts = []
    for card in cards:
        text = repr(replace(card, steps=(), footer=""))
        for number, run_id in enumerate(ids):
            text = text.replace(run_id, f"run{number}")
        texts.append(text)
    return texts


async def outcome(dies_at: int) -> tuple[list[str], list[tuple[int, str, str]], list[str], bool]:
    house, run_id, died = await lived(dies_at)
    world = house.world
    records = (await world.ledger.runs())[::-1]
    lines = await cast(MemoryRevisions, world.revisions).of(run_id)
    twice = [name for one in records for name in repeated(await world.ledger.events(one.run_id))]
    cards = comparable(house, await world.shown(), [one.run_id for one in records])
    return cards, [(one.number, str(one.action), one.section.opening) for one in lines], twice, died


@cache
def undisturbed() -> tuple[list[str], list[tuple[int, str, str]], list[str], bool]:
    """The outcome where nobody dies."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, outcome(1_000_000)).result()


@pytest.mark.parametrize("dies_at", grid(range(110), every=10))
async def test_wherever_a_worker_dies_the_report_its_history_and_its_cards_are_the_same(dies_at: int) -> None:
    cards, lines, twice, _ = await outcome(dies_at)
    expected, _, _, _ = undisturbed()
    assert lines == [(1, "revised", "Zorvatinib: liver findings were mild.")]
    assert sorted(cards) == sorted(expected)
    assert twice == []


async def test_the_deaths_above_cover_the_whole_life_of_a_worker() -> None:
    assert (await outcome(0))[3]
    assert not (await outcome(110))[3]


@pytest.mark.drill
async def test_a_process_that_is_killed_in_the_middle_is_followed_by_one_that_repeats_nothing(
    tmp_path: Path,
) -> None:
    log = tmp_path / "log"
    storage = await open_storage(Settings(home=tmp_path).database_url)

    async def process(seconds: int) -> asyncio.subprocess.Process:
        command = (sys.executable, "-m", "tests.kinds.mortal", str(tmp_path), str(log), str(seconds))
        return await asyncio.create_subprocess_exec(*command, cwd=ROOT)

    async def steps() -> list[str]:
        runs = await storage.ledger.runs()
        return [
            step.name for run in runs for step in await storage.ledger.steps(run.run_id) if not step.error
        ]

    first = await process(60)
    while await steps() != ["section:liver"] or "heart" not in log.read_text():  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    first.kill()
    await first.wait()
    assert await (await process(0)).wait() == 0
    (asked,) = await storage.ledger.open_requests((await storage.ledger.runs())[0].run_id)
    await storage.ledger.decide(asked.run_id, asked.name, "approve", "ada")
    assert await (await process(0)).wait() == 0
    assert await steps() == ["section:liver", "section:heart", "section:advice", "release"]
    assert sorted(log.read_text().split()) == ["heart", "heart", "liver"]
    (run,) = await storage.ledger.runs()
    await storage.close()
    report = Kinds([three.KIND]).view(run).report
    assert report is not None
    assert [one.title for one in report.sections] == ["Liver", "Heart", "Advice"]
