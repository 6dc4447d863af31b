"""The message extension: "Check this claim" makes a question of a message that somebody points at, "Ask
alone" takes one that nobody else reads. Pure.
"""

import html
import re
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from adapters.door import without_nul
from adapters.teams.inbound import Activity
from adapters.teams.whence import key_of, origin_of, person, thread_of_activity
from bot.claims import claim_question
from bot.commands import MAX_CHARACTERS
from bot.values import Incoming

CHECK_CLAIM = "checkClaim"
"""The command's id in the app's manifest."""
FETCHED = "composeExtension/fetchTask"
ASK_ALONE = "askAlone"
"""The command that asks something for who asks alone."""
SUBMITTED = "composeExtension/submitAction"
TOLD = "Pestle looks it up. What it finds comes into your chat with it; from there you can share it here."
UNREACHED = (
    "Pestle cannot write to you alone yet, so nothing was looked up. Add it for yourself (Apps, Pestle, "
    "Add), then try again; or mention it here, and everybody reads the answer."
)
NOTHING = "There is no text that could be looked up."
_TAG = re.compile(r"<[^<>]*>")
_BREAK = re.compile(r"<(?:br|/p|/div|/li)\b[^<>]*>", re.IGNORECASE)


class _Body(BaseModel):
    content: str = Field("", max_length=200_000)
    contentType: str = "html"  # noqa: N815 (as Teams writes it)


class _Message(BaseModel):
    id: str = Field("", max_length=200)
    body: _Body = _Body()


class _Asked(BaseModel):
    question: str = Field("", max_length=MAX_CHARACTERS)


class _Command(BaseModel):
    commandId: str = Field(max_length=80)  # noqa: N815
    data: _Asked = _Asked()
    messagePayload: _Message = _Message()  # noqa: N815


def claim_of(activity: Activity, home: str) -> Incoming | None:
    """The message that somebody wants to have checked, as a question in its thread; None without a text."""
    try:
        command = _Command.model_validate(activity.value)
    except ValidationError:
        return None
    if command.commandId != CHECK_CLAIM or not activity.conversation.id:
        return None
    claim = plain(command.messagePayload.body)[: MAX_CHARACTERS - 200]
    if not claim:
        return None
    key = f"{activity.conversation.id}.{activity.id}.{command.messagePayload.id}"
    thread, origin = thread_of_activity(activity), origin_of(activity, home)
    return Incoming(key, thread, person(activity), claim_question(claim), origin=origin)


def question_of(activity: Activity, home: str) -> Incoming | None:
    """What somebody wants to know alone; None without a text."""
    try:
        command = _Command.model_validate(activity.value)
    except ValidationError:
        return None
    text = without_nul(command.data.question).strip()
    if command.commandId != ASK_ALONE or not activity.conversation.id or not text:
        return None
    thread, origin = thread_of_activity(activity), origin_of(activity, home)
    return Incoming(key_of(activity), thread, person(activity), text, origin=origin)


def message_task(text: str) -> dict[str, Any]:
    """What Teams shows to who pointed at the message."""
    return {"task": {"type": "message", "value": text}}


def plain(body: _Body) -> str:
    """A message as text; Teams sends it as HTML."""
    text = without_nul(body.content)
    if body.contentType != "text":
        text = html.unescape(_TAG.sub("", _BREAK.sub(" ", text)))
    return " ".join(text.split())
