"""Who is asked what a run leaves open: kept with the channel, and given to the runs that begin there."""

import pytest

from adapters.kinds import KINDS
from agents.kinds import Kinds
from agents.runs.open_points import Responsible
from bot.values import CardKind, ThreadRef
from tests.bot.world import THREAD, World

ASKED = "safety ADRB2"


def world() -> World:
    return World(kinds=Kinds(KINDS))


async def asks(world: World, text: str = ASKED, thread: ThreadRef = THREAD) -> Responsible | None:
    record = await world.ledger.run((await world.say(text, thread=thread)).run_id)
    assert record is not None
    found: Responsible | None = world.kinds.inputs(record).asks
    return found


async def test_a_run_asks_whoever_is_responsible_in_its_channel() -> None:
    here = world()
    assert await asks(here) is None
    await here.say("responsible for safety: @U0ADA within 2 hours")
    assert "- safety: @U0ADA, within 2 hours" in (await here.shown())[-1].text
    assert await asks(here) == Responsible("@U0ADA", 7200.0)
    assert await asks(here, thread=ThreadRef("wall", "other", "2")) is None
    await here.say("responsible for safety: nobody")
    assert await asks(here) is None


async def test_who_is_responsible_for_everything_is_asked_where_nobody_else_is() -> None:
    here = world()
    await here.say("responsible for everything: @bob")
    await here.say("responsible for safety: @ada within 1 day")
    assert await asks(here) == Responsible("@ada", 86_400.0)
    await here.say("responsible for safety: nobody")
    assert await asks(here) == Responsible("@bob", 4 * 3600.0)
    await here.say("who is responsible?")
    assert "- everything: @bob, within 4 hours" in (await here.shown())[-1].text


@pytest.mark.parametrize("text", ["responsible for cooking: @ada", "responsible for safety"])
async def test_what_nobody_asks_about_is_refused_with_what_can_be_written(text: str) -> None:
    here = world()
    await here.say(text)
    card = (await here.shown())[-1]
    assert card.kind is CardKind.ERROR
    assert "responsible for everything: @ada" in card.text
