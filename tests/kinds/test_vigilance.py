"""Pharmacovigilance in the conversation: questions, choices, edits of a class, tables; runs that die."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents.kinds import AnyKind
from agents.runs.run import Run
from agents.vigilance.kind import KIND
from agents.vigilance.pipeline import VigilanceTools, assess
from agents.vigilance.values import Assessment, Order
from tests.agents.vigilance.kit import desk
from tests.kinds.skins import SKINS, reads


def kind(with_desk: VigilanceTools | None = None) -> AnyKind:
    """The kind over the small world."""

    def opened(house: Any) -> Any:
        bound = with_desk or replace(desk(), sources=house.sources)

        async def work(run: Run, order: Order) -> Assessment:
            return await assess(bound, run, order)

        return lambda principal: work

    return replace(KIND, open=opened)


@pytest.mark.parametrize("place", SKINS)
@pytest.mark.timeout(120)
async def test_a_question_becomes_a_card_and_its_class_is_edited(place: str, tmp_path: Path) -> None:
    async with SKINS[place](tmp_path, [kind()]) as skin:
        await skin.say("Do ACE inhibitors raise the risk of angioedema?")
        await reads(skin, "the class raises the risk of angioedema", "Angioedema involving the face")
        await skin.say("without lisinopril")
        await reads(skin, "Version 2 of the class ACE inhibitors", "without lisinopril")
        await skin.say("add warfarin")
        await reads(skin, "Version 3 of the class ACE inhibitors", "the drugs warfarin; without lisinopril")


async def test_what_a_channel_wants_goes_with_its_later_questions(tmp_path: Path) -> None:
    async with SKINS["page"](tmp_path, [kind()]) as skin:
        await skin.say("vigilance lisinopril: angioedema")
        await reads(skin, "lisinopril raises the risk of angioedema")
        await skin.say("remember: name the incidence first")
        await reads(skin, "The next report in this channel follows it", "name the incidence first (you")
        await skin.say("vigilance warfarin: bleeding")
        await reads(skin, "What this channel wants of all its answers was not followed")


async def test_a_choice_that_was_asked_back_is_taken(tmp_path: Path) -> None:
    async with SKINS["page"](tmp_path, [kind()]) as skin:
        await skin.say("vigilance lisinoprol: angioedema")
        await reads(skin, "Which of these is meant?", "lisinopril")
        await skin.say("lisinopril")
        await reads(skin, "lisinopril raises the risk of angioedema")


async def test_a_table_has_its_picture_on_the_page(tmp_path: Path) -> None:
    async with SKINS["page"](tmp_path, [kind()]) as skin:
        await skin.say("vigilance ACE inhibitors, warfarin x angioedema, bleeding")
        await reads(skin, "Effects of drug classes on outcomes", "warfarin: increase of bleeding")
