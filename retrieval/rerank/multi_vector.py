"""Late interaction over BGE-M3's vectors: each piece of the question looks for its best partner in a text.

Method: Chen et al. 2024, section 3.2; DiscoVerse, Appendix A.4, with its threshold.
"""

import asyncio
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from retrieval.ports import Vectors

THRESHOLD = 0.5
"""DiscoVerse, Appendix A.4."""


class MultiVectorEncoder(Protocol):
    """An encoder that gives a vector for each piece."""

    name: str

    async def multi_vectors(self, texts: Sequence[str]) -> list[Vectors]:
        """For each text (pieces, d) float32, rows of unit length."""
        ...


class MultiVector:
    """`Reranker`: mean over the question's pieces of the best cosine in the text; cosines under 0 count 0."""

    def __init__(self, encoder: MultiVectorEncoder, threshold: float = THRESHOLD) -> None:
        self.name = f"multi-vector-{encoder.name}"
        self.threshold = threshold
        self._encoder = encoder

    async def score(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n,) scores in [0, 1]."""
        asked, *found = await self._encoder.multi_vectors([question, *texts])
        return await asyncio.to_thread(max_sim, asked, found)


def max_sim(asked: Vectors, texts: Sequence[Vectors]) -> NDArray[np.float32]:
    """(n,) mean over the rows of `asked` (q, d) of the best cosine in each text's (pieces, d).

    The pieces of all texts lie one after the other, without padding that could be taken for a partner.
    """
    if not texts:
        return np.zeros(0, np.float32)
    cosines = np.concatenate(texts) @ asked.T
    starts = np.cumsum([0, *map(len, texts[:-1])])
    best: NDArray[np.float32] = np.maximum.reduceat(cosines, starts, axis=0)
    scores: NDArray[np.float32] = np.clip(best.mean(axis=1), 0, 1).astype(np.float32)
    return scores
