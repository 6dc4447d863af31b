"""Slack's requests through the front door, signed as Slack signs them."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio
from starlette.applications import Starlette
from starlette.responses import JSONResponse

from adapters.door import LARGEST_BODY
from adapters.slack.calls import slack_client
from adapters.slack.platform import SlackPlatform
from adapters.slack.serve import slack_routes
from agents.runs.records import RunState, StepRecord
from agents.usage import Usage
from bot.cards import ending_cards, notice_card
from bot.delivery import Pump
from bot.digests.values import PINS, Pin
from bot.values import ThreadRef
from tests.adapters.slack.ears import ear_of
from tests.adapters.slack.far_end import BOT_USER, TOKEN, FarEnd, far_end
from tests.adapters.slack.sender import SECRET, Sender
from tests.bot.test_intake import ANSWER
from tests.bot.world import World
from tests.support.archive import question_in


class Slack(Sender):
    """Slack's side, with what it reaches."""

    def __init__(self, client: httpx.AsyncClient, end: FarEnd, world: World) -> None:
        super().__init__(client)
        self.end = end
        self.world = world

    async def questions(self) -> list[str]:
        return [question_in(record).text for record in await self.world.ledger.runs()]


@pytest_asyncio.fixture
async def slack() -> AsyncIterator[Slack]:
    world = World()
    async with far_end() as end:
        app = Starlette(routes=slack_routes(ear_of(end, world), SECRET))
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://bot") as client:
            yield Slack(client, end, world)


async def test_a_mention_is_acknowledged_and_becomes_one_run(slack: Slack) -> None:
    text = f"<@{BOT_USER}> What was the NOAEL?"
    answers = [await slack.event(text=text, retry=retry) for retry in range(3)]
    answers.append(await slack.event(type="app_mention", text=text))
    assert [answer.status_code for answer in answers] == [200] * 4
    (record,) = await slack.world.ledger.runs()
    assert record.thread_id == "slack:C1:10.1"
    assert await slack.questions() == ["What was the NOAEL?"]


async def test_a_wrong_signature_changes_nothing(slack: Slack) -> None:
    body = json.dumps({"type": "event_callback", "event": {"type": "app_mention"}})
    assert (await slack.send(body, secret="wrong")).status_code == 401
    assert (await slack.send(body, age=600)).status_code == 401
    assert await slack.questions() == []


async def test_the_address_is_verified(slack: Slack) -> None:
    body = json.dumps({"type": "url_verification", "challenge": "c-123"})
    answer = await slack.send(body)
    assert (answer.status_code, "c-123" in answer.text) == (200, True)


async def test_replies_are_heard_only_in_threads_where_the_bot_takes_part(slack: Slack) -> None:
    await slack.event(text=f"<@{BOT_USER}> What was the NOAEL?")
    await slack.event(text="And in dogs?", ts="10.2", thread_ts="10.1")
    await slack.event(text="Lunch?", ts="20.2", thread_ts="20.1")
    assert await slack.questions() == ["And in dogs?", "What was the NOAEL?"]


async def test_a_reply_below_a_card_of_the_channel_needs_no_mention(slack: Slack) -> None:
    channel, card = ThreadRef("slack", "C1", ""), notice_card("New documents (1)")
    await slack.world.outbox.put(channel, "digest:1:2026-03-27", card)
    platform = SlackPlatform(slack_client(TOKEN, slack.end.url))
    await Pump(slack.world.outbox, slack.world.ledger, [platform], owner="pump").drain()
    (stamp,) = slack.end.messages
    await slack.event(text="<@U2> have a look", ts="90.2", thread_ts=stamp)
    await slack.event(text="What was the NOAEL?", ts="90.3", thread_ts=stamp)
    assert await slack.questions() == ["What was the NOAEL?"]
    (record,) = await slack.world.ledger.runs()
    assert record.thread_id == f"slack:C1:{stamp}"


async def test_the_bots_own_messages_are_not_heard(slack: Slack) -> None:
    await slack.event(text=f"<@{BOT_USER}> What was the NOAEL?")
    answer = await slack.event(text="the answer", user=BOT_USER, ts="10.2", thread_ts="10.1")
    assert answer.status_code == 200
    assert len(await slack.questions()) == 1


async def test_a_button_press_is_acknowledged_and_acted_on(slack: Slack) -> None:
    await slack.event(text=f"<@{BOT_USER}> What was the NOAEL?")
    (record,) = await slack.world.ledger.runs()
    assert (await slack.press("stop:0", record.run_id)).status_code == 200
    assert await slack.world.ledger.stop_requested(record.run_id) == "stopped on request"


async def test_a_failure_to_write_the_question_down_lets_slack_send_it_again(slack: Slack) -> None:
    ledger, kept = slack.world.ledger, slack.world.conversations
    start = kept.start

    async def failing(*written: Any) -> Any:
        raise OSError("the database is away")

    kept.start = failing  # type: ignore[method-assign]
    text = f"<@{BOT_USER}> What was the NOAEL?"
    assert (await slack.event(text=text)).status_code == 500
    kept.start = start  # type: ignore[method-assign]
    assert (await slack.event(text=text, retry=1)).status_code == 200
    (record,) = await ledger.runs(thread_id=ThreadRef("slack", "C1", "10.1").thread_id)
    assert record.state is RunState.QUEUED


@pytest.mark.parametrize("error", ["internal_error", "ratelimited"])
async def test_an_event_that_comes_while_slack_is_away_is_sent_again_by_slack(
    slack: Slack, error: str
) -> None:
    slack.end.answers = [JSONResponse({"ok": False, "error": error})]
    text = f"<@{BOT_USER}> What was the NOAEL?"
    assert (await slack.event(text=text)).status_code == 500
    assert (await slack.event(text=text, retry=1)).status_code == 200
    assert await slack.questions() == ["What was the NOAEL?"]


async def test_events_of_no_concern_are_acknowledged(slack: Slack) -> None:
    assert (await slack.event(type="reaction_added")).status_code == 200
    assert (await slack.event(subtype="channel_join", text="joined")).status_code == 200


async def test_what_is_no_slack_request_is_refused(slack: Slack) -> None:
    assert (await slack.send(b"\xff\xfe")).status_code == 400
    assert (await slack.send(b"x" * (LARGEST_BODY + 1))).status_code == 413
    assert (await slack.client.get("/slack/events")).status_code == 405


MENTION = f"<@{BOT_USER}> What was the NOAEL?"


@pytest.mark.parametrize(
    "sent",
    [
        {"team": "T2"},
        {"user_team": "T2"},
        {"team": "T1", "source_team": "T2"},
        {"shared": True},
        {"of": "T2"},
    ],
    ids=str,
)
async def test_who_writes_from_another_organisation_is_acknowledged_refused_and_told(
    slack: Slack, sent: dict[str, Any]
) -> None:
    assert (await slack.event(text=MENTION, **sent)).status_code == 200
    assert await slack.questions() == []
    item = await slack.world.outbox.claim("pump", ("slack",), 1)
    assert item is not None
    assert "another organisation" in item.card.text


async def test_people_of_our_own_are_heard_with_their_team_named(slack: Slack) -> None:
    assert (await slack.event(text=MENTION, team="T1", user_team="T1")).status_code == 200
    assert await slack.questions() == ["What was the NOAEL?"]


async def test_foreign_talk_in_a_thread_of_ours_is_neither_heard_nor_answered(slack: Slack) -> None:
    await slack.event(text=MENTION)
    await slack.event(text="And in dogs?", ts="10.2", thread_ts="10.1", user="U9", team="T2")
    assert await slack.questions() == ["What was the NOAEL?"]
    item = await slack.world.outbox.claim("pump", ("slack",), 1)
    assert item is not None
    assert item.slot.startswith("progress:")
    await slack.world.outbox.delivered(item, "1.0")
    assert await slack.world.outbox.claim("pump", ("slack",), 1) is None


@pytest.mark.parametrize("team", ["T2", ""])
async def test_a_button_pressed_from_another_organisation_does_nothing(slack: Slack, team: str) -> None:
    await slack.event(text=MENTION)
    (record,) = await slack.world.ledger.runs()
    assert (await slack.press("stop:0", record.run_id, team=team)).status_code == 200
    assert await slack.world.ledger.stop_requested(record.run_id) == ""


PATHS = ("/slack/events", "/slack/commands", "/slack/interactive")
BODIES = {
    "event": json.dumps(
        {"type": "event_callback", "team_id": "T1", "event": {"type": "app_mention", "channel": "C1"}}
    ),
    "command": "command=%2Fpestle&text=why&user_id=U1&team_id=T1&channel_id=C1&trigger_id=1.2",
}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
async def test_a_forged_a_stale_and_a_replayed_request_is_401_at_every_address(
    slack: Slack, path: str, body: str
) -> None:
    forged = await slack.send(body, secret="wrong", path=path)
    stale = await slack.send(body, age=600, path=path)
    early = await slack.send(body, age=-600, path=path)
    bare = await slack.client.post(path, content=body)
    assert [answer.status_code for answer in (forged, stale, early, bare)] == [401] * 4
    assert await slack.world.ledger.runs() == []
    assert slack.world.queue.run_ids == []


async def private(slack: Slack) -> list[dict[str, Any]]:
    pump = Pump(slack.world.outbox, slack.world.ledger, [platform(slack)], owner="p")
    await pump.drain()
    return slack.end.private


def platform(slack: Slack) -> SlackPlatform:
    return SlackPlatform(slack_client(TOKEN, slack.end.url))


async def drained(slack: Slack) -> list[dict[str, Any]]:
    await Pump(slack.world.outbox, slack.world.ledger, [platform(slack)], owner="p").drain()
    return list(slack.end.messages.values())


async def asked(slack: Slack, text: str = MENTION) -> str:
    await slack.event(text=text)
    return (await slack.world.ledger.runs())[0].run_id


async def answered(slack: Slack) -> str:
    """A run in the thread 10.1 that is over, its answer shown."""
    run_id = await asked(slack)
    await show_answer(slack, run_id)
    return run_id


async def show_answer(slack: Slack, run_id: str) -> None:
    await slack.world.finish(run_id, ANSWER)
    record = await slack.world.ledger.run(run_id)
    assert record is not None
    view = await slack.world.views.of(record)
    for slot, card in ending_cards(view):
        await slack.world.outbox.put(ThreadRef.parse(record.thread_id), slot, card)
    await drained(slack)


async def test_a_command_is_answered_to_who_wrote_it_alone(slack: Slack) -> None:
    answer = await slack.command("What was the NOAEL?")
    assert answer.json()["response_type"] == "ephemeral"
    assert await slack.questions() == ["What was the NOAEL?"]
    shown = await private(slack)
    assert {(one["user"], one["channel"]) for one in shown} == {("U1", "C1")}
    assert slack.end.messages == {}


async def test_a_bare_command_is_a_call_for_help(slack: Slack) -> None:
    await slack.command("")
    assert "What I can do" in str(await private(slack))


async def test_a_command_from_another_organisation_is_refused_and_told(slack: Slack) -> None:
    answer = await slack.command("What was the NOAEL?", team="T2")
    assert await slack.questions() == []
    assert "another organisation" in answer.text
    assert slack.end.private == []


async def test_a_command_that_cannot_be_written_down_is_told_at_once(slack: Slack) -> None:
    async def failing(*written: Any) -> Any:
        raise OSError("the database is away")

    slack.world.conversations.start = failing  # type: ignore[method-assign]
    answer = await slack.command("What was the NOAEL?")
    assert (answer.status_code, "try once more" in answer.json()["text"]) == (200, True)


async def test_a_private_answer_is_shared_into_a_thread_of_its_own(slack: Slack) -> None:
    await slack.command("What was the NOAEL?")
    run_id = (await slack.world.ledger.runs())[0].run_id
    await show_answer(slack, run_id)
    assert '"Share"' in json.dumps(slack.end.private)
    container = {"is_ephemeral": True, "message_ts": "99.0"}
    await slack.press("share:0", run_id, message=None, container=container)
    root, answer = await drained(slack)
    assert root["text"] == "<@U1> asked: What was the NOAEL?"
    assert answer["thread_ts"] == root["ts"]
    await slack.event(text="And in dogs?", ts="50.2", thread_ts=root["ts"])
    assert await slack.questions() == ["And in dogs?", "What was the NOAEL?"]


async def test_nobody_shares_what_another_was_shown(slack: Slack) -> None:
    await slack.command("What was the NOAEL?", user="U2")
    run_id = (await slack.world.ledger.runs())[0].run_id
    await show_answer(slack, run_id)
    await slack.press("share:0", run_id, message=None, container={"is_ephemeral": True, "message_ts": "9.0"})
    assert await drained(slack) == []
    assert "Only who asked" in slack.end.private[-1]["text"]


async def test_a_citation_opens_its_passage_in_a_modal(slack: Slack) -> None:
    run_id = await answered(slack)
    shown = len(await drained(slack))
    await slack.press("cite:0", f"{run_id} 1", chosen=True)
    (opened,) = slack.end.views
    assert "NOAEL 5 mg/kg" in json.dumps(opened["view"])
    assert len(await drained(slack)) == shown


async def test_sources_are_posted_where_no_modal_opens(slack: Slack) -> None:
    run_id = await answered(slack)
    slack.end.answers = [JSONResponse({"ok": False, "error": "expired_trigger_id"})]
    await slack.press("sources:4", run_id)
    assert slack.end.views == []
    assert "NOAEL 5 mg/kg" in str((await drained(slack))[-1])


async def test_a_message_shortcut_checks_a_claim_for_who_took_it_alone(slack: Slack) -> None:
    await slack.shortcut("check_claim", "The NOAEL was 5 mg/kg &amp; safe.")
    (opened,) = slack.end.views
    assert "The NOAEL was 5 mg/kg & safe." in json.dumps(opened["view"])
    assert (await slack.submit(opened["view"], "The NOAEL was 5 mg/kg.")).text == ""
    (question,) = await slack.questions()
    assert question.endswith("The NOAEL was 5 mg/kg.")
    (record,) = await slack.world.ledger.runs()
    assert ThreadRef.parse(record.thread_id) == ThreadRef("slack", "C1", "10.1").seen_only_by("U1")


async def test_a_section_is_refined_by_the_shortcut_on_its_message(slack: Slack) -> None:
    run_id = await answered(slack)
    stamp = (await drained(slack))[-1]["ts"]
    await slack.shortcut("refine_section", ts=stamp, bot_id="BBOT")
    (opened,) = slack.end.views
    assert opened["view"]["callback_id"] == "revise"
    await slack.submit(opened["view"], "shorter")
    assert "Trace id" in str((await drained(slack))[-1])
    assert run_id


async def test_the_shortcut_on_another_message_says_what_it_is_for(slack: Slack) -> None:
    await slack.shortcut("refine_section", ts="77.7")
    assert "shows no section" in json.dumps(slack.end.views[0]["view"])


async def test_an_empty_field_is_told_beside_it(slack: Slack) -> None:
    await slack.shortcut("check_claim", "A claim.")
    answer = await slack.submit(slack.end.views[0]["view"], "  ")
    assert answer.json() == {"response_action": "errors", "errors": {"said": "Write something here."}}
    assert await slack.questions() == []


async def test_a_modal_whose_memory_was_lost_does_nothing(slack: Slack) -> None:
    for memory in ("", "{not json", "[]", '{"channel": ""}'):
        view = {"callback_id": "check", "private_metadata": memory}
        answer = await slack.submit(view, "A claim.")
        assert "too old" in answer.json()["errors"]["said"]
    assert await slack.questions() == []


async def test_the_home_lists_a_persons_own_runs_and_asks_from_there(slack: Slack) -> None:
    await answered(slack)
    await slack.event(type="app_home_opened", user="U1", channel="D1", tab="home")
    await slack.event(type="app_home_opened", user="U2", channel="D2", tab="home")
    mine, theirs = (json.dumps(published["view"]) for published in slack.end.views)
    assert "What was the NOAEL?" in mine
    assert "5 mg/kg" in mine
    assert "What was the NOAEL?" not in theirs
    assert "minutes" in mine
    await slack.press(
        "home_ask", "", channel=None, message=None, view={"type": "home", "private_metadata": "{}"}
    )
    await slack.submit(slack.end.views[-1]["view"], "What was the highest dose?")
    assert (await slack.questions())[0] == "What was the highest dose?"
    (begun,) = [one for one in await drained(slack) if one["channel"] == "U1"][:1]
    assert begun["text"] == "You asked: What was the highest dose?"


async def test_slacks_own_stop_ends_what_runs_in_the_thread(slack: Slack) -> None:
    run_id = await asked(slack)
    stopped = {"type": "agent_session_stopped", "thread_ts": "10.1", "event_ts": "12.1", "text": None}
    await slack.event(**stopped)
    assert await slack.world.ledger.stop_requested(run_id) == "stopped on request"
    assert slack.end.statuses[-1]["status"] == "active"


async def test_an_emoji_on_an_answer_is_a_reaction_to_it(slack: Slack) -> None:
    run_id = await answered(slack)
    stamp = (await drained(slack))[-1]["ts"]
    item = {"type": "message", "channel": "C1", "ts": stamp}
    thumb = {"reaction": "+1", "item": item, "event_ts": "13.1", "ts": None, "channel": None}
    await slack.event(type="reaction_added", **thumb)
    assert [one.verdict for one in await slack.world.conversations.feedback(run_id)] == ["up"]
    await slack.event(type="reaction_added", **thumb | {"item": item | {"ts": "77.7"}})


async def test_a_deleted_question_stops_its_run(slack: Slack) -> None:
    run_id = await asked(slack)
    before = {"ts": "10.1", "user": "U1", "text": MENTION}
    await slack.event(subtype="message_deleted", deleted_ts="10.1", previous_message=before, user=None)
    assert await slack.world.ledger.stop_requested(run_id) == "the question was deleted"


async def test_a_root_that_leaves_a_tombstone_is_deleted_too(slack: Slack) -> None:
    run_id = await asked(slack)
    before = {"ts": "10.1", "user": "U1", "text": MENTION}
    tombstone = {"ts": "10.1", "user": "USLACKBOT", "subtype": "tombstone", "text": "deleted"}
    changed = {"subtype": "message_changed", "previous_message": before, "message": tombstone, "user": None}
    await slack.event(**changed)
    assert await slack.world.ledger.stop_requested(run_id) == "the question was deleted"


async def test_an_edited_question_is_asked_about_and_a_preview_is_no_edit(slack: Slack) -> None:
    await asked(slack)
    before = {"ts": "10.1", "user": "U1", "text": MENTION}
    changed = {"subtype": "message_changed", "previous_message": before, "user": None}
    await slack.event(**changed, message=before)
    assert "edited" not in str(await drained(slack))
    await slack.event(**changed, message={**before, "text": f"{MENTION} In dogs?"})
    assert "Ask it as it reads now" in str((await drained(slack))[-1])


async def test_a_file_without_words_is_asked_about_and_never_taken_in_silence(slack: Slack) -> None:
    files = [{"id": "F1", "name": "study 9.pdf"}]
    for _ in range(2):
        await slack.event(subtype="file_share", channel_type="im", channel="D1", files=files)
    (told,) = await drained(slack)
    assert "You sent study 9.pdf. Nothing was done with it yet." in str(told["blocks"])
    assert await slack.questions() == []


async def test_what_is_chosen_for_a_file_is_done_in_its_card(slack: Slack) -> None:
    files = [{"id": "F1", "name": "study 9.pdf"}]
    await slack.event(subtype="file_share", text=MENTION.split()[0], files=files)
    await slack.press("archive_leave", "files:slack:C1.1.0:0 F1 study 9.pdf", thread_ts=None)
    assert await slack.questions() == []
    assert "was left out" in str(await drained(slack))


async def test_a_question_with_a_file_is_answered_and_the_file_asked_about(slack: Slack) -> None:
    await slack.event(subtype="file_share", text=MENTION, files=[{"id": "F1", "name": "study 9.pdf"}])
    assert await slack.questions() == ["What was the NOAEL?"]
    assert "study 9.pdf" in str(await drained(slack))


async def test_the_home_tells_what_the_latest_questions_took(slack: Slack) -> None:
    run_id = await answered(slack)
    at = "2026-11-22T00:00:00+00:00"
    step = StepRecord(run_id, "research", "h", "{}", at, 1.0, usage=Usage(1_200, 34, 0.25))
    await slack.world.ledger.save_step(step)
    await slack.event(type="app_home_opened", user="U1", channel="D1", tab="home")
    await slack.event(type="app_home_opened", user="U2", channel="D2", tab="home")
    mine, theirs = (json.dumps(published["view"]) for published in slack.end.views)
    assert f"Your latest questions took {step.usage.tokens:,} tokens, US$ 0.25." in mine
    assert "questions took" not in theirs


async def test_the_home_has_the_questions_that_a_person_pinned(slack: Slack) -> None:
    for by, asked in (("U1", "What is new on AB-123?"), ("U2", "What is new on CD-9?")):
        pin = Pin(f"r{by}", "archive", "{}", asked, by, "2026-11-22T00:00:00+00:00")
        await PINS.add(slack.world.conversations, ThreadRef("slack", "C1", "1.0"), pin)
    await slack.event(type="app_home_opened", user="U1", channel="D1", tab="home")
    (home,) = slack.end.views
    assert "What is new on AB-123?" in json.dumps(home)
    assert "CD-9" not in json.dumps(home)
    await slack.press(
        "home_ask:0", "What is new on AB-123?", channel=None, message=None, view={"type": "home"}
    )
    assert "What is new on AB-123?" in json.dumps(slack.end.views[-1]["view"])
