import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.fuse import best_first, mean_of_stretched

rankings = st.lists(
    st.dictionaries(st.sampled_from("abcdefgh"), st.floats(-5, 5), max_size=6).map(
        lambda scores: sorted(scores.items(), key=lambda item: -item[1])
    ),
    min_size=1,
    max_size=4,
)


def test_a_name_that_leads_every_ranking_gets_one() -> None:
    fused = mean_of_stretched([[("a", 9.0), ("b", 5.0), ("c", 1.0)], [("a", 0.3)]])
    assert fused == pytest.approx({"a": 1.0, "b": 0.25, "c": 0.0})


def test_being_found_well_twice_beats_leading_once() -> None:
    fused = mean_of_stretched([[("a", 9.0), ("b", 8.0), ("d", 1.0)], [("c", 0.9), ("b", 0.8), ("e", 0.1)]])
    assert best_first(fused, 3)[0][0] == "b"


def test_a_ranking_of_equal_scores_counts_in_full() -> None:
    assert mean_of_stretched([[("a", 2.0), ("b", 2.0)]]) == {"a": 1.0, "b": 1.0}


def test_equal_scores_are_ordered_by_name() -> None:
    assert [name for name, _ in best_first({"b": 0.5, "a": 0.5, "c": 0.7}, 3)] == ["c", "a", "b"]


@given(rankings)
def test_every_name_once_and_scores_within_bounds(given_rankings: list[list[tuple[str, float]]]) -> None:
    fused = mean_of_stretched(given_rankings)
    assert set(fused) == {name for ranking in given_rankings for name, _ in ranking}
    assert all(0 <= score <= 1 + 1e-9 for score in fused.values())


@given(rankings)
def test_the_order_of_the_rankings_does_not_matter(given_rankings: list[list[tuple[str, float]]]) -> None:
    forward, backward = mean_of_stretched(given_rankings), mean_of_stretched(given_rankings[::-1])
    assert best_first(forward, 10) == best_first(backward, 10)
