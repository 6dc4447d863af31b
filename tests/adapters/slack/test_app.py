"""Slack's requests through the front door, signed as Slack signs them."""

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
import pytest_asyncio
from starlette.responses import JSONResponse

from adapters.door import LARGEST_BODY
from adapters.slack.app import slack_app
from adapters.slack.calls import slack_client
from agents.runs.records import RunState
from bot.values import ThreadRef
from tests.adapters.slack.far_end import BOT_USER, FarEnd, far_end
from tests.adapters.slack.sender import SECRET, Sender
from tests.bot.world import World
from tests.support.archive import asked_in


class Slack(Sender):
    """Slack's side, with what it reaches."""

    def __init__(self, client: httpx.AsyncClient, end: FarEnd, world: World) -> None:
        super().__init__(client)
        self.end = end
        self.world = world

    async def questions(self) -> list[str]:
        return [asked_in(record).text for record in await self.world.ledger.runs()]


@pytest_asyncio.fixture
async def slack() -> AsyncIterator[Slack]:
    world = World()
    async with far_end() as end:
        app = slack_app(slack_client("xoxb-test", end.url), SECRET, world.intake)
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
    assert (await slack.client.get("/health")).text == "ok"


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
