"""Models whose batches can be watched, slowed and made to fail."""

import asyncio
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import Vectors
from tests.support.hashing import HashingEncoder


class SlowEncoder(HashingEncoder):
    """Hashing that takes its time, keeps what it was asked, and fails over the text "bad"."""

    def __init__(self, seconds: float = 0.0) -> None:
        super().__init__()
        self.seconds = seconds
        self.batches: list[list[str]] = []

    async def encode(self, texts: Sequence[str]) -> Vectors:
        self.batches.append(list(texts))
        await asyncio.sleep(self.seconds)
        if "bad" in texts:
            raise ValueError("bad text")
        return await super().encode(texts)

    async def encode_questions(self, questions: Sequence[str]) -> Vectors:
        return await HashingEncoder.encode(self, questions)


class WordReranker:
    """Share of the question's words in a text."""

    name = "shared words"
    threshold = 0.5

    async def score(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        words = set(question.split())
        return np.array([len(words & set(t.split())) / max(1, len(words)) for t in texts], np.float32)
