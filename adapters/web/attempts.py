"""How often something may be tried: a count over the last minutes, by key, in this process."""

import time
from collections import deque
from collections.abc import Callable

from retrieval.compute.cache import Lru

KEPT = 10_000
"""Keys remembered; of more the one that was tried longest ago is forgotten."""


class Attempts:
    """At most `most` attempts in `seconds` for each key."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._tried = Lru[str, deque[float]](KEPT)

    def wait(self, key: str) -> float:
        """Seconds until the next attempt is allowed; 0 if it is now."""
        tried, now = self._tried.get(key) or deque[float](), self._clock()
        while tried and tried[0] <= now - self._seconds:
            tried.popleft()
        return tried[0] + self._seconds - now if len(tried) >= self._most else 0.0

    def note(self, key: str) -> None:
        """Count an attempt."""
        tried = self._tried.get(key) or ()
        self._tried.put(key, deque((*tried, self._clock()), maxlen=self._most))

    def forget(self, key: str) -> None:
        """Begin to count anew."""
        self._tried.put(key, deque())
