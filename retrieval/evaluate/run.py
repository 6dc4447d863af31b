"""One evaluation: a collection in a fresh index, every query searched once, each ranking scored.

| ranking  | order of the documents                                      |
|----------|-------------------------------------------------------------|
| words    | BM25 alone                                                  |
| meaning  | the encoder alone                                           |
| both     | as `HybridRetriever` fuses them                             |
| reranked | the best of "both" in the reranker's order, if asked for    |
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from retrieval.evaluate.beir import Article, Collection
from retrieval.evaluate.metrics import Scores, mean, score
from retrieval.evaluate.significance import Comparison, compare
from retrieval.fuse import best_first, fuse
from retrieval.index.rank import ranked
from retrieval.ingest.batch_writer import BatchWriter
from retrieval.ingest.prepare import Tally, prepare
from retrieval.ingest.record import describe
from retrieval.ports import Encoder, Index, Reranker
from retrieval.search import CANDIDATES, near_enough
from retrieval.values import Candidates, Document, ParsedFile, SearchRequest

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""
WORDS, MEANING, BOTH, RERANKED = "words", "meaning", "both", "reranked"
AT_ONCE = 64
"""Queries encoded together."""
PerQuery = dict[str, Scores]


@dataclass(frozen=True, slots=True)
class RetrievalEvaluation:
    """What was measured on what: for each ranking the measures per query."""

    collection: Collection
    encoder: str
    rankings: Mapping[str, PerQuery]

    def comparisons(self) -> list[Comparison]:
        """nDCG@10 of both searches against each alone, and of the reranker against both, query by query."""
        pairs = ((BOTH, WORDS), (BOTH, MEANING), (RERANKED, BOTH))
        return [
            compare(first, ndcg(self.rankings[first]), second, ndcg(self.rankings[second]))
            for first, second in pairs
            if first in self.rankings
        ]

    def as_fields(self) -> dict[str, Any]:
        """Everything by name, per query too."""
        return {
            "collection": self.collection.name,
            "split": self.collection.split,
            "sha256": self.collection.sha256,
            "documents": len(self.collection.articles),
            "judgements": self.collection.judgements,
            "encoder": self.encoder,
            "rankings": [
                {"name": name, "mean": mean(scores), "queries": scores}
                for name, scores in self.rankings.items()
            ],
        }


def ndcg(scores: PerQuery) -> dict[str, float]:
    """nDCG@10 by query."""
    return {name: one.ndcg for name, one in scores.items()}


async def evaluate(
    collection: Collection,
    index: Index,
    encoder: Encoder,
    *,
    progress: Progress,
    reranker: Reranker | None = None,
    reranked: int = 0,
) -> RetrievalEvaluation:
    """Fill the index, which should be empty, and score each ranking on the collection's queries.

    With a reranker the best `reranked` documents of each query are also put into its order.
    """
    await fill(collection, index, encoder, progress)
    found = await search_all(collection, index, encoder, progress)
    rankings = scored(collection, found, encoder.threshold)
    if reranker is not None and reranked:
        rankings[RERANKED] = {
            name: await _reranked(
                collection, name, _fused(found[name], encoder.threshold), index, reranker, reranked
            )
            for name in collection.queries
        }
    return RetrievalEvaluation(collection, encoder.name, rankings)


async def search_all(
    collection: Collection, index: Index, encoder: Encoder, progress: Progress
) -> dict[str, Candidates]:
    """What both searches find for each query, as many chunks each as in use."""
    names = list(collection.queries)
    found: dict[str, Candidates] = {}
    for first in range(0, len(names), AT_ONCE):
        batch = [collection.queries[name] for name in names[first : first + AT_ONCE]]
        vectors = await encoder.encode_questions(batch)
        for name, text, vector in zip(names[first:], batch, vectors, strict=False):
            found[name] = await index.candidates(SearchRequest(text, limit=CANDIDATES), vector)
        progress("searching", len(found), len(names))
    return found


def scored(collection: Collection, found: Mapping[str, Candidates], threshold: float) -> dict[str, PerQuery]:
    """Words, meaning and both, with their measures per query; `threshold` is the encoder's."""
    orders: dict[str, Callable[[Candidates], list[str]]] = {
        WORDS: lambda one: [name for name, _ in one.lexical],
        MEANING: lambda one: [name for name, _ in one.dense],
        BOTH: lambda one: _fused(one, threshold),
    }
    return {
        name: {
            query: score(list(best_chunks(order(found[query]))), grades)
            for query, grades in collection.grades.items()
        }
        for name, order in orders.items()
    }


def best_chunks(chunk_ids: Iterable[str]) -> dict[str, str]:
    """Document to its best chunk, best document first: a document is as good as its best chunk."""
    best: dict[str, str] = {}
    for chunk_id in chunk_ids:
        best.setdefault(chunk_id.rpartition("#")[0], chunk_id)
    return best


def _fused(found: Candidates, threshold: float) -> list[str]:
    merged = fuse(near_enough(found, threshold))
    return [name for name, _ in best_first(merged, len(merged))]


async def _reranked(
    collection: Collection, query: str, order: list[str], index: Index, reranker: Reranker, documents: int
) -> Scores:
    """Documents behind the best `documents` keep their place; the reranker reads the best chunk of each."""
    best = best_chunks(order)
    first = list(best)[:documents]
    chunks = await index.chunks([best[doc_id] for doc_id in first])
    values = (await reranker.score(collection.queries[query], [chunk.text for chunk in chunks])).tolist()
    given = zip((chunk.doc_id for chunk in chunks), values, strict=True)
    head = [doc_id for doc_id, _ in ranked(given, documents)]
    return score([*head, *list(best)[documents:]], collection.grades[query])


async def fill(collection: Collection, index: Index, encoder: Encoder, progress: Progress) -> None:
    """Index every document of the collection, and report it."""
    writer = BatchWriter(index, encoder, Tally())
    for done, article in enumerate(collection.articles, 1):
        await writer.add(prepare(as_document(article), encoder))
        progress("encoding and indexing documents", done, len(collection.articles))
    await writer.flush()


def as_document(article: Article) -> Document:
    """A document as an ingest would make it of a Markdown file with title and text."""
    text = f"# {article.title}\n\n{article.text}" if article.title else article.text
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    record = replace(describe(ParsedFile(text), "article.md", sha256), doc_id=article.doc_id)
    return Document(record, text)
