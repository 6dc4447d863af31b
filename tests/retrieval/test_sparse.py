"""Words with learnt weights as a third ranking."""

from collections.abc import Mapping, Sequence

import pytest

from retrieval.embed.hashing import HashingEncoder
from retrieval.fuse import Fusion, Method
from retrieval.index.memory import MemoryIndex
from retrieval.search import HybridRetriever
from retrieval.sparse import SparseRanker, shared
from retrieval.values import Candidates, Chunk, Document, DocumentRecord, SearchRequest
from tests.support.models import tiny_bge_m3

pytestmark = pytest.mark.timeout(300)  # importing torch and its libraries takes long on a busy machine

TEXTS = ["dogs were given a dose", "the dose given to rats", "the board met"]


class WordLengths:
    """Each word weighs as many grams as it has letters; keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def sparse(self, texts: Sequence[str]) -> list[Mapping[int, float]]:
        self.asked += texts
        return [{sum(map(ord, word)): float(len(word)) for word in text.split()} for text in texts]


def chunks(texts: Sequence[str] = TEXTS) -> list[Chunk]:
    return [Chunk(f"r#{n}", "r", n, 0, len(text), text) for n, text in enumerate(texts)]


def test_pieces_that_both_have_count_with_both_weights() -> None:
    assert shared({1: 2.0, 2: 3.0}, {2: 0.5, 3: 9.0}) == 1.5
    assert shared({}, {1: 1.0}) == 0


async def test_chunks_are_ranked_by_shared_words_and_computed_once() -> None:
    encoder = WordLengths()
    ranker = SparseRanker(encoder)
    ranking = await ranker.ranking("rats dose", chunks())
    assert ranking == (("r#1", 32.0), ("r#0", 16.0))
    assert await ranker.ranking("rats dose", chunks()[::-1]) == ranking
    assert encoder.asked == ["rats dose", *TEXTS, "rats dose"]


def test_learnt_words_count_beside_the_other_two() -> None:
    two = Candidates(lexical=(("a", 2.0), ("b", 1.0)), dense=(("b", 0.9), ("a", 0.8)))
    three = Candidates(two.lexical, two.dense, sparse=(("b", 4.0), ("a", 1.0)))
    assert Fusion(Method.MIN_MAX).fuse(two) == {"a": 0.5, "b": 0.5}
    fused = Fusion(Method.MIN_MAX, sparse_weight=0.3).fuse(three)
    assert fused["a"] == pytest.approx(0.5 / 1.3)
    assert fused["b"] == pytest.approx(0.8 / 1.3)
    with pytest.raises(ValueError, match="learnt words is 2"):
        Fusion(sparse_weight=2)


async def test_a_search_takes_them_into_account() -> None:
    index, encoder = MemoryIndex(HashingEncoder()), HashingEncoder()
    parts = chunks()
    record = DocumentRecord("r", "r.md", "0" * 64, "md", "Report")
    async with index.write() as writer:
        await writer.put(Document(record, " ".join(TEXTS)), parts, await encoder.encode(TEXTS))
    with_words = HybridRetriever(index, encoder, sparse=SparseRanker(WordLengths()))
    hits = await with_words.search(SearchRequest("dose in rats"))
    assert hits[0].chunk.text == "the dose given to rats"
    assert {hit.chunk.chunk_id for hit in hits} == {
        hit.chunk.chunk_id
        for hit in await HybridRetriever(index, encoder).search(SearchRequest("dose in rats"))
    }


async def test_bge_m3_gives_such_weights() -> None:
    ranking = await SparseRanker(tiny_bge_m3()).ranking("dose given to rats", chunks())
    assert [score for _, score in ranking] == sorted((score for _, score in ranking), reverse=True)
    assert ranking
