"""The best documents of each query in the order of a reranker, which reads the best chunk of each."""

from collections.abc import Mapping

from retrieval.evaluate.beir import Collection
from retrieval.evaluate.fill import Progress
from retrieval.evaluate.metrics import Scores, score
from retrieval.evaluate.systems import RERANKED, System
from retrieval.fuse import best_first
from retrieval.index.rank import ranked
from retrieval.ports import Index, Reranker


async def rerank(
    collection: Collection,
    fused: Mapping[str, Mapping[str, float]],
    index: Index,
    reranker: Reranker,
    documents: int,
    progress: Progress,
) -> System:
    """`fused` are scores of chunks by query; documents behind the best `documents` keep their place."""
    scores: dict[str, Scores] = {}
    for name, question in collection.queries.items():
        best = best_chunks(fused[name])
        first = list(best)[:documents]
        chunks = await index.chunks([best[doc_id] for doc_id in first])
        values = (await reranker.score(question, [chunk.text for chunk in chunks])).tolist()
        given = zip((chunk.doc_id for chunk in chunks), values, strict=True)
        order = [doc_id for doc_id, _ in ranked(given, documents)]
        scores[name] = score([*order, *list(best)[documents:]], collection.grades[name])
        progress("reranking", len(scores), len(collection.queries))
    return System(RERANKED, scores, f"{reranker.name}, best {documents}")


def best_chunks(fused: Mapping[str, float]) -> dict[str, str]:
    """Document to its best chunk, best document first."""
    best: dict[str, str] = {}
    for chunk_id, _ in best_first(fused, len(fused)):
        best.setdefault(chunk_id.rpartition("#")[0], chunk_id)
    return best
