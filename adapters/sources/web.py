"""`Web` over HTTP: within the limits of each database, patient with a busy one and not with a dead one."""

import asyncio
import logging
import random
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib.metadata import version

import httpx
from tenacity import AsyncRetrying, RetryCallState, stop_after_attempt, stop_after_delay

from adapters.logs import hide
from adapters.sources.breaker import Breaker
from adapters.sources.keys import Keys, KeysHidden
from agents.databases.memory import address
from agents.databases.ports import WebReply, WebRequest
from agents.errors import ToolFailed
from agents.tools.limited import RateLimit

ADDRESS = re.compile(r"https?://[\w.-]+(?::\d+)?(?:/[\w.~:,@+-]*)*", re.ASCII)
"""An address without parameters: what a reply names must not lead to another page of the host."""
TWO_LEVELS = ("ac", "co", "com", "edu", "gov", "net", "org")
"""Second-level domains of countries, below which sites are registered (ebi.ac.uk)."""
log = logging.getLogger(__name__)
BUSY = frozenset((408, 425, 429, 500, 502, 503, 504))
"""Statuses after which the same request may succeed."""
NOTHING = re.compile(r"not found|no valid lookup|no matches|no results|does not exist", re.IGNORECASE)
"""What databases say with status 400 where others reply 404."""
RELEASES = ("x-uniprot-release", "x-data-release", "x-ensembl-release")
"""Headers in which a database names its release."""
ACCEPT = "application/json, text/plain;q=0.9, */*;q=0.8"
REDIRECTS = 3
SHOWN = 200
USUAL = (3, 1.0)
CONNECT_S = 4.0
DEAD_ATTEMPTS = 2


@dataclass(frozen=True, slots=True)
class WebLimits:
    """Seconds of one attempt, attempts in all, the longest pause that a database may ask for in seconds,
    bytes of a reply, and for how many seconds a dead host is left alone.
    """

    seconds: float = 20.0
    attempts: int = 3
    pause: float = 30.0
    size: int = 32 * 2**20
    rest: float = 300.0


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The clock and what waits; tests bring their own."""

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))


class _Again(Exception):
    """An attempt failed in a way that another one may mend, after `after` seconds if the database says so."""

    def __init__(
        self, why: str, after: float | None = None, *, dead: bool = False, slow: bool = False
    ) -> None:
        super().__init__(why)
        self.why, self.after, self.dead, self.slow = why, after, dead, slow


class HttpWeb:
    """`Web` over HTTP.

    `paces` says how often a source may be asked, (calls, seconds); `titles` what it is called for readers;
    `keys` puts keys into requests and keeps them out of everything else. A host that cannot be reached is
    left alone for a while, and whoever asks is told at once.
    """

    def __init__(
        self,
        paces: Mapping[str, tuple[int, float]],
        keys: Keys | None = None,
        limits: WebLimits | None = None,
        around: Surroundings | None = None,
        titles: Mapping[str, str] | None = None,
    ) -> None:
        self._paces = paces
        self._titles = titles or {}
        self._keys = keys or Keys()
        self._limits = limits or WebLimits()
        self._around = around or Surroundings()
        self._rates: dict[str, RateLimit] = {}
        self._breakers: dict[str, Breaker] = {}
        agent = {"User-Agent": f"pestle/{version('pestle')}", "Accept": ACCEPT}
        timeout = httpx.Timeout(None, connect=min(CONNECT_S, self._limits.seconds))
        self._client = httpx.AsyncClient(headers=agent, follow_redirects=False, timeout=timeout)
        hide(KeysHidden)

    async def fetch(self, request: WebRequest) -> WebReply | None:
        """See `Web`."""
        if not is_plain(request.url):
            raise ToolFailed(f"{self._title(request)} was not asked: an identifier in its address is odd.")
        host = _host(request)
        breaker = self._breakers.setdefault(host, Breaker(self._limits.rest, self._around.clock))
        try:
            return await self._patiently(request, host, breaker)
        except _Again as failed:
            if failed.dead:
                breaker.trip(f"{host} could not be reached")
            elif failed.slow:
                breaker.strike(f"{host} did not reply in time")
            elif failed.after is not None:
                breaker.trip(f"{host} asked for a pause", failed.after)
            raise ToolFailed(f"{self._title(request)} could not be asked: {failed.why} ({host}).") from failed
        finally:
            breaker.seen()

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    def _title(self, request: WebRequest) -> str:
        return self._titles.get(request.source, request.source)

    async def _patiently(self, request: WebRequest, host: str, breaker: Breaker) -> WebReply | None:
        """The reply after as many attempts as it takes. Raises `_Again` for the last one that failed."""
        rate = self._rate(request.source, host)
        retrying = AsyncRetrying(
            stop=stop_after_attempt(self._limits.attempts) | stop_after_delay(2 * self._limits.seconds),
            retry=_worth_it(self._limits.pause),
            wait=_pause,
            sleep=self._around.sleep,
            reraise=True,
        )
        await rate.wait()  # before the first attempt: who waits in line has not begun
        async for attempt in retrying:
            with attempt:
                if attempt.retry_state.attempt_number > 1:
                    await rate.wait()
                if why := breaker.open:  # another request may have found the host dead meanwhile
                    raise ToolFailed(f"{self._title(request)} is not asked: {why}")
                return await self._once(request)
        raise AssertionError("tenacity raises the last failure")

    def _rate(self, source: str, host: str) -> RateLimit:
        """The limit of a source. Databases of NCBI share one host and one limit."""
        name = host if self._keys.pace(host) else source
        if name not in self._rates:
            calls, seconds = self._keys.pace(host) or self._paces.get(source, USUAL)
            self._rates[name] = RateLimit(calls, seconds, clock=self._around.clock, sleep=self._around.sleep)
        return self._rates[name]

    async def _once(self, request: WebRequest) -> WebReply | None:
        """One attempt. Raises `_Again`, `ToolFailed`."""
        try:
            async with asyncio.timeout(self._limits.seconds):
                return await self._exchange(request)
        except TimeoutError:
            raise _Again(f"no reply within {self._limits.seconds:g} s", slow=True) from None
        except (httpx.ConnectError, httpx.ConnectTimeout):
            raise _Again("its host cannot be reached", dead=True) from None
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise ToolFailed(f"{self._title(request)} cannot be asked: {type(error).__name__}.") from None
        except httpx.DecodingError:
            raise ToolFailed(
                f"{self._title(request)} replied with something that cannot be unpacked."
            ) from None
        except httpx.HTTPError as error:
            raise _Again(f"the connection broke ({type(error).__name__})") from None

    async def _exchange(self, request: WebRequest) -> WebReply | None:
        params = self._keys.given(_host(request), request.params)
        sent = self._client.build_request(
            "POST" if request.body else "GET",
            httpx.URL(address(WebRequest(request.source, request.url, params))),
            content=request.body or None,
            headers={"Content-Type": "application/json"} if request.body else {},
        )
        for _ in range(1 + REDIRECTS):
            response = await self._client.send(sent, stream=True)
            try:
                if response.next_request is None:
                    text = self._keys.without(await self._text(response, request))
                    return self._judged(request, response, text)
            finally:
                await response.aclose()
            if not stays(sent.url, response.next_request.url):
                raise ToolFailed(f"{self._title(request)} was not asked: it points to another site.")
            sent = response.next_request
        raise ToolFailed(f"{self._title(request)} was not asked: it points from page to page.")

    async def _text(self, response: httpx.Response, request: WebRequest) -> str:
        """The body. Raises `ToolFailed` as soon as it is larger than is taken."""
        body = bytearray()
        async for piece in response.aiter_bytes():
            body += piece
            if len(body) > self._limits.size:
                most = self._limits.size // 2**20
                raise ToolFailed(f"{self._title(request)} replied with more than {most} MB. Ask for less.")
        return decoded(bytes(body), response.charset_encoding)

    def _judged(self, request: WebRequest, response: httpx.Response, text: str) -> WebReply | None:
        status, name = response.status_code, self._title(request)
        if status == 404 or (status == 400 and NOTHING.search(text[:2000])):
            return None
        if status in BUSY:
            raise _Again(f"it replied {status}", wanted_pause(response, self._around.now()))
        if status in (401, 403):
            raise ToolFailed(f"{name} refused the request ({status}). Check its key, if one is set.")
        if status >= 300:
            log.info("%s refused the request (%s): %s", name, status, " ".join(text[:SHOWN].split()))
            raise ToolFailed(f"{name} refused the request ({status}).")
        release = next((found for name in RELEASES if (found := response.headers.get(name))), "")
        return WebReply(text, address(request), self._around.now().date().isoformat(), release)


def _worth_it(longest: float) -> Callable[[RetryCallState], bool]:
    """Whether to try again: not after a pause that is longer than is waited, and a dead host only once."""

    def short(state: RetryCallState) -> bool:
        error = state.outcome.exception() if state.outcome else None
        if not isinstance(error, _Again) or (error.dead and state.attempt_number >= DEAD_ATTEMPTS):
            return False
        return error.after is None or error.after <= longest

    return short


def _pause(state: RetryCallState) -> float:
    """Seconds before the next attempt: as the database says, else 0.5 s, 1 s, 2 s and a little by chance."""
    error = state.outcome.exception() if state.outcome else None
    if isinstance(error, _Again) and error.after is not None:
        return error.after
    return float(0.5 * 2 ** (state.attempt_number - 1) * random.uniform(1.0, 1.25))


def _host(request: WebRequest) -> str:
    try:
        return httpx.URL(request.url).host or request.url
    except httpx.InvalidURL:
        return request.url


def wanted_pause(response: httpx.Response, now: datetime) -> float | None:
    """What Retry-After says, in seconds: it holds a number or a date."""
    said = response.headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,6}", said):
        return float(said)
    try:
        return max(0.0, (parsedate_to_datetime(said) - now).total_seconds())
    except (ValueError, TypeError):
        return None


def decoded(body: bytes, charset: str | None) -> str:
    """A body as text; what does not fit its encoding becomes a replacement character."""
    try:
        return body.decode(charset or "utf-8", errors="replace")
    except LookupError:
        return body.decode("utf-8", errors="replace")


def is_plain(url: str) -> bool:
    """Whether an address has a host and a path of plain names alone, none of which leads upwards."""
    return bool(ADDRESS.fullmatch(url)) and ".." not in url


def stays(before: httpx.URL, after: httpx.URL) -> bool:
    """Whether a redirect stays on the same site, and does not leave encryption."""
    safe = after.scheme == "https" or (after.scheme == before.scheme and after.netloc == before.netloc)
    return safe and _site(before.host) == _site(after.host)


def _site(host: str) -> str:
    """The registered name of a host: ebi.ac.uk of www.ebi.ac.uk."""
    labels = host.casefold().split(".")
    if host.replace(".", "").isdigit():
        return host
    below = 3 if len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in TWO_LEVELS else 2
    return ".".join(labels[-below:])
