"""A breaker: a host that is dead is left alone for a while, so that nobody waits for it again and again."""

import math
from collections.abc import Callable

STRIKES = 3
"""How often in a row a host may be too slow before it counts as dead."""


class Breaker:
    """Of one host. `rest` is for how many seconds it is left alone, `clock` gives seconds."""

    def __init__(self, rest: float, clock: Callable[[], float]) -> None:
        self._rest = rest
        self._clock = clock
        self._until = -math.inf
        self._why = ""
        self._strikes = 0
        self._failed = False

    @property
    def open(self) -> str:
        """Why the host is left alone and how long still; "" if it may be asked."""
        left = self._until - self._clock()
        if left <= 0:
            return ""
        wait = f"{math.ceil(left)} s" if left < 90 else f"{math.ceil(left / 60)} minutes"
        return f"{self._why}. It is asked again in {wait}."

    def trip(self, why: str, seconds: float | None = None) -> None:
        """Leave the host alone from now on: it cannot be reached, or asked for a pause of some seconds."""
        self._failed = True
        self._why = why
        self._until = self._clock() + min(self._rest if seconds is None else seconds, 3 * self._rest)

    def strike(self, why: str) -> None:
        """The host was too slow."""
        self._failed = True
        self._strikes += 1
        if self._strikes >= STRIKES:
            self.trip(why)
            self._strikes = 0

    def seen(self) -> None:
        """A request is over. If it did not fail by the host, the host is alive."""
        if not self._failed:
            self._strikes = 0
        self._failed = False
