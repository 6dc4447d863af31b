"""Somebody took the app away, or Teams takes no card for now: nothing is lost."""

from datetime import timedelta
from typing import Any

import pytest
from starlette.responses import JSONResponse

from bot.values import Card, CardKind, ThreadRef
from tests.adapters.teams.conftest import Teams
from tests.adapters.teams.sender import CHANNEL, MENTION, QUESTION, chat, place
from tests.adapters.teams.test_render import words


async def asked(teams: Teams, conversation: dict[str, Any], **told: Any) -> None:
    await teams.say(QUESTION, conversation=conversation, **told)
    await teams.ear.platform.settle()
    await teams.pump.drain()
    teams.end.messages.clear()


async def test_who_took_the_app_away_from_themselves_cannot_be_written_to_alone_any_more(
    teams: Teams,
) -> None:
    await teams.say(MENTION + " help", conversation=chat())
    person = await teams.ear.places.person("ada-1")
    assert person is not None
    assert person.chat == "a:1"
    await teams.send(teams.activity("installationUpdate", action="remove", conversation=chat()))
    kept = await type(teams.ear.places)(teams.world.conversations).person("ada-1")
    assert kept is not None
    assert not kept.chat
    out = {"error": {"code": "ForbiddenOperationException", "message": "The app is not installed."}}
    teams.end.answers = [JSONResponse(out, 403)]
    assert not await teams.ear.platform.where.reaches("ada-1")


@pytest.mark.parametrize(
    "code", ["BotNotInConversationRoster", "MessageWritesBlocked", "TeamArchived", "UserLicenseMissing"]
)
async def test_a_card_that_teams_forbids_is_kept_with_the_reason_and_shown_once_it_may_be(
    teams: Teams, code: str
) -> None:
    await asked(teams, place())
    thread = ThreadRef("teams", CHANNEL, "100")
    teams.end.answers = [JSONResponse({"error": {"code": code, "message": "No."}}, 403)]
    (record,) = await teams.world.ledger.runs()
    await teams.world.outbox.put(thread, "answer:x", Card(CardKind.NOTICE, text="late", run_id=record.run_id))
    await teams.pump.drain()
    (waits,) = await teams.world.outbox.unposted([thread])
    assert code in waits.error
    assert not waits.given_up
    kinds = [event.kind for event in await teams.world.ledger.events(record.run_id)]
    assert "delivery.hindered" in kinds
    await teams.world.outbox.again(thread, record.run_id)
    await teams.pump.drain()
    assert "late" in words(teams.end.shown())


async def test_a_thread_that_is_asked_to_wait_holds_its_order_and_loses_nothing(teams: Teams) -> None:
    await asked(teams, place())
    thread = ThreadRef("teams", CHANNEL, "100")
    teams.end.answers = [JSONResponse({}, 429, {"Retry-After": "1"})]
    for number in range(3):
        await teams.world.outbox.put(thread, f"reply:{number}", Card(CardKind.NOTICE, text=f"card {number}"))
    await teams.pump.drain()
    assert teams.end.shown() == []
    teams.world.now += timedelta(seconds=5)
    await teams.pump.drain()
    assert [one["summary"] for one in teams.end.shown()] == ["card 0", "card 1", "card 2"]
