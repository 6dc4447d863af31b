"""The page's own protection: without a log-in it must answer only its own browser tab on this machine.

A request must name this host (against DNS rebinding), one that changes something must come from the page
itself (against other sites in the same browser), and the browser is told to run nothing but our own script.
"""

import ipaddress
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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


class Guard:
    """ASGI middleware around the page."""

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...], *, addresses: bool = False) -> None:
        """With `addresses` the host may also be any IP address: a name that was turned round is none."""
        self._app = app
        self._addresses = addresses
        self._hosts = {*hosts, "localhost", "127.0.0.1", "::1"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse what is not ours; add the headers to what is, where a route has not set stricter ones."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        if refusal := self._refusal(Headers(scope=scope), scope["method"]):
            return await PlainTextResponse(refusal, 403)(scope, receive, send)

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    given.setdefault(name, value)
            await send(message)

        return await self._app(scope, receive, with_headers)

    def _refusal(self, headers: Headers, method: str) -> str:
        """Why a request is not answered; "" if it is."""
        host = urlsplit(f"//{headers.get('host', '')}").hostname or ""
        if host not in self._hosts and not (self._addresses and _is_address(host)):
            return (
                "This page answers on this machine only. Open it under the address that `pestle up` printed, "
                "or have this name added to PESTLE_WEB_NAMES."
            )
        origin = headers.get("origin")
        foreign = origin is not None and urlsplit(origin).netloc != headers.get("host")
        if method not in ("GET", "HEAD") and (foreign or headers.get("x-pestle") != "page"):
            return "Only the page itself may do this."
        return ""


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
