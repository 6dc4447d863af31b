import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.fuse import best_first, fuse
from retrieval.values import Candidates

Ranking = tuple[tuple[str, float], ...]


def ranking(low: float, high: float) -> st.SearchStrategy[Ranking]:
    """Scores by name, best first."""
    scores = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(low, high), max_size=6)
    return scores.map(lambda found: tuple(sorted(found.items(), key=lambda item: -item[1])))


candidates = st.builds(Candidates, ranking(0, 40), ranking(-1, 1))

DEVIATIONS = 1.5**0.5
"""By so many standard deviations "a" lies over the mean of `WORDS`."""
WORDS = (("a", 9.0), ("b", 5.0), ("c", 1.0))
MEANING = (("b", 0.6), ("d", 0.2))


def test_a_score_is_where_it_lies_among_those_of_its_ranking() -> None:
    assert fuse(Candidates(WORDS, MEANING)) == pytest.approx(
        {
            "a": 0.5 * (DEVIATIONS + 3) / 6,
            "b": 0.5 * 3 / 6 + 0.5 * (1 + 3) / 6,
            "c": 0.5 * (-DEVIATIONS + 3) / 6,
            "d": 0.5 * (-1 + 3) / 6,
        }
    )


def test_the_only_hit_of_a_search_counts_for_something() -> None:
    fused = fuse(Candidates((("z", 2.0),), (("a", 0.5), ("z", 0.5))))
    assert fused["z"] > fused["a"]


def test_equal_scores_are_ordered_by_name() -> None:
    assert [name for name, _ in best_first({"b": 0.5, "a": 0.5, "c": 0.7}, 3)] == ["c", "a", "b"]


@given(candidates)
def test_every_name_once_and_no_score_under_zero(found: Candidates) -> None:
    fused = fuse(found)
    assert set(fused) == {name for name, _ in (*found.lexical, *found.dense)}
    assert all(score >= 0 for score in fused.values())


@given(candidates)
def test_being_better_in_both_searches_is_better(found: Candidates) -> None:
    fused, words, meaning = fuse(found), dict(found.lexical), dict(found.dense)
    both = words.keys() & meaning.keys()
    for one in both:
        for other in both:
            if words[one] > words[other] and meaning[one] > meaning[other]:
                assert fused[one] >= fused[other] - 1e-9
