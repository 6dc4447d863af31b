"""Guests, strangers, programs and closed accounts: who may not ask is told once, and nothing begins."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette

from adapters.slack import modals
from adapters.slack.calls import slack_client
from adapters.slack.people import KNOWN_S, UNKNOWN_S, People
from adapters.slack.serve import slack_routes
from bot.access import Access
from bot.intake import Intake
from bot.values import Incoming, Origin, Standing, ThreadRef
from tests.adapters.slack.ears import ear_of
from tests.adapters.slack.far_end import BOT_USER, TOKEN, FarEnd, far_end
from tests.adapters.slack.sender import SECRET
from tests.adapters.slack.test_app import Slack, drained
from tests.bot.world import World

ASKED = f"<@{BOT_USER}> What was the NOAEL?"
GUESTS = ({"is_restricted": True}, {"is_restricted": True, "is_ultra_restricted": True})
HERE = Incoming("e1", ThreadRef("slack", "C1", "1.0"), "U1", "x", origin=Origin(("T1",)))


@asynccontextmanager
async def workspace(**access: Any) -> AsyncIterator[Slack]:
    """A workspace with these rules; U7 is what a test says."""
    world = World()
    world.intake = Intake(world.rooms, access={"slack": Access(**{"guests": False} | access)})
    async with far_end() as end:
        transport = httpx.ASGITransport(app=Starlette(routes=slack_routes(ear_of(end, world), SECRET)))
        async with httpx.AsyncClient(transport=transport, base_url="http://bot") as client:
            yield Slack(client, end, world)


@pytest.mark.parametrize("guest", GUESTS)
async def test_a_guest_is_told_once_and_nothing_begins(guest: dict[str, Any]) -> None:
    async with workspace() as slack:
        slack.end.people["U7"] = guest
        for number in range(3):
            await slack.event(text=ASKED, user="U7", ts=f"{number + 10}.1")
        await slack.event(text="And in dogs?", user="U7", ts="20.2", thread_ts="10.1")
        assert await slack.questions() == []
        (told,) = await drained(slack)
        assert "You, U7, are a guest here" in str(told["blocks"])
        assert slack.end.looked_up == ["U7"]


async def test_a_guest_may_neither_press_react_command_nor_open_the_home() -> None:
    async with workspace() as slack:
        await slack.event(text=ASKED)
        (record,) = await slack.world.ledger.runs()
        await drained(slack)
        slack.end.people["U7"] = GUESTS[0]
        guest = {"id": "U7", "team_id": "T1"}
        await slack.press("stop:0", record.run_id, user=guest)
        await slack.event(
            type="reaction_added",
            user="U7",
            reaction="octagonal_sign",
            item={"channel": "C1", "ts": next(iter(slack.end.messages))},
        )
        answer = await slack.command("What was the highest dose?", user="U7")
        await slack.event(type="app_home_opened", user="U7", channel="D7", tab="home")
        assert await slack.world.ledger.stop_requested(record.run_id) == ""
        assert len(await slack.questions()) == 1
        assert "are a guest here" in answer.text
        assert slack.end.views == []


async def test_a_modal_of_a_guest_begins_nothing() -> None:
    async with workspace() as slack:
        slack.end.people["U7"] = GUESTS[0]
        for view in (modals.question({}), modals.claim({"channel": "C1", "thread": "1.0"}, "x")):
            answer = await slack.submit(view, "What was the NOAEL?", "U7")
            assert "are a guest here" in answer.text
        assert await slack.questions() == []
        assert slack.end.messages == {}


async def test_a_question_of_the_home_counts_as_asked_in_direct_messages() -> None:
    async with workspace(channels=("direct",)) as slack:
        assert (await slack.submit(modals.question({}), "What was the NOAEL?")).text == ""
        assert await slack.questions() == ["What was the NOAEL?"]


@pytest.mark.parametrize("access", [{"guests": True}, {"users": ("U7",)}])
async def test_guests_may_ask_where_they_are_allowed(access: dict[str, Any]) -> None:
    async with workspace(**access) as slack:
        slack.end.people["U7"] = GUESTS[0]
        await slack.event(text=ASKED, user="U7")
        assert await slack.questions() == ["What was the NOAEL?"]


@pytest.mark.parametrize("person", [{"deleted": True}, {"is_bot": True}])
async def test_a_program_or_a_closed_account_is_told_nothing(person: dict[str, Any]) -> None:
    async with workspace(guests=True) as slack:
        slack.end.people["U7"] = person
        await slack.event(text=ASKED, user="U7")
        assert await slack.questions() == []
        assert await drained(slack) == []


async def test_a_stranger_is_told_once_and_not_looked_up() -> None:
    async with workspace() as slack:
        for number in range(2):
            await slack.event(text=ASKED, user="U9", team="T2", ts=f"{number + 10}.1")
        (told,) = await drained(slack)
        assert "another organisation" in str(told["blocks"])
        assert slack.end.looked_up == []
        assert await slack.questions() == []


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


async def known(people: People) -> Standing:
    return (await people.known(HERE)).origin.standing


async def test_what_a_person_is_is_asked_again_after_a_while() -> None:
    async with far_end() as end:
        clock = Clock()
        people = People(slack_client(TOKEN, end.url), clock)
        assert await known(people) is Standing.MEMBER
        end.people["U1"] = GUESTS[0]
        assert await known(people) is Standing.MEMBER
        clock.now = KNOWN_S
        assert await known(people) is Standing.GUEST


async def test_a_known_guest_stays_one_while_slack_does_not_say(monkeypatch: pytest.MonkeyPatch) -> None:
    async with far_end() as end:
        clock, end.people["U1"] = Clock(), GUESTS[0]
        people = People(slack_client(TOKEN, end.url), clock)
        assert await known(people) is Standing.GUEST
        monkeypatch.setattr(FarEnd, "users_info", None)
        clock.now = KNOWN_S
        assert await known(people) is Standing.GUEST


@pytest.mark.parametrize("away", [True, False])
async def test_where_slack_does_not_say_a_person_counts_as_a_member_for_a_short_time(
    away: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with far_end() as end:
        clock, end.people["U1"] = Clock(), GUESTS[0]
        client = slack_client(TOKEN, end.url)
        people = People(client, clock)
        with monkeypatch.context() as bad:
            if away:
                bad.setattr(client, "base_url", "http://127.0.0.1:9/api/")
            else:
                bad.setattr(FarEnd, "users_info", None)
            assert await known(people) is Standing.MEMBER
        assert await known(people) is Standing.MEMBER
        clock.now = UNKNOWN_S
        assert await known(people) is Standing.GUEST
