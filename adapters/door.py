"""What chat skins share: a body of a known size, or a refusal; what was heard; and how long to wait."""

import asyncio
import re
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.types import Scope

from bot.values import Incoming

LARGEST_BODY = 1_000_000
"""Bytes. Events of chat platforms are some kB."""
READ_S = 10.0
"""Seconds in which a body must have come."""
LONGEST_DELAY_S = 3_600.0
"""However long a platform asks to wait."""
_SIZE = re.compile(r"[0-9]{1,12}")


class Refused(Exception):
    """A request that is not let in; the message says why, without repeating any of it."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


@dataclass(frozen=True, slots=True)
class Heard:
    """A message somebody wrote.

    `addressed` is set when the bot was mentioned or spoken to alone. Otherwise it is a reply in a thread,
    for the bot only if it takes part there.
    """

    incoming: Incoming
    addressed: bool


def borne(scope: Scope) -> str:
    """The token that a request bears; "" for none."""
    scheme, _, token = Headers(scope=scope).get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def asked_to_wait(told: str, otherwise: float) -> float:
    """Seconds that a platform asks to wait (Retry-After), within reason; `otherwise` where it names none."""
    try:
        asked = float(told)
    except ValueError:
        return otherwise
    return min(max(asked, 1.0), LONGEST_DELAY_S) if asked == asked else otherwise


def without_nul(text: str) -> str:
    """Databases take no NUL in a text, and nobody types one."""
    return text.replace("\x00", "")


async def read_body(request: Request) -> bytes:
    """The body, up to its limit. Raises `Refused`."""
    told = request.headers.get("content-length", "0")
    if not _SIZE.fullmatch(told) or int(told) > LARGEST_BODY:
        raise Refused(413, "The request is too large.")
    body = bytearray()
    try:
        async with asyncio.timeout(READ_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > LARGEST_BODY:
                    raise Refused(413, "The request is too large.")
    except TimeoutError:
        raise Refused(408, "The request did not come in time.") from None
    except ClientDisconnect:
        raise Refused(400, "The request broke off.") from None
    return bytes(body)
