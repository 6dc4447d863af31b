"""What is for one person alone: in their chat with the bot, and before everybody once they share it."""

from typing import Any

import pytest
from starlette.responses import JSONResponse, Response

from adapters.teams.platform import ALONE, GO_ON
from bot.cards import ending_cards
from bot.errors import DeliveryDelayed, DeliveryHindered
from bot.ports import ShowsFiles, ShowsPrivately
from bot.values import ThreadRef
from tests.adapters.teams.conftest import Teams
from tests.adapters.teams.sender import CHANNEL, chat
from tests.adapters.teams.test_platform import SHORT
from tests.adapters.teams.test_render import found, words
from tests.bot.test_intake import ANSWER

CHAT = "a:with-29:ada"
THREAD = f"{CHANNEL};messageid=100"
OUT = {"error": {"code": "BotNotInConversationRoster", "message": "The bot is not part of this."}}


async def ask(teams: Teams, question: str = "What was the NOAEL?", **told: Any) -> str:
    """The command "Ask alone"; returns what Teams shows at once."""
    value = {"commandId": "askAlone", "commandContext": "compose", "data": {"question": question}}
    asked = teams.activity("invoke", name="composeExtension/submitAction", value=value)
    answer = await teams.send(asked | told)
    assert answer.status_code == 200
    return str(answer.json()["task"]["value"])


async def answered(teams: Teams, **told: Any) -> str:
    """A question that was asked alone and answered; returns its run."""
    await ask(teams, **told)
    (record,) = await teams.world.ledger.runs()
    await teams.pump.drain()
    await teams.world.finish(record.run_id, ANSWER)
    thread = ThreadRef.parse(record.thread_id)
    for slot, card in ending_cards(await teams.world.views.by_id(record.run_id)):
        await teams.world.outbox.put(thread, slot, card)
    await teams.pump.drain()
    return record.run_id


def shown(teams: Teams) -> list[str]:
    return [conversation for conversation, _ in teams.end.messages]


async def press(teams: Teams, action: str, value: str, **told: Any) -> None:
    """A button in the chat of the person with the bot."""
    pressed = {
        "action": {"type": "Action.Execute", "verb": action, "data": {"action": action, "value": value}}
    }
    invoke = teams.activity("invoke", name="adaptiveCard/action", value=pressed, conversation=chat(CHAT))
    assert (await teams.send(invoke | told)).status_code == 200
    await teams.pump.drain()


def test_the_platform_shows_files_and_privately(teams: Teams) -> None:
    assert isinstance(teams.ear.platform, ShowsPrivately)
    assert isinstance(teams.ear.platform, ShowsFiles)


async def test_what_is_asked_alone_is_shown_in_a_chat_that_is_opened_and_nowhere_else(teams: Teams) -> None:
    run_id = await answered(teams)
    assert set(shown(teams)) == {CHAT}
    told = words(teams.end.shown(CHAT))
    assert ALONE in told
    assert GO_ON in told
    assert [
        one["data"] for one in found(teams.end.shown(CHAT), "Action.Execute") if one["verb"] == "share"
    ] == [{"action": "share", "value": run_id}]


async def test_a_chat_that_is_known_is_written_to_and_none_is_opened(teams: Teams) -> None:
    await teams.say("help", conversation=chat("a:known"))
    await answered(teams)
    assert set(shown(teams)) == {"a:known"}
    assert ("POST", "") not in teams.end.calls


async def test_a_chat_is_known_after_a_restart(teams: Teams) -> None:
    await teams.say("help", conversation=chat("a:known"))
    kept = type(teams.ear.places)(teams.world.conversations)
    person = await kept.person("ada-1")
    assert person is not None
    assert (person.chat, person.member) == ("a:known", "29:ada")


async def test_of_who_only_talks_to_others_nothing_is_kept(teams: Teams) -> None:
    await teams.say("Lunch?")
    assert await teams.ear.places.person("ada-1") is None
    await teams.say()
    assert await teams.ear.places.person("ada-1") is not None


async def test_who_cannot_be_written_to_alone_is_told_at_once_and_nothing_is_looked_up(teams: Teams) -> None:
    teams.end.answers = [JSONResponse(OUT, 403)]
    assert "Add it for yourself" in await ask(teams)
    assert await teams.questions() == []
    assert "into your chat" in await ask(teams)


async def test_a_private_answer_is_shared_into_its_thread(teams: Teams) -> None:
    run_id = await answered(teams)
    await press(teams, "share", run_id)
    assert THREAD in shown(teams)
    assert "stands in the channel now" in words(teams.end.shown(CHAT))
    record = await teams.world.ledger.run(run_id)
    assert record is not None
    assert ThreadRef.parse(record.thread_id) == ThreadRef("teams", CHANNEL, "100")
    await press(teams, "share", run_id)
    assert "shared already" in words(teams.end.shown(CHAT))


async def test_shared_beside_no_thread_it_begins_one(teams: Teams) -> None:
    whole = {"id": CHANNEL, "conversationType": "channel", "tenantId": "t1"}
    run_id = await answered(teams, conversation=whole)
    await press(teams, "share", run_id)
    (root,) = teams.end.shown(CHANNEL)
    assert root["text"] == "Asked: What was the NOAEL?"
    message_id = next(name for (place_, name) in teams.end.messages if place_ == CHANNEL)
    assert f"{CHANNEL};messageid={message_id}" in shown(teams)


@pytest.mark.parametrize("status", [403, 404])
async def test_a_conversation_that_the_bot_is_no_member_of_gets_nothing_and_that_is_said(
    teams: Teams, status: int
) -> None:
    run_id = await answered(teams)
    teams.end.answers = [JSONResponse(OUT, status)]
    await press(teams, "share", run_id)
    assert THREAD not in shown(teams)
    assert "no member of that conversation" in words(teams.end.shown(CHAT))


async def test_nobody_else_shares_it(teams: Teams) -> None:
    run_id = await answered(teams)
    other = {"from": {"id": "29:bob", "aadObjectId": "bob-1"}}
    await press(teams, "share", run_id, conversation=chat("a:bob"), **other)
    assert THREAD not in shown(teams)
    assert "Only who asked" in words(teams.end.shown("a:bob"))


async def test_the_other_buttons_of_a_private_answer_work_in_the_chat(teams: Teams) -> None:
    run_id = await answered(teams)
    await press(teams, "sources", f"{run_id} 1")
    assert "NOAEL 5 mg/kg" in words(teams.end.shown(CHAT)[-1:])
    await press(teams, "feedback", f"{run_id} up")
    (given,) = await teams.world.conversations.feedback(run_id)
    assert (given.user, given.verdict) == ("ada-1", "up")


async def test_an_export_of_a_private_answer_is_a_download_in_the_chat(teams: Teams) -> None:
    run_id = await answered(teams)
    await press(teams, "export", f"{run_id} md")
    (opened,) = [one for one in found(teams.end.shown(CHAT), "Action.OpenUrl") if "/exports/" in one["url"]]
    answer = await teams.client.get(opened["url"].removeprefix("https://pestle.lab"))
    assert answer.status_code == 200


async def test_asked_alone_with_the_bot_it_is_an_ordinary_question(teams: Teams) -> None:
    await ask(teams, conversation=chat("a:known"))
    (record,) = await teams.world.ledger.runs()
    assert ThreadRef.parse(record.thread_id) == ThreadRef("teams", "a:known", "chat")


async def test_a_chat_of_two_people_is_none_with_the_bot(teams: Teams) -> None:
    two = chat("19:ada_bob@unq.gbl.spaces")
    await ask(teams, conversation=two)
    await teams.pump.drain()
    assert set(shown(teams)) == {CHAT}


async def test_nothing_is_asked_without_a_question(teams: Teams) -> None:
    assert "no text" in await ask(teams, "  ")
    assert await teams.questions() == []


async def test_teams_that_is_busy_when_a_chat_is_opened_is_asked_again(teams: Teams) -> None:
    await teams.say()
    await teams.ear.platform.settle()
    teams.end.answers = [Response(status_code=429, headers={"Retry-After": "7"})]
    with pytest.raises(DeliveryDelayed):
        await teams.ear.platform.show_privately(ThreadRef("teams", CHANNEL, "100"), "ada-1", SHORT)
    await teams.ear.platform.show_privately(ThreadRef("teams", CHANNEL, "100"), "ada-1", SHORT)
    assert shown(teams) == [CHAT]


async def test_who_never_spoke_to_the_bot_is_waited_for(teams: Teams) -> None:
    with pytest.raises(DeliveryHindered, match="has not spoken"):
        await teams.ear.platform.show_privately(ThreadRef("teams", CHANNEL, "100"), "eve-1", SHORT)
