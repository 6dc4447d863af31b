"""Remembers what was computed lately, since the agents of one run ask with the same words."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import Reranker

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

REMEMBERED_SCORES = 50_000
"""Scores of pairs that are kept, about 10 MB."""


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


class RememberedScores:
    """`Reranker` that remembers scores: a pair that was scored lately, or comes twice, is computed once."""

    def __init__(self, reranker: Reranker, remembered: int = REMEMBERED_SCORES) -> None:
        self.name = reranker.name
        self.threshold = reranker.threshold
        self._reranker = reranker
        self._scores: Lru[bytes, float] = Lru(remembered)

    async def score(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n,) scores of the reranker."""
        keys = [_key(question, text) for text in texts]
        by_key = dict(zip(keys, texts, strict=True))

        async def scored(new: list[bytes]) -> list[float]:
            found: list[float] = (await self._reranker.score(question, [by_key[key] for key in new])).tolist()
            return found

        scores = await self._scores.all(keys, scored)
        return np.array([scores[key] for key in keys], np.float32)


def _key(question: str, text: str) -> bytes:
    """A pair in 16 bytes; the length keeps ("ab", "c") and ("a", "bc") apart."""
    head = f"{len(question)}:{question}"
    return hashlib.blake2b((head + text).encode("utf-8", "surrogatepass"), digest_size=16).digest()
