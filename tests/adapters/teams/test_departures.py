"""The bot is out of a place, or the place is closed: who waits for something there is told, alone."""

from datetime import timedelta
from typing import Any

import pytest
from starlette.responses import JSONResponse

from bot.values import Card, CardKind, ThreadRef
from tests.adapters.teams.conftest import Teams
from tests.adapters.teams.sender import BOT, CHANNEL, MENTION, QUESTION, chat, place
from tests.adapters.teams.test_render import words

TEAM = "19:team@thread.tacv2"
CHAT = "a:with-29:ada"
GENERAL = {"id": TEAM, "conversationType": "channel", "tenantId": "t1"}
OURS = [{"id": BOT, "name": "Pestle"}]


def data(event: str = "", **channel: Any) -> dict[str, Any]:
    told = {"tenant": {"id": "t1"}, "team": {"id": TEAM, "name": "Tox"}, "eventType": event}
    return told | ({"channel": channel} if channel else {})


async def asked(teams: Teams, conversation: dict[str, Any], **told: Any) -> None:
    await teams.say(QUESTION, conversation=conversation, **told)
    await teams.ear.platform.settle()
    await teams.pump.drain()
    teams.end.messages.clear()


async def happened(teams: Teams, type_: str = "conversationUpdate", **told: Any) -> str:
    """Something that happened to a place; what who asked is told then, in their chat."""
    assert (await teams.send(teams.activity(type_, **told))).status_code == 200
    await teams.pump.drain()
    assert {conversation for conversation, _ in teams.end.messages} <= {CHAT}
    return words(teams.end.shown(CHAT))


@pytest.mark.parametrize(
    ("event", "why"),
    [
        ("teamArchived", "The team Tox was archived."),
        ("teamDeleted", "The team Tox was deleted."),
        ("teamMemberRemoved", "I was taken out of the team Tox."),
    ],
)
async def test_who_waits_in_a_channel_of_a_team_that_is_gone_is_told(
    teams: Teams, event: str, why: str
) -> None:
    await asked(teams, place(), channelData=data(id=CHANNEL))
    removed = OURS if event == "teamMemberRemoved" else []
    told = await happened(teams, conversation=GENERAL, channelData=data(event), membersRemoved=removed)
    assert why in told
    assert "Your run there goes on" in told
    assert "pestle runs" in told


async def test_a_channel_that_is_deleted_and_an_app_that_is_taken_away_are_told_of(teams: Teams) -> None:
    await asked(teams, place(), channelData=data(id=CHANNEL))
    gone = data("channelDeleted", id=CHANNEL, name="Kidney")
    assert "The channel Kidney was deleted" in await happened(teams, conversation=GENERAL, channelData=gone)
    told = await happened(
        teams, "installationUpdate", action="remove", conversation=GENERAL, channelData=data()
    )
    assert "taken out of the team Tox" in told


async def test_a_group_that_the_bot_is_taken_out_of_is_told_of(teams: Teams) -> None:
    group = chat("19:g@thread.v2", "groupChat")
    await asked(teams, group)
    told = await happened(
        teams, conversation=group, membersRemoved=OURS, channelData={"tenant": {"id": "t1"}}
    )
    assert "taken out of the chat" in told


@pytest.mark.parametrize(
    "told",
    [
        {"membersRemoved": [{"id": "29:bob"}], "channelData": data("teamMemberRemoved")},
        {"channelData": data("teamRenamed")},
        {"channelData": data("channelDeleted", id="19:other@thread.tacv2", name="Other")},
        {"membersAdded": [{"id": "29:bob"}], "channelData": data("teamMemberAdded")},
    ],
)
async def test_what_concerns_others_is_told_to_nobody(teams: Teams, told: dict[str, Any]) -> None:
    await asked(teams, place(), channelData=data(id=CHANNEL))
    assert await happened(teams, conversation=GENERAL, **told) == ""


async def test_another_team_is_none_of_theirs(teams: Teams) -> None:
    await asked(teams, place(), channelData=data(id=CHANNEL))
    other = {"tenant": {"id": "t1"}, "team": {"id": "19:o@thread.tacv2"}, "eventType": "teamArchived"}
    assert await happened(teams, conversation=GENERAL, channelData=other) == ""


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
