"""Cards as messages in a Slack thread: posted, edited, found again; Slack's refusals as ours."""

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio
from starlette.responses import JSONResponse, Response

from adapters.slack.calls import connected, slack_client
from adapters.slack.platform import SlackPlatform
from agents.runs.records import RunState
from bot.cards import notice_card
from bot.errors import DeliveryDelayed, DeliveryFailed, DeliveryHindered
from bot.ports import ChatPlatform, FindsPosted
from bot.values import Button, Card, CardKind, Export, OutgoingFile, Source, Step, ThreadRef
from tests.adapters.slack.far_end import FarEnd, far_end

THREAD = ThreadRef("slack", "C1", "9.9")
SHORT = Card(CardKind.ANSWER, text="short", run_id="r1", mark="answer:r1")
LONG = replace(SHORT, text="word " * 5_000)


@pytest_asyncio.fixture
async def slack() -> AsyncIterator[FarEnd]:
    async with far_end() as end:
        yield end


@pytest.fixture
def platform(slack: FarEnd) -> SlackPlatform:
    return SlackPlatform(slack_client("xoxb-test", slack.url))


def test_it_is_a_chat_platform(platform: SlackPlatform) -> None:
    chat: ChatPlatform = platform
    assert isinstance(chat, FindsPosted)


async def test_a_card_is_posted_into_the_thread_and_edited_in_place(
    slack: FarEnd, platform: SlackPlatform
) -> None:
    message_id = await platform.post(THREAD, SHORT)
    await platform.update(THREAD, message_id, replace(SHORT, text="longer"))
    (message,) = slack.messages.values()
    assert (message["channel"], message["thread_ts"], message["text"]) == ("C1", "9.9", "longer")
    assert message["unfurl_links"] is False


async def test_a_long_card_takes_several_messages(slack: FarEnd, platform: SlackPlatform) -> None:
    message_id = await platform.post(THREAD, LONG)
    assert message_id.split() == list(slack.messages)
    assert len(slack.messages) == 3


async def test_a_card_that_grows_and_shrinks_keeps_its_messages(
    slack: FarEnd, platform: SlackPlatform
) -> None:
    message_id = await platform.post(THREAD, SHORT)
    for card, count in ((LONG, 3), (LONG, 3), (SHORT, 1), (LONG, 3)):
        message_id = await platform.update(THREAD, message_id, card)
        assert message_id.split() == list(slack.messages)
        assert len(slack.messages) == count


async def test_a_post_whose_answer_was_lost_is_found_by_its_mark(
    slack: FarEnd, platform: SlackPlatform
) -> None:
    slack.page = 2
    await platform.post(THREAD, replace(notice_card("another"), mark="reply:e1"))
    message_id = await platform.post(THREAD, LONG)
    assert await platform.find(THREAD, LONG) == message_id
    assert await platform.find(THREAD, replace(LONG, mark="answer:r2")) == ""


async def test_without_the_right_to_look_a_card_is_still_posted(
    slack: FarEnd, platform: SlackPlatform
) -> None:
    slack.answers = [JSONResponse({"ok": False, "error": "missing_scope"})]
    assert await platform.find(THREAD, SHORT) == ""


async def test_half_a_post_is_completed(slack: FarEnd, platform: SlackPlatform) -> None:
    *_, last = (await platform.post(THREAD, LONG)).split()
    del slack.messages[last]
    await platform.update(THREAD, await platform.find(THREAD, LONG), LONG)
    assert len(slack.messages) == 3


async def test_a_request_to_wait_carries_the_seconds(slack: FarEnd, platform: SlackPlatform) -> None:
    slack.answers = [JSONResponse({"ok": False, "error": "ratelimited"}, 429, {"Retry-After": "7"})]
    with pytest.raises(DeliveryDelayed, match="wait 7 s") as raised:
        await platform.post(THREAD, SHORT)
    assert raised.value.seconds == 7.0


@pytest.mark.parametrize(
    ("asked", "seconds"), [("nan", 30), ("-5", 1), ("1e12", 3600), ("Wed, 21 Oct 2026 07:28:00 GMT", 30)]
)
async def test_a_wait_of_another_form_is_kept_within_reason(
    slack: FarEnd, platform: SlackPlatform, asked: str, seconds: float
) -> None:
    slack.answers = [Response("slow down", 429, {"Retry-After": asked}, "text/plain")]
    with pytest.raises(DeliveryDelayed) as raised:
        await platform.post(THREAD, SHORT)
    assert raised.value.seconds == seconds


@pytest.mark.parametrize("error", ["invalid_blocks", "msg_too_long"])
async def test_a_card_that_slack_cannot_take_is_refused_for_good(
    slack: FarEnd, platform: SlackPlatform, error: str
) -> None:
    slack.answers = [JSONResponse({"ok": False, "error": error}) for _ in range(2)]
    with pytest.raises(DeliveryFailed, match=error) as raised:
        await platform.post(THREAD, SHORT)
    assert not isinstance(raised.value, DeliveryDelayed | DeliveryHindered)


@pytest.mark.parametrize(
    "answer",
    [
        *(JSONResponse({"ok": False, "error": error}) for error in ("channel_not_found", "token_revoked")),
        JSONResponse({"ok": False, "error": "message_limit_exceeded"}, 403),
        Response("forbidden", 403, media_type="text/plain"),
        Response("<html>forbidden</html>", 403, media_type="text/html"),
        Response("forbidden", 403, media_type="application/json"),
        JSONResponse(["forbidden"], 403),
    ],
)
async def test_what_somebody_can_put_right_only_hinders(
    slack: FarEnd, platform: SlackPlatform, answer: Response
) -> None:
    slack.answers = [answer]
    with pytest.raises(DeliveryHindered):
        await platform.post(THREAD, SHORT)
    await platform.post(THREAD, SHORT)
    assert len(slack.messages) == 1


async def test_a_message_that_somebody_deleted_is_posted_anew(slack: FarEnd, platform: SlackPlatform) -> None:
    message_id = await platform.post(THREAD, SHORT)
    slack.answers = [JSONResponse({"ok": False, "error": "message_not_found"})]
    assert await platform.update(THREAD, message_id, SHORT) not in ("", message_id)


@pytest.mark.parametrize(
    "answer",
    [JSONResponse({"ok": False, "error": "internal_error"}), Response("<html>bad gateway</html>", 502)],
    ids=["internal_error", "502"],
)
async def test_a_passing_failure_is_no_refusal_and_is_not_repeated_by_the_client(
    slack: FarEnd, platform: SlackPlatform, answer: Response
) -> None:
    slack.answers = [answer]
    with pytest.raises(Exception, match=r".+") as raised:
        await platform.post(THREAD, SHORT)
    assert not isinstance(raised.value, DeliveryFailed)
    assert slack.messages == {}


async def test_calls_share_a_connection_while_the_client_is_connected(slack: FarEnd) -> None:
    async with connected(slack_client("xoxb-test", slack.url)) as client:
        platform = SlackPlatform(client)
        for _ in range(3):
            await platform.update(THREAD, await platform.post(THREAD, SHORT), SHORT)
    assert len(slack.messages) == 3
    assert len(slack.connections) == 1


PROGRESS = Card(
    CardKind.PROGRESS,
    title="Working on it",
    text="> What was the NOAEL?",
    steps=(Step("Searching", "done", 1.2), Step("Reading <!channel>", "running", detail="2 of 5")),
    buttons=(Button("Stop", "stop", "r1", "danger"),),
    run_id="r1",
    state=RunState.RUNNING,
)
JUDGED = Card(
    CardKind.ANSWER,
    title="Answered",
    text="15 mg/kg",
    sources=(Source(1, "Study", "page 2", "The NOAEL was 15 mg/kg.", "tox-1", 0, 23),),
    buttons=(Button("Helpful", "feedback", "r1 up"), Button("Not right", "feedback", "r1 down")),
    run_id="r1",
)


def types(slack: FarEnd) -> list[str]:
    (message,) = slack.messages.values()
    return [block["type"] for block in message["blocks"]]


async def test_progress_is_a_plan_and_judgement_has_its_own_buttons(
    slack: FarEnd, platform: SlackPlatform
) -> None:
    await platform.post(THREAD, PROGRESS)
    assert types(slack) == ["section", "plan", "actions"]
    slack.messages.clear()
    await platform.post(THREAD, JUDGED)
    assert types(slack) == ["header", "section", "section", "context_actions", "actions"]


@pytest.mark.parametrize("card", [PROGRESS, JUDGED])
async def test_a_workspace_that_does_not_know_new_blocks_is_shown_plain_ones(
    slack: FarEnd, platform: SlackPlatform, card: Card
) -> None:
    slack.knows_new_blocks = False
    message_id = await platform.post(THREAD, card)
    assert await platform.update(THREAD, message_id, card) == message_id
    assert not {"plan", "context_actions"} & set(types(slack))
    shown = str(slack.messages)
    assert all(button.label in shown for button in card.buttons)
    assert all(step.label.partition(" ")[0] in shown for step in card.steps)


async def test_a_thread_has_slacks_own_status_and_stop_while_its_run_is_carried(
    slack: FarEnd, platform: SlackPlatform
) -> None:
    for state in (RunState.QUEUED, RunState.RUNNING, RunState.WAITING, RunState.DONE):
        await platform.post(THREAD, replace(PROGRESS, state=state))
    assert [told["status"] for told in slack.statuses] == ["processing", "suspended", "active"]
    assert slack.statuses[0]["title"] == "What was the NOAEL?"


async def test_an_app_that_is_no_agent_goes_without_a_status(slack: FarEnd, platform: SlackPlatform) -> None:
    slack.knows_agents = False
    await platform.post(THREAD, PROGRESS)
    slack.knows_agents = True
    await platform.post(THREAD, PROGRESS)
    assert slack.statuses == []
    assert len(slack.messages) == 2


PICTURE = OutgoingFile("risks.png", "image/png", b"\x89PNG", "Risks by system", "Bars: liver 3.")
HANDED = Card(CardKind.NOTICE, file=Export("r1", "pdf"), mark="file:1:answer:r1")


async def test_a_file_is_put_into_its_thread_and_found_again(slack: FarEnd, platform: SlackPlatform) -> None:
    file_id = await platform.show_file(THREAD, HANDED, PICTURE)
    assert slack.uploads[file_id] == b"\x89PNG"
    (shared,) = slack.shared
    assert (shared["channel_id"], shared["thread_ts"]) == (THREAD.channel, THREAD.thread)
    assert shared["files"][0]["title"] == "Risks by system"
    assert await platform.find(THREAD, HANDED) == file_id
    assert await platform.find(THREAD, replace(HANDED, mark="file:2:answer:r1")) == ""


async def test_a_file_without_the_right_only_hinders(slack: FarEnd, platform: SlackPlatform) -> None:
    slack.answers = [JSONResponse({"ok": False, "error": "missing_scope", "needed": "files:write"})]
    with pytest.raises(DeliveryHindered, match="missing_scope"):
        await platform.show_file(THREAD, HANDED, PICTURE)


async def test_a_private_card_is_seen_by_one_person(slack: FarEnd, platform: SlackPlatform) -> None:
    await platform.show_privately(THREAD, "U7", JUDGED)
    (private,) = slack.private
    assert (private["user"], private["channel"], private["thread_ts"]) == (
        "U7",
        THREAD.channel,
        THREAD.thread,
    )
    assert slack.messages == {}


async def test_a_card_without_a_thread_stands_in_the_channel(slack: FarEnd, platform: SlackPlatform) -> None:
    await platform.post(replace(THREAD, thread=""), SHORT)
    (message,) = slack.messages.values()
    assert "thread_ts" not in message
