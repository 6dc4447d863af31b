"""What is let in from Slack: a body of a known size, signed by Slack, of a form that we know.

The signature is checked over the raw bytes before anything is parsed. What then goes on holds only the fields
that are used, each of its type: nothing behind this door meets a value that Slack could not have sent.
"""

import hashlib
import hmac
import re
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json

from adapters.door import Refused
from adapters.slack.forms import COMMANDS, EVENTS, INTERACTIONS

OLDEST_S = 300
"""Seconds after which a signed request is a replay."""
STAMP = re.compile(r"[0-9]{1,12}")
MOST_FIELDS = 30
"""Of a form; a slash command has about fifteen."""
NO_FORM = "The request has no form that Slack's events, interactions and commands have."
HEARD = frozenset(
    {
        *("message", "app_mention", "reaction_added", "reaction_removed", "app_home_opened"),
        "agent_session_stopped",
    }
)
"""Events whose content is looked at; of others only the type is."""


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
    """What Slack says in a request, in the fields that are used. Raises `Refused`."""
    try:
        is_json = body.lstrip().startswith((b"{", b"["))
        content = from_json(body) if is_json else _form(body)
    except (ValueError, RecursionError):
        raise Refused(400, NO_FORM) from None
    return known(content)


def known(content: Any) -> dict[str, Any]:
    """What Slack says, as an event, an interaction or a command, in the fields that are used.

    Raises `Refused`.
    """
    try:
        form = _adapter(content)
        return dict(form.validate_python(_of_concern(content), strict=True).model_dump(exclude_none=True))
    except (ValueError, ValidationError, RecursionError):
        raise Refused(400, NO_FORM) from None


def _adapter(content: Any) -> TypeAdapter[Any]:
    """The forms that this may have. Raises `ValueError`."""
    if not isinstance(content, dict):
        raise ValueError("no object")
    if "command" in content:
        return COMMANDS
    return EVENTS if content.get("type") in ("event_callback", "url_verification") else INTERACTIONS


def _form(body: bytes) -> Any:
    """A form: an interaction is JSON in one field of it, a command is the fields themselves."""
    fields = dict(parse_qsl(body.decode(), max_num_fields=MOST_FIELDS, keep_blank_values=True))
    return fields if "command" in fields else from_json(fields.get("payload", ""))


def _of_concern(content: Any) -> Any:
    """Of an event that is not listened to its type alone: their forms are many."""
    event = content.get("event") if isinstance(content, dict) else None
    if isinstance(event, dict) and not _is_heard(event.get("type")):
        return {**content, "event": {"type": event.get("type")}}
    return content


def _is_heard(kind: object) -> bool:
    return isinstance(kind, str) and kind in HEARD
