"""An evaluation from documents to figures, over a collection whose answers are known."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from retrieval.calibration import Calibration
from retrieval.embed.hashing import HashingEncoder
from retrieval.embed.vector_cache import CachedEncoder
from retrieval.errors import JudgementsError, RetrievalError
from retrieval.evaluate.beir import Article, Collection
from retrieval.evaluate.metrics import Scores, mean
from retrieval.evaluate.run import against, evaluate, read_earlier
from retrieval.evaluate.systems import best_choice, by_document, learn_in_folds, tried
from retrieval.fuse import Fusion, Method
from retrieval.index.memory import MemoryIndex
from retrieval.ports import Vectors
from retrieval.search import HybridRetriever
from retrieval.sparse import SparseRanker
from retrieval.values import Candidates, SearchRequest

WORDS = ("liver", "kidney", "heart", "lung", "spleen", "bone", "skin", "eye", "tongue", "brain", "thymus")
ARTICLES = tuple(
    Article(f"d{n}", f"Report on the {word}", f"The {word} was normal.") for n, word in enumerate(WORDS)
)
QUERIES = {f"q{n}": f"how was the {word}" for n, word in enumerate(WORDS)}
COLLECTION = Collection(
    "made up", "test", "0" * 64, ARTICLES, QUERIES, {f"q{n}": {f"d{n}": 1} for n in range(len(WORDS))}
)
ENCODER = HashingEncoder(64)


class Counting(HashingEncoder):
    """Remembers what it was asked for."""

    def __init__(self) -> None:
        super().__init__(64)
        self.asked: list[str] = []

    async def encode(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return await super().encode(texts)


def silent(what: str, done: int, total: int) -> None:
    assert done <= total


async def test_documents_are_found_by_their_words_and_every_system_is_scored(tmp_path: Path) -> None:
    result = await evaluate(
        COLLECTION,
        MemoryIndex(ENCODER),
        ENCODER,
        Calibration(),
        index_name="memory",
        depth=50,
        progress=silent,
    )
    names = [system.name for system in result.systems]
    assert names == ["words", "meaning", *Method, "learnt in folds", "in use"]
    assert mean(result.system("words").scores) == Scores(1.0, 1.0, 1.0)
    assert all(system.scores.keys() == QUERIES.keys() for system in result.systems)
    written = json.loads(result.as_json([result.compared("in use", "words")]))
    assert written["systems"][0]["queries"]["q3"] == {"ndcg": 1.0, "recall": 1.0, "reciprocal_rank": 1.0}
    assert written["comparisons"][0]["p_value"] == 1.0
    file = tmp_path / "result.json"
    file.write_text(result.as_json([]))
    same = against(result, read_earlier(file))
    assert [(one.difference, one.wins) for one in same] == [(0.0, 0)] * len(names)
    with pytest.raises(JudgementsError, match="same queries"):
        against(result, {name: {"other": 1.0} for name in read_earlier(file)})


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"encoder": "a", "index": "b", "systems": [1]}'])
def test_a_file_that_no_run_wrote_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "result.json").write_text(text)
    with pytest.raises(JudgementsError, match="--json"):
        read_earlier(tmp_path / "result.json")


async def test_what_is_in_use_ranks_as_the_retriever_does() -> None:
    index, fusion = MemoryIndex(ENCODER), Fusion(Method.MIN_MAX, 0.3)
    calibration = Calibration(fusion=fusion, dense_threshold=0.2)
    result = await evaluate(
        COLLECTION, index, ENCODER, calibration, index_name="memory", depth=100, progress=silent
    )
    retriever = HybridRetriever(index, ENCODER, calibration)
    for name, text in QUERIES.items():
        hits = await retriever.search(SearchRequest(text, limit=100))
        ranking = list(dict.fromkeys(hit.record.doc_id for hit in hits))
        relevant = next(iter(COLLECTION.grades[name]))
        assert result.system("in use").scores[name].reciprocal_rank == 1 / (ranking.index(relevant) + 1)


async def test_vectors_are_made_once(tmp_path: Path) -> None:
    for expected in (2, 0):
        inner = Counting()
        kept = CachedEncoder(inner, tmp_path / "cache" / "vectors.db")
        texts = await kept.encode(["one", "two", "one"])
        assert len(inner.asked) == expected
        assert (texts == await HashingEncoder(64).encode(["one", "two", "one"])).all()
        kept.close()


async def test_a_question_is_not_taken_for_a_text_nor_one_encoders_vector_for_anothers(
    tmp_path: Path,
) -> None:
    inner, other = Counting(), Counting()
    other.name = "other"
    kept = CachedEncoder(inner, tmp_path / "vectors.db")
    await kept.encode(["one"])
    await kept.encode_questions(["one"])
    assert inner.asked == ["one", "one"]
    kept.close()
    second = CachedEncoder(other, tmp_path / "vectors.db")
    await second.encode(["one"])
    assert other.asked == ["one"]
    second.close()


async def test_questions_are_encoded_again_with_another_instruction(tmp_path: Path) -> None:
    inner = Counting()
    for instruction in ("", "", "Find: ", "Find: "):
        kept = CachedEncoder(inner, tmp_path / "vectors.db", instruction)
        await kept.encode_questions(["one"])
        await kept.encode(["one"])
        kept.close()
    assert inner.asked == ["one", "one", "one"]


def test_a_file_of_vectors_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "vectors.db").write_text("something else " * 100)
    with pytest.raises(RetrievalError, match=r"vectors\.db cannot be read .* Delete the file"):
        CachedEncoder(Counting(), tmp_path / "vectors.db")


def test_a_document_is_as_good_as_its_best_chunk() -> None:
    assert by_document({"a#0": 0.1, "b#0": 0.5, "a#7": 0.9, "c#1#0": 0.2}) == ["a", "b", "c#1"]


def test_weights_are_learnt_where_only_one_search_is_right() -> None:
    judged = {f"q{n}": {f"d{n}": 1} for n in range(40)}
    wrong = tuple((f"x{n}#0", 1 - n / 10) for n in range(10))
    found = {name: Candidates(wrong, ((f"d{name[1:]}#0", 0.9), ("y#0", 0.1))) for name in judged}
    best = best_choice(tried(judged, found), list(judged))
    assert best.lexical_weight < 0.5
    scores, chosen = learn_in_folds(judged, tried(judged, found))
    assert mean(scores).ndcg == 1.0
    assert len(chosen) == 5


def test_a_query_is_not_scored_with_what_was_learnt_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    judged = {f"q{n}": {f"d{n}": 1} for n in range(40)}
    found = {name: Candidates((("x#0", 1.0),), ((f"d{name[1:]}#0", 0.9),)) for name in judged}
    asked: list[set[str]] = []

    def spy(scores: object, queries: Sequence[str]) -> Fusion:
        asked.append(set(queries))
        return Fusion()

    monkeypatch.setattr("retrieval.evaluate.systems.best_choice", spy)
    learn_in_folds(judged, tried(judged, found))
    left_out = [set(judged) - queries for queries in asked]
    assert set().union(*left_out) == set(judged)
    assert sum(map(len, left_out)) == len(judged)


class Sparse:
    """Learnt words that find the first query in every text; keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def sparse(self, texts: Sequence[str]) -> list[dict[int, float]]:
        self.asked += texts
        return [{0: 1.0} if text.startswith("#") or text == QUERIES["q0"] else {} for text in texts]


async def test_what_is_in_use_has_the_encoders_learnt_words() -> None:
    encoder, calibration = Sparse(), Calibration(Fusion(sparse_weight=1.0))
    result = await evaluate(
        COLLECTION,
        MemoryIndex(ENCODER),
        ENCODER,
        calibration,
        index_name="memory",
        depth=50,
        progress=silent,
        sparse=SparseRanker(encoder),
    )
    assert set(QUERIES.values()) <= set(encoder.asked)
    assert result.system("in use").scores["q0"].ndcg == 1.0
