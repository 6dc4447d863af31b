"""Rate limits: a source is asked only so often, and whoever came first is served first."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable

from agents.tools.allowance import in_line


class RateLimit:
    """At most `calls` in any `seconds`. Those who wait go in the order in which they came.

    `clock` gives seconds and `sleep` waits for some; tests bring their own.
    """

    def __init__(
        self,
        calls: int,
        seconds: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        if calls < 1 or seconds <= 0:
            raise ValueError("a rate limit allows at least one call in a time of more than 0 seconds")
        self._seconds = seconds
        self._clock = clock
        self._sleep = sleep
        self._started: deque[float] = deque(maxlen=calls)
        self._turn = asyncio.Lock()  # wakes its waiters in order; the one that sleeps holds it

    async def wait(self) -> None:
        """Return as soon as one more call may start. The wait counts in no allowance."""
        async with in_line(), self._turn:
            if len(self._started) == self._started.maxlen:
                while (left := self._started[0] + self._seconds - self._clock()) > 0:
                    await self._sleep(left)
            self._started.append(self._clock())
