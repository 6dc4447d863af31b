"""Hybrid search: words and meaning side by side, merged into one ranking (DiscoVerse, A.4)."""

from dataclasses import replace

from retrieval.compute.cache import Lru
from retrieval.fuse import best_first, fuse
from retrieval.ports import Encoder, Index, Vectors
from retrieval.values import Candidates, Hit, SearchRequest

CANDIDATES = 200
"""Chunks taken from each ranking before they are merged, if the request does not ask for more."""
REMEMBERED_QUERIES = 512


class HybridRetriever:
    """`Retriever` over an index and the encoder that made its vectors.

    A chunk's `score` is the fused score of both searches. The same request on the same index gives the same
    hits.
    """

    def __init__(self, index: Index, encoder: Encoder) -> None:
        self._index = index
        self._encoder = encoder
        self._queries: Lru[str, Vectors] = Lru(REMEMBERED_QUERIES)

    async def search(self, request: SearchRequest) -> list[Hit]:
        """Hits best first, at most `request.limit`, none twice. An empty question finds nothing."""
        if not request.text.strip() or request.limit < 1:
            return []
        wide = replace(request, limit=max(CANDIDATES, request.limit))
        found = near_enough(
            await self._index.candidates(wide, await self._query(request.text)), self._encoder.threshold
        )
        merged = best_first(fuse(found), request.limit)
        return await self._hits(merged, dict(found.lexical), dict(found.dense))

    async def _query(self, text: str) -> Vectors:
        """(d,) vector of a question, remembered, since each domain agent asks with the same words."""
        vector = self._queries.get(text)
        if vector is None:
            vector = (await self._encoder.encode_questions([text]))[0]
            self._queries.put(text, vector)
        return vector

    async def _hits(
        self, merged: list[tuple[str, float]], lexical: dict[str, float], dense: dict[str, float]
    ) -> list[Hit]:
        scores = dict(merged)
        return [
            Hit(
                chunk=chunk,
                record=record,
                score=scores[chunk.chunk_id],
                lexical=lexical.get(chunk.chunk_id),
                dense=dense.get(chunk.chunk_id),
            )
            for chunk, record in await self._index.found(list(scores))
        ]


def near_enough(found: Candidates, threshold: float) -> Candidates:
    """The candidates, without those by meaning that lie under `threshold`: they are near only because nothing
    is nearer.
    """
    return Candidates(found.lexical, tuple(item for item in found.dense if item[1] >= threshold))
