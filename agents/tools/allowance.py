"""How long a piece of work may take, without the time in which it only waits for its turn.

async with allowed(40.0):
    await tool(arguments)          # raises TimeoutError after 40 s of work

async with in_line():              # in a rate limit, or behind others that ask the same
    await turn
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar


class _Allowance:
    """The limit of one piece of work. Parts of it that run side by side may wait at the same time."""

    def __init__(self, limit: asyncio.Timeout) -> None:
        self._limit = limit
        self._waiting = 0
        self._left = 0.0

    def stop(self) -> None:
        """A part waits: the time stands still."""
        if self._waiting == 0 and (when := self._limit.when()) is not None:
            self._left = when - asyncio.get_running_loop().time()
        self._waiting += 1
        if not self._limit.expired():
            self._limit.reschedule(None)

    def go(self) -> None:
        """A part goes on: with the last one the time does."""
        self._waiting -= 1
        if self._waiting == 0 and not self._limit.expired():
            self._limit.reschedule(asyncio.get_running_loop().time() + self._left)


_CURRENT: ContextVar[_Allowance | None] = ContextVar("allowance", default=None)


@asynccontextmanager
async def allowed(seconds: float) -> AsyncIterator[None]:
    """Let what is inside work for so many seconds. Raises `TimeoutError` after that."""
    async with asyncio.timeout(seconds) as limit:
        token = _CURRENT.set(_Allowance(limit))
        try:
            yield
        finally:
            _CURRENT.reset(token)


@asynccontextmanager
async def in_line() -> AsyncIterator[None]:
    """What is inside only waits for its turn, which does not count."""
    allowance = _CURRENT.get()
    if allowance is None:
        yield
        return
    allowance.stop()
    try:
        yield
    finally:
        allowance.go()
