"""The connection to Elasticsearch: how it is secured, what is tried again, and its errors."""

import asyncio
import logging
import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from aiohttp import ServerFingerprintMismatch
from elastic_transport import ConnectionError as NoConnection
from elastic_transport import ConnectionTimeout, TlsError, TransportError
from elasticsearch import ApiError, AsyncElasticsearch

from retrieval.errors import (
    IndexDamaged,
    IndexForbidden,
    IndexUnavailable,
    RetrievalError,
    StorageFull,
)

logger = logging.getLogger(__name__)

T = TypeVar("T")
Call = Callable[[AsyncElasticsearch], Awaitable[T]]
Expected = tuple[type[ApiError], ...]

BUSY = (429, 502, 503, 504)
"""Answers that mean: not now."""
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 5.0
"""Seconds between attempts; each pause is twice as long as the one before."""
SAY_EVERY = 30.0
PASSWORD = re.compile(r"//[^/]*@")
"""User and password in an address."""
FULL = ("flood-stage", "read-only", "no space left")
"""What Elasticsearch says when its disk is full; it then refuses to write."""


@dataclass(frozen=True, slots=True)
class Server:
    """Where Elasticsearch is, and how to talk to it.

    `urls` are the addresses of one or several nodes. With https, the certificate is checked against the
    system's authorities, against those in the file `ca_certs`, or by its SHA-256 `fingerprint`. In seconds,
    `timeout` is for one request, `patience` how long a search is tried again, `write_patience` a write.
    """

    urls: tuple[str, ...] = field(repr=False)
    api_key: str = field(default="", repr=False)
    ca_certs: str = ""
    fingerprint: str = ""
    timeout: float = 30.0
    patience: float = 5.0
    write_patience: float = 300.0

    def client(self) -> AsyncElasticsearch:
        """A client; it connects when it is first used. Every certificate is checked."""
        secure: dict[str, Any] = {}
        if self.ca_certs:
            secure["ca_certs"] = self.ca_certs
        if self.fingerprint:
            secure["ssl_assert_fingerprint"] = self.fingerprint
        return AsyncElasticsearch(
            list(self.urls),
            api_key=self.api_key or None,
            request_timeout=self.timeout,
            # The other nodes are asked at once; after that `Connection` waits before it asks again.
            max_retries=len(self.urls) - 1,
            retry_on_timeout=False,
            **secure,
        )


class Connection:
    """A client that tries again what may succeed later, and raises the errors of this floor."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.client = server.client()

    async def search(self, call: Call[T], expected: Expected = ()) -> T:
        """A call that a person waits for: tried again for some seconds."""
        return await self._call(call, self.server.patience, expected)

    async def write(self, call: Call[T], expected: Expected = ()) -> T:
        """A call that changes the index and does the same when it is made twice: tried again for minutes."""
        return await self._call(call, self.server.write_patience, expected)

    async def _call(self, call: Call[T], patience: float, expected: Expected) -> T:
        """The call's answer.

        Raises `IndexUnavailable` after `patience` seconds, `expected` errors as they are, others translated.
        """
        began, said, pause = time.monotonic(), False, FIRST_PAUSE
        while True:
            try:
                answer = await call(self.client)
            except expected:
                raise
            except (ApiError, TransportError) as error:
                waited = time.monotonic() - began
                if not passing(error) or waited + pause > patience:
                    raise self.translated(error) from error
                if not said or waited > SAY_EVERY:
                    logger.warning(
                        "%s Trying again for up to %.0f s.", self._silent(error), patience - waited
                    )
                    said = True
            else:
                if said:
                    logger.warning("Elasticsearch at %s answers again.", self.place)
                return answer
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def msearch(self, alias: str, bodies: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The answers to several searches, asked in one request and answered one after the other."""
        # Part of an answer would be a wrong answer; and frequencies of words are those of all shards.
        header = {
            "index": alias,
            "allow_partial_search_results": False,
            "search_type": "dfs_query_then_fetch",
        }
        searches = [line for body in bodies for line in (header, body)]

        async def ask(client: AsyncElasticsearch) -> list[dict[str, Any]]:
            answer = await client.msearch(searches=searches, max_concurrent_searches=1)
            answers: list[dict[str, Any]] = answer["responses"]
            if late := next((one for one in answers if one["status"] in BUSY), None):
                raise ApiError(str(late["error"].get("type")), answer.meta, late)
            return answers

        return await self.search(ask)

    @property
    def place(self) -> str:
        """The server's addresses, for messages: without a password that may be in them."""
        return ", ".join(PASSWORD.sub("//", url) for url in self.server.urls)

    def translated(self, error: ApiError | TransportError) -> RetrievalError:
        """The error of this floor that an error of the client stands for."""
        if isinstance(error, TransportError) and _untrusted(error):
            return IndexForbidden(
                f"Elasticsearch at {self.place} shows a certificate that is not trusted. "
                f"Set ca_certs or fingerprint in [elasticsearch]."
            )
        if isinstance(error, TransportError) or passing(error):
            return IndexUnavailable(
                f"{self._silent(error)} Nothing is lost. Check that it runs and that "
                f"PESTLE_ELASTICSEARCH_URL is right, then repeat."
            )
        return refusal(f"Elasticsearch at {self.place}", error.status_code, _said(error))

    async def close(self) -> None:
        """Release the connections."""
        await self.client.close()

    def _silent(self, error: ApiError | TransportError) -> str:
        return f"Elasticsearch at {self.place} does not answer ({_said(error)[:200]})."


def passing(error: Exception) -> bool:
    """Whether the same call may succeed later."""
    if isinstance(error, ApiError):
        return _status(error) in BUSY and not full(_said(error))
    return isinstance(error, (NoConnection, ConnectionTimeout)) and not _untrusted(error)


def full(said: str) -> bool:
    """Whether an error comes from a full disk."""
    return any(part in said.lower() for part in FULL)


def refusal(who: str, status: int, said: str) -> RetrievalError:
    """What an answer other than "not now" means. `who` is the server, `said` its own words."""
    said = said[:500]
    if full(said):
        return StorageFull(
            f"{who} does not write any more: its disk is full ({said}). All complete documents are kept. "
            f"Free some space there, then repeat."
        )
    if status in (401, 403):
        return IndexForbidden(
            f"{who} refuses ({said}). Check the API key in PESTLE_ELASTICSEARCH_API_KEY and its role; "
            f"docs/guide/elasticsearch.md has the role that is needed."
        )
    return IndexDamaged(
        f"{who} cannot do what was asked ({said}). If the index was changed by hand, ingest into a new one."
    )


def _said(error: ApiError | TransportError) -> str:
    """The server's or the connection's own words."""
    body = error.body if isinstance(error, ApiError) else None
    reason = body.get("error") if isinstance(body, dict) else None
    if isinstance(reason, dict):
        return f"{reason.get('type')}: {reason.get('reason')}"
    return str(error.message).split("\n")[0] or type(error).__name__


def _untrusted(error: Exception) -> bool:
    """Whether the server is another than expected; the client has no error for a wrong fingerprint."""
    return isinstance(error, TlsError) or isinstance(error.__context__, ServerFingerprintMismatch)


def _status(error: ApiError) -> int:
    body = error.body
    return int(body["status"]) if isinstance(body, dict) and "status" in body else error.status_code
