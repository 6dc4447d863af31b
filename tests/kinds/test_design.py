"""A molecule design in the conversation: approved, steered, voted on, and gone on from."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.design.kind import KIND
from agents.design.pipeline import design
from agents.design.values import Design, Order
from agents.kinds import AnyKind
from agents.runs.run import Run
from tests.agents.design.kit import BRIEF, desk
from tests.kinds.skins import SKINS, PageSkin, SlackSkin, reads
from tests.kinds.test_panel import choose


def kind() -> AnyKind:
    """The kind over a bare house."""

    def opened(house: Any) -> Any:
        bound = replace(desk(), sources=house.sources)

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
            await skin.say("make M1 more soluble")
            await reads(skin, "logS at least -4")
            assert isinstance(skin, PageSkin)
        if isinstance(skin, SlackSkin):
            while not any(b"V2000" in one for one in skin.files()):  # noqa: ASYNC110 - pictures come before
                await asyncio.sleep(0.1)
