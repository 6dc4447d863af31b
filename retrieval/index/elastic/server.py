"""The connection to Elasticsearch: how it is secured, what is tried again, and its errors."""

import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from elastic_transport import TransportError
from elasticsearch import ApiError, AsyncElasticsearch
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_before_delay, wait_exponential

from retrieval.index.elastic.faults import BUSY, passing, silent, translated

logger = logging.getLogger(__name__)

T = TypeVar("T")
Call = Callable[[AsyncElasticsearch], Awaitable[T]]
Expected = tuple[type[ApiError], ...]

FIRST_PAUSE, LONGEST_PAUSE = 0.25, 5.0
"""Seconds between attempts; each pause is twice as long as the one before."""
SAY_AFTER = 30.0
"""Seconds after which the log names every further attempt."""
CLIENT_ERRORS = (ApiError, TransportError)
PASSWORD = re.compile(r"//[^/]*@")
"""User and password in an address."""


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


def repeated(patience: float, **options: Any) -> AsyncRetrying:
    """Attempts with longer and longer pauses between them; none begins after `patience` seconds."""
    wait = wait_exponential(FIRST_PAUSE, LONGEST_PAUSE)
    return AsyncRetrying(wait=wait, stop=stop_before_delay(patience), reraise=True, **options)


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

        async def once() -> T:
            return await call(self.client)

        tell = partial(self._tell, patience)
        attempts = repeated(patience, retry=retry_if_exception(passing), before_sleep=tell)
        try:
            answer: T = await attempts(once)
        except expected:
            raise
        except CLIENT_ERRORS as error:
            raise translated(self.place, error) from error
        if attempts.statistics["attempt_number"] > 1:
            logger.warning("Elasticsearch at %s answers again.", self.place)
        return answer

    def _tell(self, patience: float, state: RetryCallState) -> None:
        """Log the first failure, and those after a long time."""
        error, waited = state.outcome and state.outcome.exception(), state.seconds_since_start or 0.0
        if isinstance(error, CLIENT_ERRORS) and (state.attempt_number == 1 or waited > SAY_AFTER):
            logger.warning("%s Trying again for up to %.0f s.", silent(self.place, error), patience - waited)

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

    async def close(self) -> None:
        """Release the connections."""
        await self.client.close()
