from retrieval.evaluate.fill import fill
from retrieval.evaluate.rerank import best_chunks, rerank
from retrieval.index.memory import MemoryIndex
from tests.retrieval.evaluate.test_calibrate import Shared
from tests.retrieval.evaluate.test_run import COLLECTION, ENCODER, silent


async def test_only_the_best_documents_change_places() -> None:
    index = MemoryIndex(ENCODER)
    await fill(COLLECTION, index, ENCODER, silent)
    relevant = {query: next(iter(grades)) for query, grades in COLLECTION.grades.items()}
    others = {query: [f"d{n}" for n in range(11) if f"d{n}" != doc_id] for query, doc_id in relevant.items()}
    # Each query's own document lies third, behind two that have fewer words of it.
    fused = {
        query: {f"{name}#0": 1 - place / 20 for place, name in enumerate([*others[query][:2], doc_id])}
        for query, doc_id in relevant.items()
    }
    two = await rerank(COLLECTION, fused, index, Shared(), 2, silent)
    three = await rerank(COLLECTION, fused, index, Shared(), 3, silent)
    assert {scores.reciprocal_rank for scores in two.scores.values()} == {1 / 3}
    assert {scores.reciprocal_rank for scores in three.scores.values()} == {1.0}
    assert three.note == "shared words, best 3"


def test_a_document_is_read_where_it_is_best() -> None:
    assert best_chunks({"a#0": 0.1, "b#0": 0.5, "a#1": 0.9}) == {"a": "a#1", "b": "b#0"}
