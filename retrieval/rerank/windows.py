"""The window of a text that a reranker reads, and a memory of the vectors of windows."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.compute.cache import Lru
from retrieval.index.words import WORD, fold, terms
from retrieval.ports import Vectors

WINDOW_WORDS = 100
"""Words in a window. Of a longer text only the window with most words of the question is read; windows
overlap by half.
"""
REMEMBERED_WINDOWS = 1024
"""Windows whose vectors are kept, at most about 110 MB."""

SPACES = re.compile(r"\s+")

Encode = Callable[[Sequence[str]], Awaitable[list[Vectors]]]


def best_window(question: str, text: str) -> str:
    """The window of `text` with most different words of the question, the first of equals."""
    words = SPACES.split(text.strip())
    starts = range(0, max(1, len(words) - WINDOW_WORDS // 2), WINDOW_WORDS // 2)
    windows = [" ".join(words[start : start + WINDOW_WORDS]) for start in starts]
    wanted = frozenset(terms(question))
    return max(windows, key=lambda window: len(wanted.intersection(WORD.findall(fold(window)))))


class Remembered:
    """The last windows that were encoded, with their vectors."""

    def __init__(self, encode: Encode, limit: int) -> None:
        self._encode = encode
        self._windows: Lru[str, NDArray[np.float16]] = Lru(limit)

    async def of(self, windows: Sequence[str]) -> Mapping[str, NDArray[np.float16]]:
        """(pieces, d) by window, without empty windows. Always in half precision, so that a score does not
        depend on what is remembered.
        """
        return await self._windows.all(filter(None, windows), self._halved)

    async def _halved(self, windows: list[str]) -> list[NDArray[np.float16]]:
        return [vectors.astype(np.float16) for vectors in await self._encode(windows)]
