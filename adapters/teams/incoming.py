"""From activities of Teams to `Incoming`. Pure; whatever does not fit is nothing said to us."""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, Field, ValidationError
from pydantic_core import from_json

from adapters.door import Heard, without_nul
from adapters.teams.inbound import INSTALLED, Activity, Attachment
from adapters.teams.places import CHANNEL
from adapters.teams.whence import alone_with_us, key_of, origin_of, person, thread_of_activity
from bot.values import Attached, Incoming, Reaction, ThreadRef

FILE = "application/vnd.microsoft.teams.file.download.info"
EXECUTED = "adaptiveCard/action"
JUDGED = "message/submitAction"

_AT = re.compile(r"<at(?:\s[^<>]*)?>(.*?)</at>", re.DOTALL)
_VERDICTS = {"like": "up", "dislike": "down"}


class _Pressed(BaseModel):
    """The data of a button. `words` is what was written into the field beside it."""

    action: str = Field(max_length=255)
    value: str = Field("", max_length=2_000)
    words: str = Field("", max_length=20_000)


class _Judged(BaseModel):
    """What was said through the feedback buttons of a message."""

    reaction: str = Field(max_length=80)
    feedback: str | dict[str, Any] = ""


class _Download(BaseModel):
    """Where a file is fetched, without a further token."""

    downloadUrl: str = Field(max_length=8_000)  # noqa: N815 (as Teams writes it)


def from_message(activity: Activity, home: str) -> Heard | None:
    """What a message says to us, or None. `home` is the tenant of the bot's own people."""
    written = (activity.text or "").strip()
    if not activity.sender.id or not activity.conversation.id or not activity.id:
        return None
    in_channel = activity.conversation.conversation_type == CHANNEL
    mentioned = [one.mentioned.id for one in activity.entities or () if one.mentioned]
    to_us = activity.recipient.id in mentioned or alone_with_us(activity)
    if not to_us and (not in_channel or _speaks_to_another(written)):
        return None  # a group chat has no threads: what does not name us there is said to others
    thread = thread_of_activity(activity)
    opens = in_channel and thread.thread == activity.id
    files = tuple(_files(activity.attachments or ()))
    text = _plain(activity, written)
    return Heard(
        Incoming(
            key_of(activity),
            thread,
            person(activity),
            text,
            origin=origin_of(activity, home),
            opens=opens,
            files=files,
        ),
        addressed=to_us,
    )


def from_press(activity: Activity, home: str) -> Incoming | None:
    """A button that was pressed, or None. It comes as `Action.Execute`, or as `Action.Submit` does."""
    value = activity.value
    if activity.name == EXECUTED:
        value = _mapping(_mapping(value).get("action")).get("data")
    try:
        pressed = _Pressed.model_validate(value)
    except ValidationError:
        return None
    words = without_nul(pressed.words).strip()
    told = f"{without_nul(pressed.value)}: {words}" if words else without_nul(pressed.value)
    return _said(activity, home, without_nul(pressed.action), told)


def judged(activity: Activity, home: str, run_id: str, thread: ThreadRef) -> Incoming | None:
    """A judgement given through the feedback buttons of a message that shows this run, or None."""
    value = _mapping(activity.value)
    try:
        given = _Judged.model_validate(value.get("actionValue"))
    except ValidationError:
        return None
    verdict = _VERDICTS.get(given.reaction)
    if value.get("actionName") != "feedback" or verdict is None:
        return None
    comment = without_nul(_comment(given.feedback))
    said = _said(activity, home, "feedback", f"{run_id} {verdict} {comment}".rstrip())
    return replace(said, thread=thread)


def greeted(activity: Activity, home: str) -> Incoming | None:
    """That a person began a chat with the bot, as a wish for help, or None."""
    if not alone_with_us(activity) or not activity.sender.id:
        return None
    return _added(activity, home, "help")


def welcomed(activity: Activity, home: str) -> Incoming | None:
    """That the bot was added to a team or a group, for whoever wants to say hello there, or None."""
    if alone_with_us(activity) or not activity.conversation.id:
        return None
    return _added(activity, home, "")


def _added(activity: Activity, home: str, text: str) -> Incoming | None:
    """That the bot is new in a conversation, as a text of who added it; None if it is not."""
    if activity.recipient.id not in [one.id for one in activity.members_added or ()]:
        return None
    thread, origin = thread_of_activity(activity), origin_of(activity, home)
    return Incoming(key_of(activity), thread, person(activity), text, origin=origin)


def parted(activity: Activity) -> bool:
    """Whether a person took the app away from themselves: they cannot be written to alone any more."""
    if activity.type == INSTALLED:
        out = (activity.action or "").startswith("remove")
    else:
        out = activity.recipient.id in [one.id for one in activity.members_removed or ()]
    return out and alone_with_us(activity)


def reactions(activity: Activity, home: str) -> Iterator[Incoming]:
    """Emojis that were set on a message of ours or taken off again."""
    thread = thread_of_activity(activity)
    for removed, those in ((False, activity.reactions_added), (True, activity.reactions_removed)):
        for one in those or ():
            emoji = Reaction(emoji_name(one.type), activity.reply_to_id or "", removed)
            key = f"{key_of(activity)}.{one.type}.{'off' if removed else 'on'}"
            origin = origin_of(activity, home)
            yield Incoming(key, thread, person(activity), "", origin=origin, reaction=emoji)


def emoji_name(told: str) -> str:
    """An emoji as a character where Teams names it by its code ("2705_whiteheavycheckmark"), or its name."""
    codes = told.partition("_")[0].split("-")
    try:
        return "".join(chr(int(code, 16)) for code in codes) if "_" in told else told
    except (ValueError, OverflowError):
        return told


def changed(activity: Activity, home: str) -> Incoming:
    """A message that somebody edited or deleted; its key is that of the message as it was sent."""
    thread, origin = thread_of_activity(activity), origin_of(activity, home)
    text = _plain(activity, (activity.text or "").strip())
    return Incoming(key_of(activity), thread, person(activity), text, origin=origin)


def _said(activity: Activity, home: str, action: str, value: str) -> Incoming:
    """An action as if a button had been pressed."""
    key = f"{key_of(activity)}.{action}"
    thread, origin = thread_of_activity(activity), origin_of(activity, home)
    return Incoming(key, thread, person(activity), "", action, value, origin=origin)


def _plain(activity: Activity, text: str) -> str:
    """What somebody typed: mentions of the bot taken off, those of others as readable text."""
    ours = {
        one.text.strip()
        for one in activity.entities or ()
        if one.mentioned and one.text and one.mentioned.id == activity.recipient.id
    }
    for mention in ours:
        text = text.replace(mention, " ")
    text = _AT.sub(lambda found: f"@{found[1]}", text)
    return html.unescape(text).replace("\xa0", " ").strip()


def _speaks_to_another(text: str) -> bool:
    """Whether a reply begins by mentioning somebody: then it is not meant for the bot."""
    return text.startswith("<at")


def _files(attachments: list[Attachment] | tuple[()]) -> Iterator[Attached]:
    for one in attachments:
        if one.content_type == FILE:
            try:
                place = _Download.model_validate(one.content).downloadUrl
            except ValidationError:
                continue
            yield Attached(one.name or "a file", without_nul(place))


def _comment(feedback: str | Mapping[str, Any]) -> str:
    """What was written with a judgement; Teams wraps it into JSON within JSON."""
    if isinstance(feedback, str):
        try:
            feedback = _mapping(from_json(feedback))
        except ValueError:
            return ""
    return str(feedback.get("feedbackText") or "")


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
