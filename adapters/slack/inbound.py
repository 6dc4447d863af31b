"""What is let in from Slack: a body of a known size, signed by Slack, of a form that we know.

The signature is checked over the raw bytes before anything is parsed. What then goes on holds only the fields
that are used, each of its type: nothing behind this door meets a value that Slack could not have sent.
"""

import hashlib
import hmac
import re
import time
from collections.abc import Mapping
from typing import Annotated, Any, Literal
from urllib.parse import parse_qsl

from pydantic import AfterValidator, BaseModel, Field, TypeAdapter, ValidationError
from pydantic_core import from_json

from adapters.door import Refused, without_nul

OLDEST_S = 300
"""Seconds after which a signed request is a replay."""
STAMP = re.compile(r"[0-9]{1,12}")
HEARD = ("message", "app_mention")
"""Events whose content is looked at; of others only the type is."""


Name = Annotated[str, Field(max_length=80, pattern=r"^[A-Za-z0-9_.:\-]*$")]
"""Ids, types and time stamps as Slack makes them."""
Action = Annotated[str, Field(max_length=255), AfterValidator(without_nul)]
Value = Annotated[str, Field(max_length=2_000), AfterValidator(without_nul)]
"""Slack lets a button have no longer one."""
Text = Annotated[str, Field(max_length=100_000), AfterValidator(without_nul)]


class File(BaseModel):
    """A file of a message; what else is known of it Slack is asked for."""

    id: Name
    name: Action | None = None


class Event(BaseModel):
    """What happened."""

    type: Name
    channel: Name | None = None
    user: Name | None = None
    ts: Name | None = None
    text: Text | None = None
    thread_ts: Name | None = None
    channel_type: Name | None = None
    subtype: Name | None = None
    bot_id: Name | None = None
    team: Name | None = None
    user_team: Name | None = None
    source_team: Name | None = None
    files: Annotated[list[File], Field(max_length=50)] | None = None


class EventCallback(BaseModel):
    """An event that the app is subscribed to."""

    type: Literal["event_callback"]
    team_id: Name | None = None
    enterprise_id: Name | None = None
    event_id: Name | None = None
    is_ext_shared_channel: bool | None = None
    event: Event


class Verification(BaseModel):
    """Slack asks whether this address is the app's."""

    type: Literal["url_verification"]
    challenge: Value


class Person(BaseModel):
    """Who pressed."""

    id: Name
    team_id: Name | None = None


class Place(BaseModel):
    """A channel or a team."""

    id: Name


class Shown(BaseModel):
    """The message with the button."""

    ts: Name
    thread_ts: Name | None = None


class Pressed(BaseModel):
    """The button."""

    action_id: Action
    action_ts: Name
    block_id: Action | None = None
    type: Name | None = None
    value: Value | None = None


class Press(BaseModel):
    """A button of one of our messages was pressed."""

    type: Literal["block_actions"]
    team: Place | None = None
    user: Person
    channel: Place
    message: Shown
    actions: Annotated[list[Pressed], Field(min_length=1, max_length=25)]


_JSON: TypeAdapter[EventCallback | Verification] = TypeAdapter(
    Annotated[EventCallback | Verification, Field(discriminator="type")]
)
_FORM = TypeAdapter(Press)


def check_signature(secret: str, headers: Mapping[str, str], body: bytes) -> None:
    """That Slack sent exactly these bytes, and lately. Raises `Refused`."""
    stamp = headers.get("x-slack-request-timestamp", "")
    if not STAMP.fullmatch(stamp) or abs(time.time() - int(stamp)) > OLDEST_S:
        raise Refused(401, "The request has no time stamp of the last minutes.")
    digest = hmac.new(secret.encode(), b"v0:%b:%b" % (stamp.encode(), body), hashlib.sha256)
    given = headers.get("x-slack-signature", "").encode("utf-8", "replace")
    if not hmac.compare_digest(f"v0={digest.hexdigest()}".encode(), given):
        raise Refused(401, "The request is not signed by Slack.")


def payload_of(body: bytes) -> dict[str, Any]:
    """What Slack says, in the fields that are used. Raises `Refused`."""
    is_json = body.lstrip().startswith((b"{", b"["))
    try:
        content = from_json(body if is_json else _form(body))
        known: BaseModel
        if is_json:
            known = _JSON.validate_python(_of_concern(content), strict=True)
        else:
            known = _FORM.validate_python(content, strict=True)
    except (ValueError, ValidationError, RecursionError):
        raise Refused(400, "The request has no form that Slack's events and button presses have.") from None
    return known.model_dump(exclude_none=True)


def _form(body: bytes) -> str:
    """The field of a form that holds a press."""
    fields = parse_qsl(body.decode(), max_num_fields=10)
    return dict(fields).get("payload", "")


def _of_concern(content: Any) -> Any:
    """Of an event that is no message its type alone: their forms are many."""
    event = content.get("event") if isinstance(content, dict) else None
    if isinstance(event, dict) and event.get("type") not in HEARD:
        return {**content, "event": {"type": event.get("type")}}
    return content
