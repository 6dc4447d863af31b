"""Search by words whose weights a model learnt: the sparse view of BGE-M3 (Chen et al. 2024, section 3.2).

The weights of a text take a pass of the model, so an index does not keep them. Only the best chunks of the
other two searches are ranked by them.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from retrieval.compute.cache import Lru
from retrieval.index.rank import ranked
from retrieval.values import Chunk

RANKED = 50
"""Chunks that are ranked by sparse weights: the best of the other two searches."""
REMEMBERED_TEXTS = 512
"""Texts whose weights are kept, at most about 50 MB."""


@runtime_checkable
class SparseEncoder(Protocol):
    """An encoder that also gives a weight to each piece of vocabulary in a text."""

    async def sparse(self, texts: Sequence[str]) -> list[Mapping[int, float]]:
        """For each text the weights over 0, by piece."""
        ...


class SparseRanker:
    """Ranks chunks by the pieces that they share with a question, each weighted on both sides."""

    def __init__(self, encoder: SparseEncoder, remembered: int = REMEMBERED_TEXTS) -> None:
        self._encoder = encoder
        self._texts: Lru[str, Mapping[int, float]] = Lru(remembered)

    async def ranking(self, question: str, chunks: Sequence[Chunk]) -> tuple[tuple[str, float], ...]:
        """(chunk_id, score) best first; chunks that share nothing are left out."""
        weights = {chunk.text: self._texts.get(chunk.text) for chunk in chunks}
        new = [text for text, kept in weights.items() if kept is None]
        asked, *found = await self._encoder.sparse([question, *new])
        for text, one in zip(new, found, strict=True):
            self._texts.put(text, one)
            weights[text] = one
        scores = {chunk.chunk_id: shared(asked, weights[chunk.text] or {}) for chunk in chunks}
        return tuple(ranked([(name, score) for name, score in scores.items() if score > 0], len(chunks)))


def shared(asked: Mapping[int, float], text: Mapping[int, float]) -> float:
    """Sum over the pieces that both have of the product of their weights."""
    return sum(weight * text[piece] for piece, weight in asked.items() if piece in text)
