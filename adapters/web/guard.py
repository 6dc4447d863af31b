"""The page's own protection: without a log-in it must answer only its own browser tab on this machine.

A request must name this host (against DNS rebinding), one that changes something must come from the page
itself (against other sites in the same browser), and the browser is told to run nothing but our own script.
A body is read up to a limit, which is looked at before any of it is read.
"""

import ipaddress
import logging
import re
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

logger = logging.getLogger(__name__)

LARGEST_BODY = 2_000_000
"""Bytes of a body that is no upload; a question has at most 200,000 characters."""
UPLOADS = ("/documents", "/give")
LARGEST_UPLOAD = 500_000_000
HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,253})(:[0-9]{1,5})?")
LENGTH = re.compile(r"[0-9]{1,18}")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}


class TooLarge(Exception):
    """A body goes on beyond its limit."""


class Guard:
    """ASGI middleware around the page. `largest_upload` is in bytes."""

    def __init__(
        self,
        app: ASGIApp,
        hosts: tuple[str, ...],
        *,
        addresses: bool = False,
        largest_upload: int = LARGEST_UPLOAD,
    ) -> None:
        """With `addresses` the host may also be any IP address: a name that was turned round is none."""
        self._app = app
        self._addresses = addresses
        self._hosts = {*hosts, "localhost", "127.0.0.1", "::1"}
        self._largest_upload = largest_upload

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse what is not ours; add the headers to what is, where a route has not set stricter ones."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        headers, limit = Headers(scope=scope), self._limit(scope)
        refused = self._refusal(headers, scope["method"]) or _malformed(scope, headers, limit)
        if refused:
            return await _refuse(*refused)(scope, receive, send)
        begun = False

        async def with_headers(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                given = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    given.setdefault(name, value)
            await send(message)

        try:
            await self._app(scope, _limited(receive, limit), with_headers)
        except TooLarge:
            if begun:
                raise
            await _refuse(413, too_large(limit))(scope, receive, send)
        except ClientDisconnect:
            logger.info("a request to %s broke off", scope["path"])

    def _limit(self, scope: Scope) -> int:
        """Bytes that the body of a request may have."""
        upload = scope["path"] in UPLOADS and scope["method"] == "POST"
        return self._largest_upload if upload else LARGEST_BODY

    def _refusal(self, headers: Headers, method: str) -> tuple[int, str] | None:
        """Why a request is not answered, with its status; None if it is."""
        named = HOST.fullmatch(headers.get("host", ""))
        host = named[1].strip("[]").lower() if named else ""
        if host not in self._hosts and not (self._addresses and _is_address(host)):
            return 403, (
                "This page answers on this machine only. Open it under the address that `pestle up` printed, "
                "or have this name added to PESTLE_WEB_NAMES."
            )
        origin = headers.get("origin")
        foreign = origin is not None and _place(origin) != headers.get("host")
        if method not in ("GET", "HEAD") and (foreign or headers.get("x-pestle") != "page"):
            return 403, "Only the page itself may do this."
        return None


def too_large(limit: int) -> str:
    """What is said of a body over its limit."""
    return f"This is larger than {limit / 1e6:g} MB, and was not taken."


def _place(origin: str) -> str:
    """Host and port of an origin; "" for one that is none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _malformed(scope: Scope, headers: Headers, limit: int) -> tuple[int, str] | None:
    """What is wrong with the form of a request: no file, database or header of ours takes a NUL."""
    if "\0" in scope["path"] or b"%00" in scope["query_string"]:
        return 400, "The address is malformed."
    length = headers.get("content-length", "0")
    if not LENGTH.fullmatch(length) or int(length) > limit:
        return 413, too_large(limit)
    return None


def _limited(receive: Receive, limit: int) -> Receive:
    """`receive` that raises `TooLarge` once a body goes beyond its limit, whatever its head says."""
    got = 0

    async def bounded() -> Message:
        nonlocal got
        message = await receive()
        got += len(message.get("body", b""))
        if got > limit:
            raise TooLarge
        return message

    return bounded


def _refuse(status: int, reason: str) -> PlainTextResponse:
    """The answer to a request that is refused. The connection ends: what of the body is left is not read."""
    logger.info("a request to the page is refused: %s", reason)
    return PlainTextResponse(reason, status, {"connection": "close"})
