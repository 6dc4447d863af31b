"""Guests of the company: known by their role in Teams, refused and told so, unless they may ask."""

from typing import Any

import pytest

from adapters.teams.ear import NOT_HERE
from adapters.teams.extension import TOLD
from adapters.teams.guests import KNOWN_S, Guests
from adapters.teams.inbound import Activity
from bot.access import Access
from tests.adapters.teams.conftest import Teams
from tests.adapters.teams.sender import CHANNEL, PERSON, QUESTION, chat
from tests.adapters.teams.test_render import words


@pytest.fixture
def guest(teams: Teams) -> Teams:
    """Who writes is a guest."""
    teams.end.guests.add(PERSON)
    return teams


@pytest.mark.parametrize("conversation", [None, chat()])
async def test_a_guest_who_asks_is_refused_and_told(
    guest: Teams, conversation: dict[str, Any] | None
) -> None:
    await guest.say(QUESTION, **({"conversation": conversation} if conversation else {}))
    await guest.pump.drain()
    assert await guest.questions() == []
    assert "are a guest here" in words(guest.end.shown())


async def test_a_guest_who_talks_in_a_thread_is_told_nothing(guest: Teams) -> None:
    await guest.say(**{"from": {"id": "29:bob", "aadObjectId": "bob-1"}})
    await guest.say("And in dogs?")
    assert await guest.questions() == ["What was the NOAEL?"]
    await guest.pump.drain()
    assert "a guest here" not in words(guest.end.shown())


async def test_a_guest_who_is_named_may_ask(guest: Teams) -> None:
    guest.world.intake._access = {"teams": Access(users=("ada-1",), guests=False)}
    await guest.say()
    assert len(await guest.questions()) == 1


async def test_a_guest_can_press_judge_and_ask_alone_nothing(guest: Teams) -> None:
    await guest.say(**{"from": {"id": "29:bob", "aadObjectId": "bob-1"}})
    (record,) = await guest.world.ledger.runs()
    await guest.press("stop", record.run_id)
    assert not await guest.world.ledger.stop_requested(record.run_id)
    assert await alone_asked(guest) == NOT_HERE
    assert len(await guest.questions()) == 1


async def alone_asked(teams: Teams) -> str:
    """What is told to who asks something alone."""
    value = {"commandId": "askAlone", "data": {"question": "What was the NOAEL?"}}
    asked = teams.activity("invoke", name="composeExtension/submitAction", value=value)
    told: str = (await teams.send(asked)).json()["task"]["value"]
    return told


async def test_a_guest_who_asks_alone_where_the_bot_is_no_member_is_one_in_their_own_chat(
    guest: Teams,
) -> None:
    guest.end.outside.add(CHANNEL)
    assert await alone_asked(guest) == NOT_HERE
    assert guest.end.roles_asked == [(CHANNEL, PERSON), (f"a:with-{PERSON}", PERSON)]


async def test_who_asks_alone_where_the_bot_is_no_member_may_if_their_own_chat_says_so(teams: Teams) -> None:
    teams.end.outside.add(CHANNEL)
    assert await alone_asked(teams) == TOLD


async def test_who_is_nowhere_with_the_bot_counts_as_a_guest(teams: Teams) -> None:
    teams.end.outside |= {CHANNEL, f"a:with-{PERSON}"}
    assert await alone_asked(teams) == NOT_HERE


async def test_a_known_guest_stays_one_while_teams_does_not_say(guest: Teams) -> None:
    now = [0.0]
    guests = Guests(guest.ear.guests._connector, guest.ear.platform.where, lambda: now[0])  # type: ignore[union-attr]
    activity = Activity.model_validate(guest.activity())
    assert await guests.has(activity)
    guest.end.roster_away = True
    now[0] = KNOWN_S + 1
    assert await guests.has(activity)


async def test_guests_may_ask_where_that_is_set_and_nobodys_role_is_asked_for(guest: Teams) -> None:
    object.__setattr__(guest.ear, "guests", None)
    await guest.say()
    assert len(await guest.questions()) == 1
    assert guest.end.roles_asked == []


async def test_a_role_is_asked_for_once_a_day_and_of_nobody_who_talks_to_others(teams: Teams) -> None:
    await teams.say("Lunch?")
    assert teams.end.roles_asked == []
    for _ in range(3):
        await teams.say()
    assert teams.end.roles_asked == [(CHANNEL, PERSON)]
    now = [0.0]
    guests = Guests(teams.ear.guests._connector, teams.ear.platform.where, lambda: now[0])  # type: ignore[union-attr]
    activity = Activity.model_validate(teams.activity())
    for now[0] in (0.0, KNOWN_S - 1, KNOWN_S + 1):
        assert not await guests.has(activity)
    assert len(teams.end.roles_asked) == 3


async def test_where_teams_does_not_say_the_tenant_counts_and_it_is_asked_again(guest: Teams) -> None:
    guest.end.roster_away = True
    await guest.say()
    assert len(await guest.questions()) == 1
    guest.end.roster_away = False
    await guest.say()
    assert len(await guest.questions()) == 1
