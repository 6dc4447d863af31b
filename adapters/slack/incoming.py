"""From Slack's payloads to `Incoming`. Pure; whatever does not fit is nothing said to us."""

import re
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from adapters.slack.mrkdwn import to_plain
from bot.values import Attached, Incoming, ThreadRef

_SPOKEN = {"", "file_share", "thread_broadcast"}
"""Subtypes of messages that a person wrote; all others are edits, joins and other house-keeping."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A message somebody wrote.

    `addressed` is set when the bot was mentioned or spoken to alone. Otherwise it is a reply in a thread,
    for the bot only if it takes part there.
    """

    incoming: Incoming
    addressed: bool


class _File(BaseModel):
    id: str
    name: str = ""


class _Message(BaseModel):
    type: str
    channel: str
    user: str
    ts: str
    text: str = ""
    thread_ts: str = ""
    channel_type: str = ""
    subtype: str = ""
    bot_id: str = ""
    files: list[_File] = []


class _Named(BaseModel):
    id: str


class _Pressed(BaseModel):
    action_id: str
    action_ts: str
    value: str = ""


class _Shown(BaseModel):
    ts: str
    thread_ts: str = ""


class _Press(BaseModel):
    user: _Named
    channel: _Named
    message: _Shown
    actions: list[_Pressed]


def from_event(body: dict[str, Any], bot_user: str) -> Heard | None:
    """What an `app_mention` or `message` event says to us, or None.

    Slack reports a mention twice, once as each type and with different event ids; the message's own time
    stamp is the same in both and in every redelivery, so it is the id here.
    """
    try:
        message = _Message.model_validate(body.get("event"))
    except ValidationError:
        return None
    if message.bot_id or message.user == bot_user or message.subtype not in _SPOKEN:
        return None
    mentioned = f"<@{bot_user}>" in message.text or f"<@{bot_user}|" in message.text
    addressed = mentioned or message.type == "app_mention" or message.channel_type == "im"
    if not addressed and (not message.thread_ts or _speaks_to_another(message.text)):
        return None
    thread = ThreadRef("slack", message.channel, message.thread_ts or message.ts)
    text = to_plain(message.text, bot_user)
    opens = not message.thread_ts
    files = tuple(Attached(one.name or one.id, one.id) for one in message.files)
    key = f"{message.channel}.{message.ts}"
    incoming = Incoming(key, thread, message.user, text, opens=opens, files=files)
    return Heard(incoming, addressed)


def from_press(body: dict[str, Any]) -> Incoming | None:
    """A button that was pressed, or None."""
    try:
        press = _Press.model_validate(body)
    except ValidationError:
        return None
    if not press.actions:
        return None
    pressed = press.actions[0]
    thread = ThreadRef("slack", press.channel.id, press.message.thread_ts or press.message.ts)
    event_id = f"{press.channel.id}.{pressed.action_ts}.{press.user.id}.{pressed.action_id}"
    action = pressed.action_id.partition(":")[0]
    return Incoming(event_id, thread, press.user.id, "", action, pressed.value)


def _speaks_to_another(text: str) -> bool:
    """Whether a reply begins by mentioning somebody: then it is not meant for the bot."""
    return re.match(r"\s*<@", text) is not None
