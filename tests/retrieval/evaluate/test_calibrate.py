from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from retrieval.calibration import DEFAULTS
from retrieval.evaluate.beir import Article, Collection
from retrieval.evaluate.calibrate import exceeded_by, learn_calibration, learn_fusion, unjudged
from retrieval.index.memory import MemoryIndex
from retrieval.values import Candidates
from tests.retrieval.evaluate.test_run import COLLECTION, ENCODER, silent


class Shared:
    """Scores a text by the share of the question's words that it has."""

    name = "shared words"
    threshold = 0.7

    async def score(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        words = set(question.lower().split())
        return np.array([len(words & set(text.lower().split())) / len(words) for text in texts], np.float32)


async def test_a_calibration_says_what_it_was_learnt_on_and_for() -> None:
    learnt = await learn_calibration(
        COLLECTION,
        MemoryIndex(ENCODER),
        ENCODER,
        Shared(),
        index_name="memory",
        date="2026-01-31",
        progress=silent,
    )
    found = learnt.calibration
    assert (found.encoder, found.reranker) == (ENCODER.name, "shared words")
    assert found.dense_threshold is not None
    assert 0 < found.dense_threshold < 1
    assert found.rerank_threshold == 0.75
    assert learnt.others_passing == 0.0
    assert found.learnt_on is not None
    assert (found.learnt_on.queries, found.learnt_on.judgements) == (11, 11)
    assert (found.learnt_on.sha256, found.learnt_on.date) == (COLLECTION.sha256, "2026-01-31")


@pytest.mark.parametrize(("share", "expected"), [(1.0, 0.001), (0.98, 0.02), (0.5, 0.5)])
def test_a_threshold_is_what_that_share_exceeds_or_equals(share: float, expected: float) -> None:
    values = [n / 1000 for n in range(1, 1001)]
    assert exceeded_by(share, values) == pytest.approx(expected, abs=0.0015)
    assert sum(value >= exceeded_by(share, values) for value in values) >= share * len(values)


def judged(queries: int) -> Collection:
    grades = {f"q{n}": {f"d{n}": 1} for n in range(queries)}
    return Collection("", "", "", (Article("d0", "", ""),), dict.fromkeys(grades, "?"), grades)


def test_weights_are_learnt_where_they_help() -> None:
    collection = judged(40)
    noise = tuple((f"a{n}#0", 1 - n / 10) for n in range(10))
    near = {name: Candidates(noise, ((f"d{name[1:]}#0", 0.9), ("y#0", 0.1))) for name in collection.queries}
    fusion, default, held_out = learn_fusion(collection, near)
    assert fusion.lexical_weight < 0.5
    assert sum(s.ndcg for s in held_out.scores.values()) > sum(s.ndcg for s in default.scores.values())


def test_the_default_stays_where_nothing_is_better() -> None:
    collection = judged(40)
    near = {name: Candidates(((f"d{name[1:]}#0", 0.9),)) for name in collection.queries}
    fusion, _, _ = learn_fusion(collection, near)
    assert fusion == DEFAULTS.fusion


def test_what_is_judged_relevant_is_not_among_the_others() -> None:
    ranking = (("d1#0", 0.9), ("d2#0", 0.8), ("d1#1", 0.7), ("d3#0", 0.6), ("d4#0", 0.5))
    assert unjudged(judged(3), "q1", ranking) == [("d2#0", 0.8), ("d3#0", 0.6)]
