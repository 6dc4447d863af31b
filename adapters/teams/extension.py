"""The message extension "Check this claim": from a message that somebody points at to a question. Pure."""

import html
import re
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from adapters.door import without_nul
from adapters.teams.inbound import Activity
from adapters.teams.incoming import origin_of, person, thread_of_activity
from bot.claims import claim_question
from bot.commands import MAX_CHARACTERS
from bot.values import Incoming

CHECK_CLAIM = "checkClaim"
"""The command's id in the app's manifest."""
FETCHED = "composeExtension/fetchTask"
TOLD = "Pestle checks this claim. What the documents say about it comes into the conversation."
NOTHING = "This message has no text that could be checked."
_TAG = re.compile(r"<[^<>]*>")
_BREAK = re.compile(r"<(?:br|/p|/div|/li)\b[^<>]*>", re.IGNORECASE)


class _Body(BaseModel):
    content: str = Field(default="", max_length=200_000)
    contentType: str = "html"  # noqa: N815 (as Teams writes it)


class _Message(BaseModel):
    id: str = Field(default="", max_length=200)
    body: _Body = _Body()


class _Command(BaseModel):
    commandId: str = Field(max_length=80)  # noqa: N815
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


def told(text: str) -> dict[str, Any]:
    """What Teams shows to who pointed at the message."""
    return {"task": {"type": "message", "value": text}}


def plain(body: _Body) -> str:
    """A message as text; Teams sends it as HTML."""
    text = without_nul(body.content)
    if body.contentType != "text":
        text = html.unescape(_TAG.sub("", _BREAK.sub(" ", text)))
    return " ".join(text.split())
