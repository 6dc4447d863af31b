"""An evaluation from documents to figures, over a collection whose answers are known."""

from collections.abc import Sequence

import numpy as np

from retrieval.evaluate.beir import Article, Collection
from retrieval.evaluate.metrics import Scores, mean
from retrieval.evaluate.run import BOTH, MEANING, RERANKED, WORDS, best_chunks, evaluate
from retrieval.search import HybridRetriever
from retrieval.values import SearchRequest
from tests.support.hashing import HashingEncoder
from tests.support.memory_index import MemoryIndex

ORGANS = ("liver", "kidney", "heart", "lung", "spleen", "bone", "skin", "eye", "tongue", "brain", "thymus")
ARTICLES = tuple(
    Article(f"d{n}", f"Report on the {word}", f"The {word} was normal.") for n, word in enumerate(ORGANS)
)
QUERIES = {f"q{n}": f"how was the {word}" for n, word in enumerate(ORGANS)}
COLLECTION = Collection(
    "made up", "test", "0" * 64, ARTICLES, QUERIES, {f"q{n}": {f"d{n}": 1} for n in range(len(ORGANS))}
)
ENCODER = HashingEncoder(64)


def silent(what: str, done: int, total: int) -> None:
    assert done <= total


async def test_documents_are_found_by_their_words_and_every_ranking_is_scored() -> None:
    result = await evaluate(COLLECTION, MemoryIndex(ENCODER), ENCODER, progress=silent)
    assert list(result.rankings) == [WORDS, MEANING, BOTH]
    assert mean(result.rankings[WORDS]) == Scores(1.0, 1.0, 1.0)
    assert all(scores.keys() == QUERIES.keys() for scores in result.rankings.values())
    assert [(one.first, one.second) for one in result.comparisons()] == [(BOTH, WORDS), (BOTH, MEANING)]
    written = result.as_fields()
    assert written["rankings"][0]["queries"]["q3"] == Scores(1.0, 1.0, 1.0)


async def test_both_ranks_as_the_retriever_does() -> None:
    index = MemoryIndex(ENCODER)
    result = await evaluate(COLLECTION, index, ENCODER, progress=silent)
    retriever = HybridRetriever(index, ENCODER)
    for name, text in QUERIES.items():
        hits = await retriever.search(SearchRequest(text, limit=100))
        ranking = list(dict.fromkeys(hit.record.doc_id for hit in hits))
        relevant = next(iter(COLLECTION.grades[name]))
        assert result.rankings[BOTH][name].reciprocal_rank == 1 / (ranking.index(relevant) + 1)


class Backwards:
    """A reranker that puts the first text it is given last."""

    name, threshold = "backwards", 0.5

    async def score(self, question: str, texts: Sequence[str]) -> np.ndarray:
        return np.arange(len(texts), dtype=np.float32)


async def test_the_best_documents_are_put_into_the_rerankers_order() -> None:
    index = MemoryIndex(ENCODER)
    result = await evaluate(COLLECTION, index, ENCODER, progress=silent, reranker=Backwards(), reranked=2)
    first = [one for one, scores in result.rankings[BOTH].items() if scores.reciprocal_rank == 1]
    assert first
    assert all(result.rankings[RERANKED][one].reciprocal_rank == 0.5 for one in first)
    assert result.comparisons()[-1].first == RERANKED


def test_a_document_is_as_good_as_its_best_chunk() -> None:
    assert best_chunks(["a#7", "b#0", "c#1#0", "a#0"]) == {"a": "a#7", "b": "b#0", "c#1": "c#1#0"}
