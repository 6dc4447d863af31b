"""The page's log-in, where others than this machine can reach it: sessions, and who may do what with one.

A browser keeps a random token in a cookie that scripts cannot read; the database keeps its hash. What changes
something also carries a second token, which only the page itself knows. Attempts are counted.
"""

import asyncio
import hashlib
import hmac
import ipaddress
import re
import secrets
import time
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import quote

from jinja2 import Environment
from pydantic import BaseModel, ConfigDict, Field
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from adapters.door import borne
from adapters.web.attempts import Attempts
from adapters.web.oidc import WAITS_S, NotEntered, Oidc
from adapters.web.passwords import LONGEST, fits, plain_name
from bot.accounts import Accounts, token_key
from bot.rights import NO_ADMIN, PAGE, Permits, allowed
from bot.values import ThreadRef

COOKIE, BEGUN = "pestle_session", "pestle_begun"
"""Cookies of a session, and of a log-in that was begun elsewhere."""
THE_PAGE = ThreadRef(PAGE, "", "")
USER = "you"
"""Who asks where nobody logs in: whoever sits at this machine."""
BACK = "/login/company/back"
OPEN = ("/login", "/login/company", BACK, "/health")
SAFE = ("GET", "HEAD")
QUARTER_S = 900.0
HASHING = 2
"""Passwords checked at a time; each takes 64 MiB."""
LARGEST_LOGIN = 16_384
"""Bytes."""
WRONG = "The name or the password is not right."
LOOK_AGAIN_S = 5.0
"""How often an open stream looks whether its session is still one."""
_OWN_PAGE = re.compile(r"/(\?[A-Za-z0-9_=&%-]*)?")


class Presented(NamedTuple):
    """The account whose session it is ("" for none), its key, and the token of a cookie."""

    name: str
    key: str
    cookie: str


@dataclass(frozen=True, slots=True)
class Door:
    """What the log-in works with: accounts, seconds that a session lasts, and what was tried lately."""

    accounts: Accounts
    seconds: float
    of_person: Attempts = field(default_factory=lambda: Attempts(5, QUARTER_S))
    """Failures with one name from one address."""
    of_address: Attempts = field(default_factory=lambda: Attempts(30, QUARTER_S))
    of_name: Attempts = field(default_factory=lambda: Attempts(100, QUARTER_S))
    """From everywhere: more than a stranger needs to lock somebody out, and too few to guess a password."""
    of_changes: Attempts = field(default_factory=lambda: Attempts(240, 60.0))
    """What one person asks, presses and uploads."""
    hashing: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(HASHING))
    company: Oidc | None = None
    """The log-in of the company, where there is one."""
    may_change: Permits = allowed
    """Who may change the archive."""

    async def who(self, scope: Scope) -> Presented:
        """Who sends a request: by a personal token, which no other site can have a browser send, or a
        session's cookie.
        """
        token, cookie = borne(scope), HTTPConnection(scope).cookies.get(COOKIE, "")
        key = token_key(token) if token else key_of(cookie)
        known = await self.accounts.in_session(key) if token or cookie else ""
        return Presented(known, key, "" if token else cookie)


class Credentials(BaseModel):
    """What the log-in form sends."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(max_length=100)
    password: str = Field(max_length=LONGEST)
    next: str = Field("/", max_length=2_000)


def key_of(token: str) -> str:
    """Under which the database knows a session."""
    return hashlib.sha256(f"session:{token}".encode(errors="replace")).hexdigest()


def csrf_of(token: str) -> str:
    """The second token of a session, from which the first cannot be told."""
    return hmac.new(token.encode(errors="replace"), b"pestle page", hashlib.sha256).hexdigest()


def asker(request: Request) -> str:
    """Who sends this request."""
    return str(getattr(request.state, "user", USER))


def actor(request: Request) -> str:
    """The same person as the audit names them."""
    return f"{PAGE}:{asker(request)}"


def login_routes(door: Door, jinja: Environment) -> list[Route]:
    """The routes."""
    room = LogIn(door, jinja)
    return [
        Route("/login", room.show),
        Route("/login", room.enter, methods=["POST"]),
        Route("/logout", room.leave, methods=["POST"]),
        *([Route("/login/company", room.go), Route(BACK, room.back)] if door.company else []),
    ]


@dataclass(frozen=True, slots=True)
class LogIn:
    """The form, and what becomes of it."""

    door: Door
    jinja: Environment

    async def show(self, request: Request) -> Response:
        """The form."""
        return self._form(_own_page(request.query_params.get("next", "/")))

    def _form(self, address: str, problem: str = "") -> Response:
        company = self.door.company is not None
        html = self.jinja.get_template("login.html").render(next=address, company=company, problem=problem)
        return HTMLResponse(html, 401 if problem else 200)

    async def go(self, request: Request) -> Response:
        """Send the browser to the company's log-in."""
        assert self.door.company is not None
        address = _own_page(request.query_params.get("next", "/"))
        try:
            place, token = await self.door.company.begin(address, _back(request))
        except NotEntered as error:
            return self._form(address, str(error))
        response = RedirectResponse(place, 303)
        self._keep(request, response, BEGUN, token, WAITS_S)
        return response

    async def back(self, request: Request) -> Response:
        """Begin a session for whom the company's log-in names."""
        company, told = self.door.company, request.query_params
        assert company is not None
        try:
            who, address = await company.entered(request.cookies.get(BEGUN, ""), told, _back(request))
        except NotEntered as error:
            return await self._not_entered(request, str(error))
        name = await self.door.accounts.enter(who.identity, who.name, who.groups)
        if not name:
            told_so = f"The account {who.name} is somebody else's. Ask who runs Pestle to remove it."
            return await self._not_entered(request, told_so)
        response = await self._begin(request, name, RedirectResponse(address, 303))
        response.delete_cookie(BEGUN)
        return response

    async def _not_entered(self, request: Request, why: str) -> Response:
        """Whom the company's log-in did not bring in; on record as often as passwords may be tried."""
        address = _address(request)
        if not self.door.of_address.wait(address):
            self.door.of_address.note(address)
            await self.door.accounts.refused("", address)
        return self._form("/", why)

    async def enter(self, request: Request) -> Response:
        """Begin a session for who knows the password."""
        body = await _small_body(request)
        if body is None:
            return PlainTextResponse("The request is too large.", 413)
        given = Credentials.model_validate_json(body)
        name = plain_name(given.name)
        if seconds := self._wait(name, request):
            told = f"Too many attempts. Try again in {seconds // 60 + 1:.0f} minutes."
            return PlainTextResponse(told, 429, {"retry-after": f"{seconds + 1:.0f}"})
        account = await self.door.accounts.get(name) if name else None
        async with self.door.hashing:
            known = await asyncio.to_thread(fits, given.password, account.secret if account else "")
        if account is None or not known:
            await self.door.accounts.refused(account.name if account else "", _address(request))
            return PlainTextResponse(WRONG, 401)
        self.door.of_person.forget(_person(name, request))
        entered = JSONResponse({"address": _own_page(given.next)})
        return await self._begin(request, account.name, entered)

    def _wait(self, name: str, request: Request) -> float:
        """Seconds to wait before another attempt; 0 counts this one, before it is known how it ends."""
        keys = (
            (self.door.of_person, _person(name, request)),
            (self.door.of_address, _address(request)),
            (self.door.of_name, name),
        )
        if seconds := max(attempts.wait(key) for attempts, key in keys):
            return seconds
        for attempts, key in keys:
            attempts.note(key)
        return 0.0

    async def _begin(self, request: Request, name: str, response: Response) -> Response:
        """A new session; one that the browser had before is over."""
        await self.door.accounts.close_session(key_of(request.cookies.get(COOKIE, "")))
        token = secrets.token_urlsafe(32)
        await self.door.accounts.open_session(name, key_of(token), self.door.seconds)
        self._keep(request, response, COOKIE, token, self.door.seconds)
        return response

    def _keep(self, request: Request, response: Response, name: str, token: str, seconds: float) -> None:
        """Have the browser keep a token."""
        safe = request.url.scheme == "https"
        response.set_cookie(name, token, int(seconds), httponly=True, samesite="lax", secure=safe)

    async def leave(self, request: Request) -> Response:
        """End the session."""
        await self.door.accounts.close_session(key_of(request.cookies.get(COOKIE, "")))
        response = JSONResponse({"address": "/login"})
        response.delete_cookie(COOKIE)
        return response


@dataclass(frozen=True, slots=True)
class SessionsOnly:
    """ASGI middleware: lets in who has a session, and nobody else beyond the log-in itself."""

    app: ASGIApp
    door: Door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Ask for a log-in, or go on with the name of who asks in `request.state.user`."""
        if scope["type"] != "http" or scope["path"] in OPEN or scope["path"].startswith("/static/"):
            return await self.app(scope, receive, send)
        who = await self.door.who(scope)
        refused = await self._refused(scope, who)
        if refused is not None:
            return await refused(scope, receive, send)
        scope.setdefault("state", {}).update(user=who.name, csrf=csrf_of(who.cookie) if who.cookie else "")
        return await self.app(scope, receive, self._while_in_session(who.key, send))

    async def _refused(self, scope: Scope, who: Presented) -> Response | None:
        """Why a request goes no further, or None."""
        headers, safe, name = Headers(scope=scope), scope["method"] in SAFE, who.name
        if not name:
            return _ask_to_log_in(scope, headers) if safe else PlainTextResponse("Log in first.", 401)
        if safe:
            return None
        given = headers.get("x-pestle-csrf", "").encode(errors="replace")
        if who.cookie and not hmac.compare_digest(given, csrf_of(who.cookie).encode()):
            return PlainTextResponse("Only the page itself may do this. Load it again.", 403)
        if seconds := self.door.of_changes.wait(name):
            return PlainTextResponse(
                "That was much at once. Wait a minute.", 429, {"retry-after": f"{seconds:.0f}"}
            )
        self.door.of_changes.note(name)
        if scope["path"].startswith("/documents") and not await self.door.may_change(THE_PAGE, name):
            return PlainTextResponse(NO_ADMIN.format(PAGE, name), 403)
        return None

    def _while_in_session(self, key: str, send: Send) -> Send:
        """Ends a long answer, such as the stream of a thread's news, soon after its session."""
        looked, over = time.monotonic(), False

        async def checked(message: Message) -> None:
            nonlocal looked, over
            if message.get("more_body") and time.monotonic() - looked > LOOK_AGAIN_S:
                looked = time.monotonic()
                over = not await self.door.accounts.in_session(key)
                message = {"type": "http.response.body"} if over else message
                await send(message)
            elif not over:
                await send(message)

        return checked


def _ask_to_log_in(scope: Scope, headers: Headers) -> Response:
    """The form for who opened an address; a line for the page's own script."""
    if "text/html" not in headers.get("accept", "") or "x-pestle" in headers:
        return PlainTextResponse("Your session is over. Load the page again and log in.", 401)
    query = scope.get("query_string", b"").decode("ascii", "replace")
    address = _own_page(f"/?{query}" if scope["path"] == "/" and query else "/")
    return RedirectResponse(f"/login?next={quote(address, safe='')}", 303)


def _back(request: Request) -> str:
    """Where the company's log-in sends a browser: the host is one that the guard knows."""
    return f"{request.url.scheme}://{request.url.netloc}{BACK}"


def _own_page(address: str) -> str:
    """Where to go after the log-in: a thread of this page, never another site."""
    return address if _OWN_PAGE.fullmatch(address) else "/"


async def _small_body(request: Request) -> bytes | None:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_LOGIN:
            return None
    return body


def _address(request: Request) -> str:
    """Whose network a request comes from: of an IPv6 address the part that a household has."""
    host = request.client.host if request.client else ""
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return host
    return str(ipaddress.ip_network((found, 64), strict=False)) if found.version == 6 else host


def _person(name: str, request: Request) -> str:
    return f"{name} {_address(request)}"
