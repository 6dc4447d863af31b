"""Requests and tokens per minute, kept under an endpoint's limits by waiting beforehand."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

WINDOW_S = 60.0


@dataclass(slots=True)
class Passed:
    """A request let through at `at` (seconds of the clock), counted with `tokens`."""

    at: float
    tokens: int


class MinuteLimiter:
    """A sliding window of one minute; 0 means no limit. Requests pass in the order in which they came.

    A request that alone is over the limit passes when the window is empty.
    """

    def __init__(
        self,
        requests: int,
        tokens: int,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._requests, self._tokens = requests, tokens
        self._clock, self._sleep = clock, sleep
        self._passed: deque[Passed] = deque()
        self._turn = asyncio.Lock()

    async def enter(self, tokens: int) -> Passed:
        """Wait until a request with about so many tokens fits, and count it."""
        async with self._turn:
            while wait := self._wait(tokens):
                await self._sleep(wait)
            passed = Passed(self._clock(), tokens)
            self._passed.append(passed)
            return passed

    def _wait(self, tokens: int) -> float:
        now = self._clock()
        while self._passed and self._passed[0].at <= now - WINDOW_S:
            self._passed.popleft()
        over_requests = self._requests and len(self._passed) >= self._requests
        used = sum(request.tokens for request in self._passed)
        over_tokens = self._tokens and self._passed and used + tokens > self._tokens
        return self._passed[0].at + WINDOW_S - now if over_requests or over_tokens else 0.0
