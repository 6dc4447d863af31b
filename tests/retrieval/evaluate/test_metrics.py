"""The measures by hand, and against trec_eval's own code."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.evaluate.metrics import Scores, mean, score

pytrec_eval = pytest.importorskip("pytrec_eval", reason="comes with the extra dev")

names = [f"d{n:03}" for n in range(150)]
rankings = st.permutations(names).map(lambda order: order[:120])
judged = st.dictionaries(st.sampled_from(names), st.integers(0, 3), min_size=1).filter(
    lambda g: max(g.values()) > 0
)


def test_by_hand() -> None:
    found = score(["x", "a", "y", "b"], {"a": 2, "b": 1, "c": 1, "y": 0})
    best = 2 + 1 / math.log2(3) + 1 / 2
    assert found.ndcg == pytest.approx((2 / math.log2(3) + 1 / math.log2(5)) / best)
    assert found.recall == pytest.approx(2 / 3)
    assert found.reciprocal_rank == 0.5


def test_nothing_found_is_zero_and_the_best_order_is_one() -> None:
    assert score([], {"a": 1}) == Scores(0.0, 0.0, 0.0)
    assert score(["b", "a"], {"a": 1, "b": 3}) == Scores(1.0, 1.0, 1.0)


def test_ranks_behind_the_tenth_count_only_for_recall() -> None:
    assert score([f"x{n}" for n in range(10)] + ["a"], {"a": 1}) == Scores(0.0, 1.0, 0.0)


def test_means_are_over_queries() -> None:
    assert mean({"1": Scores(1.0, 1.0, 0.5), "2": Scores(0.0, 0.5, 0.0)}) == Scores(0.5, 0.75, 0.25)


@given(rankings, judged)
def test_equal_to_trec_eval(ranking: list[str], grades: dict[str, int]) -> None:
    run = {name: float(-rank) for rank, name in enumerate(ranking)}
    first = {name: run[name] for name in ranking[:10]}
    evaluator = pytrec_eval.RelevanceEvaluator({"q": grades}, {"ndcg_cut_10", "recall_100", "recip_rank"})
    theirs, cut = evaluator.evaluate({"q": run})["q"], evaluator.evaluate({"q": first})["q"]
    ours = score(ranking, grades)
    assert ours.ndcg == pytest.approx(theirs["ndcg_cut_10"])
    assert ours.recall == pytest.approx(theirs["recall_100"])
    assert ours.reciprocal_rank == pytest.approx(cut["recip_rank"])
