"""Slack's payloads as messages to the bot, or not."""

from typing import Any

import pytest

from adapters.door import Heard
from adapters.slack.incoming import from_event, from_press
from bot.values import Incoming, ThreadRef

BOT = "UBOT"


def heard(**event: Any) -> Heard | None:
    base = {"type": "message", "channel": "C1", "user": "U1", "text": "What?", "ts": "10.1"}
    return from_event({"type": "event_callback", "event_id": "Ev1", "event": {**base, **event}}, BOT)


def test_a_mention_opens_a_thread_under_its_message() -> None:
    assert heard(text="<@UBOT> What?") == Heard(
        Incoming("C1.10.1", ThreadRef("slack", "C1", "10.1"), "U1", "What?", opens=True), True
    )


def test_the_two_events_of_one_mention_have_one_id() -> None:
    assert heard(text="<@UBOT> What?") == heard(type="app_mention", text="<@UBOT> What?")


def test_a_reply_in_a_thread_is_heard_without_mention() -> None:
    reply = heard(thread_ts="9.9")
    assert reply is not None
    assert not reply.addressed
    assert reply.incoming.thread == ThreadRef("slack", "C1", "9.9")


def test_a_direct_message_needs_no_mention() -> None:
    message = heard(channel_type="im", channel="D1")
    assert message is not None
    assert message.addressed


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"bot_id": "B1", "text": "<@UBOT> hi"},
        {"user": BOT, "thread_ts": "9.9"},
        {"subtype": "message_changed", "text": "<@UBOT> hi"},
        {"thread_ts": "9.9", "text": "<@U2> what do you think?"},
        {"ts": None},
        {"text": {"not": "text"}},
    ],
    ids=["channel talk", "a bot", "itself", "an edit", "somebody else", "no time stamp", "no text"],
)
def test_what_is_not_meant_for_the_bot_is_left_alone(event: dict[str, Any]) -> None:
    assert heard(**event) is None


def test_a_button_press() -> None:
    body = {
        "type": "block_actions",
        "user": {"id": "U1"},
        "channel": {"id": "C1"},
        "message": {"ts": "11.5", "thread_ts": "10.1"},
        "actions": [{"action_id": "feedback:1", "action_ts": "12.0", "value": "r1 down"}],
    }
    assert from_press(body) == Incoming(
        "C1.12.0.U1.feedback:1", ThreadRef("slack", "C1", "10.1"), "U1", "", "feedback", "r1 down"
    )
    assert from_press({"user": {"id": "U1"}, "actions": body["actions"], "view": {"type": "home"}}) is None
