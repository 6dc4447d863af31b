"""Remembers what was computed lately, since the agents of one run ask with the same words."""

import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Lru(Generic[Key, Value]):
    """At most `size` values; the one not asked for the longest goes first. Safe between threads."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._values: OrderedDict[Key, Value] = OrderedDict()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Key) -> Value | None:
        """The value, or None if it is not kept."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def put(self, key: Key, value: Value) -> None:
        """Keep a value."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > self._size:
                self._values.popitem(last=False)

    async def all(
        self, keys: Iterable[Key], compute: Callable[[list[Key]], Awaitable[Iterable[Value]]]
    ) -> dict[Key, Value]:
        """The values of all keys; those that are not kept are computed together, each once, and kept."""
        found: dict[Key, Value] = {}
        new: list[Key] = []
        for key in dict.fromkeys(keys):
            value = self.get(key)
            if value is None:
                new.append(key)
            else:
                found[key] = value
        if new:
            for key, value in zip(new, await compute(new), strict=True):
                self.put(key, value)
                found[key] = value
        return found
