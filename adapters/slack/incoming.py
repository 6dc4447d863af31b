"""From Slack's payloads to `Incoming`. Pure; whatever does not fit is nothing said to us."""

import re
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from adapters.door import Heard
from adapters.slack.forms import Event
from adapters.slack.mrkdwn import to_plain
from bot.values import Attached, Incoming, Reaction, ThreadRef

_SPOKEN = {None, "", "file_share", "thread_broadcast"}
"""Subtypes of messages that a person wrote; all others are edits, joins and other house-keeping."""


def from_event(body: dict[str, Any], bot_user: str) -> Heard | None:
    """What an `app_mention` or `message` event says to us, or None.

    Slack reports a mention twice, once as each type and with different event ids; the message's own time
    stamp is the same in both and in every redelivery, so it is the id here.
    """
    try:
        event = Event.model_validate(body.get("event"))
    except ValidationError:
        return None
    channel, user, stamp = event.channel, event.user, event.ts
    if not (channel and user and stamp) or event.bot_id or user == bot_user or event.subtype not in _SPOKEN:
        return None
    text = event.text or ""
    mentioned = f"<@{bot_user}>" in text or f"<@{bot_user}|" in text
    addressed = mentioned or event.type == "app_mention" or event.channel_type == "im"
    if not addressed and (not event.thread_ts or _speaks_to_another(text)):
        return None
    thread = ThreadRef("slack", channel, event.thread_ts or stamp)
    files = tuple(Attached(one.name or one.id, one.id) for one in event.files or ())
    told = to_plain(text, bot_user)
    incoming = Incoming(f"{channel}.{stamp}", thread, user, told, opens=not event.thread_ts, files=files)
    return Heard(incoming, addressed)


def from_change(body: Mapping[str, Any], bot_user: str) -> tuple[Incoming, bool] | None:
    """A person's message that was edited or deleted (then True), under the id that it came with; or None.

    A root that is deleted above replies stays as a tombstone. What Slack changes itself, as when it adds a
    preview to a link, leaves the words as they were and is no edit.
    """
    event = body["event"]
    before, after = event.get("previous_message", {}), event.get("message", {})
    gone = event.get("subtype") == "message_deleted" or after.get("subtype") == "tombstone"
    stamp, user = before.get("ts") or event.get("deleted_ts"), before.get("user", "")
    if not stamp or not user or before.get("bot_id") or user == bot_user:
        return None
    if not gone and before.get("text", "") == after.get("text", ""):
        return None
    channel = event.get("channel", "")
    thread = ThreadRef("slack", channel, before.get("thread_ts") or stamp)
    text = "" if gone else to_plain(after.get("text", ""), bot_user)
    return Incoming(f"{channel}.{stamp}", thread, user, text), gone


def from_reaction(body: Mapping[str, Any], bot_user: str) -> Incoming | None:
    """An emoji that a person set on a message, or took off; or None."""
    event = body["event"]
    item, user, emoji = event.get("item", {}), event.get("user", ""), event.get("reaction", "")
    channel, stamp = item.get("channel", ""), item.get("ts", "")
    if not (user and emoji and channel and stamp) or user == bot_user:
        return None
    removed = event["type"] == "reaction_removed"
    key = f"{channel}.{stamp}.{user}.{emoji}.{event.get('event_ts', '')}.{'off' if removed else 'on'}"
    thread = ThreadRef("slack", channel, "")
    return Incoming(key, thread, user, "", reaction=Reaction(emoji, stamp, removed))


def from_stop(body: Mapping[str, Any]) -> Incoming | None:
    """Slack's own Stop button of a thread, as the word "stop" there; or None."""
    event = body["event"]
    channel, stamp = event.get("channel", ""), event.get("thread_ts", "")
    if not (channel and stamp):
        return None
    key = f"{channel}.{stamp}.stopped.{event.get('event_ts', '')}"
    return Incoming(key, ThreadRef("slack", channel, stamp), event.get("user", ""), "stop")


def from_press(body: Mapping[str, Any]) -> Incoming | None:
    """A button that was pressed, or an option that was chosen, in a message; or None for one elsewhere.

    One in a message that a single person sees belongs to their private conversation.
    """
    channel, user = body.get("channel", {}).get("id", ""), body["user"]["id"]
    place = {**body.get("container", {}), **body.get("message", {})}
    stamp = place.get("ts") or place.get("message_ts")
    if not channel or not stamp:
        return None
    private = bool(body.get("container", {}).get("is_ephemeral"))
    pressed = body["actions"][0]
    thread = ThreadRef("slack", channel, place.get("thread_ts") or ("" if private else stamp))
    event_id = f"{channel}.{pressed['action_ts']}.{user}.{pressed['action_id']}"
    action = pressed["action_id"].partition(":")[0]
    value = pressed.get("value") or pressed.get("selected_option", {}).get("value", "")
    return Incoming(event_id, thread.seen_only_by(user) if private else thread, user, "", action, value)


def from_command(body: Mapping[str, Any], bot_user: str) -> Incoming:
    """A slash command: what was written, in the private conversation of who wrote it with the bot there."""
    user = body["user_id"]
    thread = ThreadRef("slack", body["channel_id"], "").seen_only_by(user)
    text = to_plain(body.get("text", ""), bot_user) or "help"
    return Incoming(f"command.{body['trigger_id']}", thread, user, text)


def _speaks_to_another(text: str) -> bool:
    """Whether a reply begins by mentioning somebody: then it is not meant for the bot."""
    return re.match(r"\s*<@", text) is not None
