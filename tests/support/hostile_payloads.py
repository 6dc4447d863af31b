"""Bodies that Slack never sends: each signed as Slack signs, and each to be refused with 400."""

import json
from typing import Any
from urllib.parse import quote, urlencode

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"

EVENT: dict[str, Any] = {
    "type": "event_callback",
    "team_id": "T1",
    "event_id": "Ev1",
    "event": {"type": "message", "channel": "C1", "user": "U1", "text": "hello", "ts": "10.1"},
}
PRESS: dict[str, Any] = {
    "type": "block_actions",
    "team": {"id": "T1"},
    "user": {"id": "U1", "team_id": "T1"},
    "channel": {"id": "C1"},
    "message": {"ts": "11.0", "thread_ts": "10.1"},
    "actions": [{"action_id": "stop:0", "action_ts": "12.0", "type": "button", "value": "abc"}],
}


SHORTCUT: dict[str, Any] = {
    "type": "message_action",
    "callback_id": "check_claim",
    "trigger_id": "1.2.abc",
    "team": {"id": "T1"},
    "user": {"id": "U1", "team_id": "T1"},
    "channel": {"id": "C1"},
    "message": {"ts": "11.0", "thread_ts": "10.1", "text": "A claim.", "user": "U2"},
}
SUBMISSION: dict[str, Any] = {
    "type": "view_submission",
    "team": {"id": "T1"},
    "user": {"id": "U1", "team_id": "T1"},
    "view": {
        "id": "V1",
        "type": "modal",
        "callback_id": "check",
        "private_metadata": '{"channel": "C1", "thread": "10.1"}',
        "state": {"values": {"said": {"said": {"type": "plain_text_input", "value": "A claim."}}}},
    },
}
COMMAND: dict[str, Any] = {
    "command": "/pestle",
    "text": "What was the NOAEL?",
    "user_id": "U1",
    "team_id": "T1",
    "channel_id": "C1",
    "trigger_id": "1.2.abc",
}


def commanded(fields: dict[str, Any]) -> bytes:
    """A slash command as Slack sends it, with these fields."""
    return urlencode(fields, errors="replace").encode()


def pressed(payload: object) -> bytes:
    """A press as Slack sends it, with this payload."""
    return f"payload={quote(json.dumps(payload))}".encode()


def with_event(**fields: object) -> bytes:
    """An event with other fields."""
    return json.dumps({**EVENT, "event": {**EVENT["event"], **fields}}).encode()


def with_press(**fields: object) -> bytes:
    """A press with other fields."""
    return pressed({**PRESS, **fields})


def with_action(**fields: object) -> bytes:
    """A press of another button."""
    return with_press(actions=[{**PRESS["actions"][0], **fields}])


LONG = "x" * 300_000

PAYLOADS: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", JSON),
    "not JSON": (b"{not json", JSON),
    "not UTF-8": (b"\xff\xfe{}", JSON),
    "a list": (b"[]", JSON),
    "null": (b"null", JSON),
    "a number": (b"7", JSON),
    "nested": (b'{"type": ' + b"[" * 100_000, JSON),
    "nested and closed": (b'{"type": ' + b"[" * 50_000 + b"]" * 50_000 + b"}", JSON),
    "5,000 digits": (b'{"type": ' + b"9" * 5_000 + b"}", JSON),
    "no type": (b"{}", JSON),
    "another type": (json.dumps({**EVENT, "type": "app_rate_limited"}).encode(), JSON),
    "a type that is a list": (json.dumps({**EVENT, "type": ["event_callback"]}).encode(), JSON),
    "no event": (b'{"type": "event_callback"}', JSON),
    "an event that is a list": (json.dumps({**EVENT, "event": []}).encode(), JSON),
    "an event that is null": (json.dumps({**EVENT, "event": None}).encode(), JSON),
    "an event without a type": (json.dumps({**EVENT, "event": {}}).encode(), JSON),
    "a channel that is a number": (with_event(channel=7), JSON),
    "a channel that is long": (with_event(channel=LONG), JSON),
    "a user that is an object": (with_event(user={"id": "U1"}), JSON),
    "a time with a NUL": (with_event(ts="10.1\x00"), JSON),
    "a text that is a list": (with_event(text=["a"]), JSON),
    "a text that is long": (with_event(text=LONG), JSON),
    "half a surrogate pair": (with_event(text="\ud800"), JSON),
    "a challenge that is an object": (b'{"type": "url_verification", "challenge": {}}', JSON),
    "no payload": (b"a=b", FORM),
    "an empty payload": (b"payload=", FORM),
    "a broken payload": (b"payload=%7Bnot", FORM),
    "many fields": (b"a=b&" * 5_000 + pressed(PRESS), FORM),
    "a payload that is a list": (pressed([]), FORM),
    "a payload that is null": (pressed(None), FORM),
    "a nested payload": (b"payload=" + b"[" * 100_000, FORM),
    "half a pair in a payload": (with_action(value="\ud800"), FORM),
    "an unknown view": (with_press(type="view_submission", view={"callback_id": "x"}), FORM),
    "a shortcut": (with_press(type="shortcut"), FORM),
    "no actions": (with_press(actions=[]), FORM),
    "actions that are an object": (with_press(actions={}), FORM),
    "an action that is null": (with_press(actions=[None]), FORM),
    "300,000 characters in a press": (with_action(value=LONG), FORM),
    "300,000 characters in its id": (with_action(action_id=LONG), FORM),
    "a value that is a number": (with_action(value=7), FORM),
    "a user without an id": (with_press(user={}), FORM),
    "a user that is a text": (with_press(user="U1"), FORM),
    "no message": (with_press(message=None), FORM),
    "a team that is a list": (with_press(team=["T1"]), FORM),
}
