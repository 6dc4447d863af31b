"""HTTP clients that read no more of an answer than an answer can have, whatever the endpoint sends.

The limit is kept while the body is read from the socket. Compressed bodies are refused, because a few
kilobytes of them can unpack to gigabytes; the clients do not ask for any.
"""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx

from adapters.llm.address import Address

LARGEST_ANSWER = 4_000_000
"""Bytes of one answer. One of 10,000 tokens, sent token by token, has about 2.5 million."""
CONNECT_S = 3.0
"""Seconds until an address counts as one where nothing listens."""
PLAIN = {"accept-encoding": "identity"}


class AnswerTooLarge(ValueError):
    """The endpoint sends more than an answer can have."""


class BoundedStream(httpx.AsyncByteStream, httpx.SyncByteStream):
    """The body of a response up to a number of bytes."""

    def __init__(self, response: httpx.Response) -> None:
        self._body = response.stream
        self._left = LARGEST_ANSWER

    async def __aiter__(self) -> AsyncIterator[bytes]:
        assert isinstance(self._body, httpx.AsyncByteStream)
        async for chunk in self._body:
            yield self._counted(chunk)

    def __iter__(self) -> Iterator[bytes]:
        assert isinstance(self._body, httpx.SyncByteStream)
        for chunk in self._body:
            yield self._counted(chunk)

    async def aclose(self) -> None:
        """Close the connection."""
        assert isinstance(self._body, httpx.AsyncByteStream)
        await self._body.aclose()

    def close(self) -> None:
        """Close the connection."""
        assert isinstance(self._body, httpx.SyncByteStream)
        self._body.close()

    def _counted(self, chunk: bytes) -> bytes:
        self._left -= len(chunk)
        if self._left < 0:
            raise AnswerTooLarge("larger than an answer can be")
        return chunk


def async_client(address: Address, seconds: float) -> httpx.AsyncClient:
    """A client for the event loop."""

    async def bound(response: httpx.Response) -> None:
        _bound(response)

    return httpx.AsyncClient(**_options(address, seconds), event_hooks={"response": [bound]})


def client(address: Address, seconds: float) -> httpx.Client:
    """A client for a thread or a process of its own. Nobody closes it, so it keeps no connection open."""
    limits = httpx.Limits(max_keepalive_connections=0)
    return httpx.Client(**_options(address, seconds), limits=limits, event_hooks={"response": [_bound]})


def _options(address: Address, seconds: float) -> dict[str, Any]:
    timeout = httpx.Timeout(seconds, connect=min(CONNECT_S, seconds))
    return {"auth": address.login, "timeout": timeout, "follow_redirects": True}


def _bound(response: httpx.Response) -> None:
    """Runs once the headers are there, before any of the body is read."""
    response.stream = BoundedStream(response)
    if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
        raise AnswerTooLarge("compressed")
