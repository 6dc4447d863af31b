"""Activities of Teams through the front door: heard once, acted on, told to who may not."""

from typing import Any

import pytest

from adapters.door import LARGEST_BODY
from adapters.teams.inbound import Activity
from adapters.teams.places import Reference
from adapters.teams.whence import origin_of
from bot.access import Access
from bot.cards import ending_cards
from bot.values import Incoming, ThreadRef
from tests.adapters.teams.conftest import Teams
from tests.adapters.teams.sender import BOT, CHANNEL, MENTION, chat, place
from tests.adapters.teams.test_render import words
from tests.bot.test_intake import ANSWER

THREAD = ThreadRef("teams", "19:abc@thread.tacv2", "100")


async def test_a_mention_is_acknowledged_and_becomes_one_run_however_often_it_comes(teams: Teams) -> None:
    answers = [await teams.say(id="m1") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200] * 3
    (record,) = await teams.world.ledger.runs()
    assert ThreadRef.parse(record.thread_id) == THREAD
    assert record.asked_by == "ada-1"
    assert await teams.questions() == ["What was the NOAEL?"]


async def test_a_chat_with_the_bot_needs_no_mention(teams: Teams) -> None:
    await teams.say("What was the NOAEL?", conversation=chat())
    (record,) = await teams.world.ledger.runs()
    assert ThreadRef.parse(record.thread_id) == ThreadRef("teams", "a:1", "chat")


async def test_a_group_is_heard_only_where_it_mentions_the_bot(teams: Teams) -> None:
    group = chat("19:g@thread.v2", "groupChat")
    await teams.say(conversation=group)
    await teams.say("Shall we have lunch?", conversation=group)
    assert await teams.questions() == ["What was the NOAEL?"]


async def test_replies_are_heard_without_a_mention_in_threads_where_the_bot_takes_part(teams: Teams) -> None:
    await teams.say()
    await teams.say("And in dogs?")
    await teams.say("Lunch?", conversation=place("200"))
    await teams.say("<at>Bob</at> what do you think?")
    assert await teams.questions() == ["And in dogs?", "What was the NOAEL?"]


async def test_a_first_message_begins_a_thread_of_its_own(teams: Teams) -> None:
    await teams.say(id="300", conversation=place("300"))
    (record,) = await teams.world.ledger.runs()
    assert ThreadRef.parse(record.thread_id).thread == "300"


@pytest.mark.parametrize("submit", [False, True])
async def test_a_button_is_answered_and_acted_on(teams: Teams, submit: bool) -> None:
    await teams.say()
    (record,) = await teams.world.ledger.runs()
    answer = await teams.press("stop", record.run_id, submit=submit)
    assert answer.status_code == 200
    assert submit or answer.json()["statusCode"] == 200
    assert await teams.world.ledger.stop_requested(record.run_id) == "stopped on request"


async def test_a_judgement_of_a_message_is_kept_with_its_run_and_comment(teams: Teams) -> None:
    await teams.say()
    (record,) = await teams.world.ledger.runs()
    run_id = record.run_id
    await teams.world.finish(run_id, ANSWER)
    for slot, card in ending_cards(await teams.world.views.by_id(run_id)):
        await teams.world.outbox.put(THREAD, slot, card)
    item = await teams.world.outbox.claim("pump", ("teams",), 1)
    while item is not None:
        await teams.world.outbox.delivered(item, f"m-{item.slot}")
        item = await teams.world.outbox.claim("pump", ("teams",), 1)
    given = {"reaction": "dislike", "feedback": '{"feedbackText": "the wrong species"}'}
    value = {"actionName": "feedback", "actionValue": given}
    judged = teams.activity(
        "invoke", name="message/submitAction", value=value, replyToId=f"m-answer:{run_id}"
    )
    assert (await teams.send(judged)).status_code == 200
    (feedback,) = await teams.world.conversations.feedback(run_id)
    assert (feedback.verdict, feedback.comment, feedback.user) == ("down", "the wrong species", "ada-1")


async def test_a_judgement_of_a_message_that_is_none_of_ours_is_no_failure(teams: Teams) -> None:
    value = {"actionName": "feedback", "actionValue": {"reaction": "like", "feedback": "{}"}}
    judged = teams.activity("invoke", name="message/submitAction", value=value, replyToId="m9")
    assert (await teams.send(judged)).status_code == 200


async def test_who_writes_from_another_organisation_is_refused_and_told(teams: Teams) -> None:
    foreign: dict[str, Any] = {"channelData": {"tenant": {"id": "t2"}}}
    assert (await teams.say(**foreign)).status_code == 200
    assert await teams.questions() == []
    item = await teams.world.outbox.claim("pump", ("teams",), 1)
    assert item is not None
    assert "another organisation" in item.card.text


@pytest.mark.parametrize("action", ["ask", "press", "alone"])
async def test_who_has_no_account_in_a_directory_is_refused_whatever_they_do(
    teams: Teams, action: str
) -> None:
    nobody = {"from": {"id": "29:meeting-guest", "name": "Ada"}}
    if action == "ask":
        await teams.say(**nobody)
    elif action == "press":
        await teams.send(teams.activity(value={"action": "ask", "value": "x What was the NOAEL?"}) | nobody)
    else:
        value = {"commandId": "askAlone", "data": {"question": "What was the NOAEL?"}}
        asked = teams.activity("invoke", name="composeExtension/submitAction", value=value) | nobody
        assert "You may not ask" in (await teams.send(asked)).json()["task"]["value"]
    assert await teams.questions() == []
    item = await teams.world.outbox.claim("pump", ("teams",), 1)
    assert action == "alone" or (item is not None and "another organisation" in item.card.text)


async def test_tenants_that_are_named_may_ask_and_no_others() -> None:
    access = Access(teams=("t1", "t2"))
    for tenant, may in (("t1", True), ("t2", True), ("t3", False)):
        told = {"type": "message", "id": "1", "from": {"id": "29:a", "aadObjectId": "a"}, "text": "x"}
        activity = Activity.model_validate(told | {"channelData": {"tenant": {"id": tenant}}})
        asked = Incoming("1", THREAD, "a", "x", origin=origin_of(activity, "t1"))
        assert (access.refusal(asked) == "") is may


async def test_a_shared_channel_is_refused(teams: Teams) -> None:
    await teams.say(channelData={"tenant": {"id": "t1"}, "channel": {"id": "19:x", "type": "shared"}})
    assert await teams.questions() == []


async def test_who_begins_a_chat_is_told_what_can_be_asked(teams: Teams) -> None:
    came = teams.activity("conversationUpdate", conversation=chat(), membersAdded=[{"id": BOT}])
    assert (await teams.send(came)).status_code == 200
    item = await teams.world.outbox.claim("pump", ("teams",), 1)
    assert item is not None
    assert item.card.title == "What I can do"


async def test_where_the_bot_is_added_it_says_once_how_it_is_asked(teams: Teams) -> None:
    whole = {"id": CHANNEL, "conversationType": "channel", "tenantId": "t1"}
    came = teams.activity("conversationUpdate", conversation=whole, membersAdded=[{"id": BOT}])
    for _ in range(2):
        assert (await teams.send(came)).status_code == 200
    other = teams.activity("conversationUpdate", conversation=whole, membersAdded=[{"id": "29:bob"}])
    foreign = came | {"id": "9", "channelData": {"tenant": {"id": "t2"}}}
    for told in (other, foreign):
        await teams.send(told)
    await teams.pump.drain()
    (hello,) = teams.end.shown(CHANNEL)
    assert "mention me and ask" in words([hello])
    assert "ChannelMessage.Read.Group" in words([hello])


async def test_a_place_is_known_after_a_restart(teams: Teams) -> None:
    await teams.say(MENTION + " help")
    kept = type(teams.ear.places)(teams.world.conversations)
    assert await kept.find(THREAD) == Reference(teams.service_url, BOT)
    data = {"tenant": {"id": "t1"}, "channel": {"id": CHANNEL}, "team": {"id": "19:team"}}
    await teams.say(MENTION + " help", channelData=data)
    kept = type(teams.ear.places)(teams.world.conversations)
    assert await kept.find(THREAD) == Reference(teams.service_url, BOT, "19:team")
    await teams.say(MENTION + " help", channelData=data | {"channel": {"id": CHANNEL, "type": "shared"}})
    assert await teams.ear.places.find(THREAD) == Reference(teams.service_url, BOT)
    await teams.say(MENTION + " help", conversation=chat("19:group", "groupChat"))
    in_chat = await teams.ear.places.find(ThreadRef("teams", "19:group", "chat"))
    assert in_chat == Reference(teams.service_url, BOT, "19:group")
    assert await kept.find(ThreadRef("teams", "19:other@thread.tacv2", "1")) is None


@pytest.mark.parametrize("kind", ["typing", "event", "endOfConversation", "x" * 400])
async def test_activities_of_no_concern_are_acknowledged(teams: Teams, kind: str) -> None:
    assert (await teams.send(teams.activity(kind, text=7))).status_code == 200


async def test_an_unknown_question_of_teams_has_no_answer(teams: Teams) -> None:
    assert (await teams.send(teams.activity("invoke", name="task/fetch"))).status_code == 501


@pytest.mark.parametrize("body", [b"\xff\xfe", b"[]", b"{", b'{"type": 7}', b"[" * 50_000])
async def test_what_is_no_activity_is_refused(teams: Teams, body: bytes) -> None:
    assert (await teams.send(body)).status_code == 400


async def test_what_is_too_large_is_refused(teams: Teams) -> None:
    assert (await teams.send(b"x" * (LARGEST_BODY + 1))).status_code == 413
    assert (await teams.client.get("/api/messages")).status_code == 405


async def test_a_claim_of_a_message_is_checked_for_who_pointed_at_it(teams: Teams) -> None:
    body = {"contentType": "html", "content": "<p>The NOAEL was&nbsp;5 <b>mg/kg</b>.</p><at>all</at>"}
    value = {"commandId": "checkClaim", "messagePayload": {"id": "100", "body": body}}
    asked = teams.activity("invoke", name="composeExtension/fetchTask", value=value)
    answers = [await teams.send(asked) for _ in range(2)]
    assert all("into your chat" in answer.json()["task"]["value"] for answer in answers)
    (question,) = await teams.questions()
    assert question.endswith("do they support it: The NOAEL was 5 mg/kg. all")


async def test_a_message_without_text_is_told_to_be_none_to_check(teams: Teams) -> None:
    value = {"commandId": "checkClaim", "messagePayload": {"body": {"content": "<img src='x'>"}}}
    asked = teams.activity("invoke", name="composeExtension/fetchTask", value=value)
    assert "no text" in (await teams.send(asked)).json()["task"]["value"]
    assert await teams.questions() == []


async def test_a_deleted_question_stops_its_run_and_an_edited_one_asks(teams: Teams) -> None:
    await teams.say(id="m1")
    (record,) = await teams.world.ledger.runs()
    await teams.send(teams.activity("messageUpdate", id="m1", text="What was the NOAEL in dogs?"))
    await teams.send(teams.activity("messageDelete", id="m1"))
    assert await teams.world.ledger.stop_requested(record.run_id) == "the question was deleted"
    await teams.pump.drain()
    shown = str(teams.end.shown())
    assert "What was the NOAEL in dogs?" in shown
    assert "The question was deleted" in shown


async def test_words_beside_a_button_are_its_wish(teams: Teams) -> None:
    await teams.say()
    (record,) = await teams.world.ledger.runs()
    await teams.press("append", f"{record.run_id} main", words="Dosing lasted 28 days.")
    await teams.pump.drain()
    assert len(teams.end.shown()) == 2
