"""A molecule design in the conversation: approved, steered, voted on, and gone on from."""

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.chemistry.export import sdf
from agents.chemistry.molecule import Molecule, read_molecule
from agents.design.kind import KIND
from agents.design.oracle import Oracle, Score
from agents.design.pipeline import design
from agents.design.values import Design, Order
from agents.kinds import AnyKind
from agents.runs.run import Run
from tests.agents.design.kit import BRIEF, START, desk
from tests.agents.design.test_design import Length
from tests.kinds.skins import CHATS, PATIENCE_S, SKINS, PageSkin, SlackSkin, TeamsSkin, reads
from tests.kinds.test_panel import choose


def kind(oracle: Oracle | None = None) -> AnyKind:
    """The kind over a bare house."""

    def opened(house: Any) -> Any:
        bound = replace(desk(), sources=house.sources, oracle=oracle)

        async def work(run: Run, order: Order) -> Design:
            return await design(bound, run, order)

        return lambda principal: work

    return replace(KIND, open=opened)


@pytest.mark.parametrize("place", SKINS)
@pytest.mark.timeout(120)
async def test_a_debate_is_approved_steered_voted_on_and_gone_on_from(place: str, tmp_path: Path) -> None:
    async with SKINS[place](tmp_path, [kind()]) as skin:
        await skin.say(f"{BRIEF}, vote of 1")
        await reads(skin, "May the debate start with these goals?", "keep at most 70", "A decision is needed")
        await skin.say("try NC(=O)c1ccc(Cl)cc1")
        await reads(skin, "Heard: 1")
        await choose(skin, "start", "start")
        await reads(skin, "Round 1", "desirability", "Which of these molecules would you make?")
        await skin.say("vote 2")
        await reads(skin, "is ranked first of", "Brief and method", "Patents were not searched")
        found = await reads(skin, "Lineage", "person")
        assert "Not shown" not in found
        if place == "page":
            await skin.say("remember: people count 3")
            await reads(skin, "What this channel wants of all its reports", "people count 3")
            await skin.say("make M1 more soluble")
            await reads(skin, "logS at least")
            assert isinstance(skin, PageSkin)
        if isinstance(skin, SlackSkin):
            while not any(b"V2000" in one for one in skin.files()):  # noqa: ASYNC110 - pictures come before
                await asyncio.sleep(0.1)


class Slow(Length):
    """An oracle that scores nothing but the start before it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.go = threading.Event(), threading.Event()

    def score(self, molecules: Sequence[Molecule]) -> tuple[Score, ...]:
        if self.calls:
            self.asked.set()
            self.go.wait(PATIENCE_S)
        return super().score(molecules)


MOLFILE = sdf([("one", read_molecule("NC(=O)c1ccc(Cl)cc1"), {})])


@pytest.mark.parametrize(("place", "other"), [("slack", "U2"), ("teams", "bob")])
@pytest.mark.timeout(180)
async def test_people_veto_propose_and_vote_in_a_debate_of_three_rounds(
    place: str, other: str, tmp_path: Path
) -> None:
    oracle = Slow()
    async with CHATS[place](tmp_path, [kind(oracle)]) as skin:
        assert isinstance(skin, SlackSkin | TeamsSkin)
        await skin.say(f"design ABC1 inhibitors like {START}, 3 rounds, 1 proposals, vote of 2")
        await reads(skin, "May the debate start with these goals?")
        await skin.attach("try this", "one.sdf", MOLFILE)
        await reads(skin, "Heard: 1")
        await skin.press("start")
        await asyncio.to_thread(oracle.asked.wait, PATIENCE_S)
        for heard, words in enumerate(("veto 2", "pin 1", "not like imatinib"), start=2):
            await skin.say(words, by=other)
            await reads(skin, f"Heard: {heard}")
        oracle.go.set()
        await reads(skin, "Round 1", "Round 2", "Round 3", "Which of these molecules would you make?")
        await skin.say("vote 1")
        await skin.say("vote 2", by=other)
        found = await reads(skin, "is ranked first of", "distinct scaffold", "vetoed: M2", "pinned: M1")
        assert "similarity to avoid" in found
        assert "Rules of thumb" in found
        await skin.press("make M1 more soluble")
        await reads(skin, "logS at least")


@pytest.mark.parametrize("place", CHATS)
@pytest.mark.timeout(120)
async def test_a_file_of_molecules_is_read_as_words_of_its_message(place: str, tmp_path: Path) -> None:
    async with CHATS[place](tmp_path, [kind()]) as skin:
        assert isinstance(skin, PageSkin | SlackSkin | TeamsSkin)
        await skin.attach("make this more soluble", "one.mol", MOLFILE)
        await reads(
            skin, "May the debate start with these goals?", "logS at least -1.6", "similarity at least 0.4"
        )
