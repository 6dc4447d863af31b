"""How much time the run around has left, for a call that must not outlast it.

Known through a context variable, as `agents.runs.meter` is.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_left: ContextVar[Callable[[], float | None] | None] = ContextVar("seconds_left", default=None)


def seconds_left() -> float | None:
    """Seconds until the time limit of the run around, at least 0; None without one, or outside any run."""
    told = _left.get()
    left = told() if told else None
    return None if left is None else max(left, 0.0)


@contextmanager
def limited(left: Callable[[], float | None]) -> Iterator[None]:
    """Tell everything inside the block how many seconds are left."""
    token = _left.set(left)
    try:
        yield
    finally:
        _left.reset(token)
