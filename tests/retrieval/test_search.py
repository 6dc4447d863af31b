from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from retrieval.index.sqlite import SqliteIndex
from retrieval.ports import Vectors
from retrieval.search import HybridRetriever
from retrieval.values import Filters, SearchRequest
from tests.retrieval.contracts.test_index import ENCODER, chunked, document, store
from tests.retrieval.minilm import minilm
from tests.support.hashing import HashingEncoder


@pytest.fixture
async def retriever(tmp_path: Path) -> AsyncIterator[HybridRetriever]:
    index = SqliteIndex(tmp_path / "index.sqlite", ENCODER)
    await store(
        index,
        document("A", "The kidney finding in rats", "The liver finding in rats", molecules=("PX-1",)),
        document("B", "The kidney finding in dogs", "Budget and rooms", molecules=("PX-2",)),
    )
    yield HybridRetriever(index, ENCODER)
    await index.close()


async def test_a_hit_carries_chunk_record_and_both_scores(retriever: HybridRetriever) -> None:
    best, second, *_ = await retriever.search(SearchRequest("kidney finding dogs"))
    assert (best.chunk.chunk_id, best.record.doc_id) == ("B#0", "B")
    assert best.score > second.score > 0
    assert best.lexical is not None
    assert best.dense is not None


async def test_none_twice_best_first_and_within_the_limit(retriever: HybridRetriever) -> None:
    hits = await retriever.search(SearchRequest("the finding in rats", limit=3))
    assert len(hits) == len({hit.chunk.chunk_id for hit in hits}) == 3
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


async def test_filters_reach_both_searches(retriever: HybridRetriever) -> None:
    hits = await retriever.search(SearchRequest("kidney finding dogs", Filters(molecules=("PX-1",))))
    assert {hit.record.doc_id for hit in hits} == {"A"}


@pytest.mark.parametrize("text", ["", "  \n", "the of"])
async def test_a_question_without_words_is_no_error(retriever: HybridRetriever, text: str) -> None:
    hits = await retriever.search(SearchRequest(text))
    assert all(hit.lexical is None for hit in hits)


async def test_the_same_request_gives_the_same_hits(retriever: HybridRetriever) -> None:
    request = SearchRequest("finding in rats and dogs")
    assert await retriever.search(request) == await retriever.search(request)


class CountingEncoder(HashingEncoder):
    """Knows how often it was asked."""

    calls = 0

    async def encode(self, texts: Sequence[str]) -> Vectors:
        self.calls += 1
        return await super().encode(texts)


async def test_a_question_is_encoded_once(tmp_path: Path) -> None:
    encoder = CountingEncoder(64)
    index = SqliteIndex(tmp_path / "index.sqlite", encoder)
    retriever = HybridRetriever(index, encoder)
    for molecule in ("PX-1", "PX-2", "PX-1"):
        await retriever.search(SearchRequest("kidney", Filters(molecules=(molecule,))))
    assert encoder.calls == 1
    await index.close()


async def test_what_is_not_similar_at_all_is_not_found_by_meaning(tmp_path: Path) -> None:
    index = SqliteIndex(tmp_path / "index.sqlite", minilm())
    one = document("A", "Convulsions were seen in two dogs.", "The canteen closes at two.")
    chunks = chunked(one)
    async with index.write() as writer:
        await writer.put(one, chunks, await minilm().encode([chunk.text for chunk in chunks]))
    hits = await HybridRetriever(index, minilm()).search(SearchRequest("seizures in canines"))
    assert [hit.chunk.chunk_id for hit in hits] == ["A#0"]
    assert hits[0].lexical is None
    await index.close()
