import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.fuse import Fusion, Method, best_first
from retrieval.values import Candidates

Ranking = tuple[tuple[str, float], ...]


def ranking(low: float, high: float) -> st.SearchStrategy[Ranking]:
    """Scores by name, best first."""
    scores = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(low, high), max_size=6)
    return scores.map(lambda found: tuple(sorted(found.items(), key=lambda item: -item[1])))


candidates = st.builds(Candidates, ranking(0, 40), ranking(-1, 1))
fusions = st.builds(Fusion, st.sampled_from(Method), st.floats(0, 1))

DEVIATIONS = 1.5**0.5
"""By so many standard deviations "a" lies over the mean of `WORDS`."""
WORDS = (("a", 9.0), ("b", 5.0), ("c", 1.0))
MEANING = (("b", 0.6), ("d", 0.2))


@pytest.mark.parametrize(
    ("fusion", "expected"),
    [
        (Fusion(Method.RRF), {"a": 0.5 / 61, "b": 0.5 / 62 + 0.5 / 61, "c": 0.5 / 63, "d": 0.5 / 62}),
        (Fusion(Method.MIN_MAX), {"a": 0.5, "b": 0.75, "c": 0.0, "d": 0.0}),
        (Fusion(Method.MIN_MAX, 0.2), {"a": 0.2, "b": 0.9, "c": 0.0, "d": 0.0}),
        (Fusion(Method.THEORETICAL), {"a": 0.5, "b": 5 / 18 + 0.5, "c": 1 / 18, "d": 0.5 * 1.2 / 1.6}),
        (
            Fusion(Method.Z_SCORE),
            {
                "a": 0.5 * (DEVIATIONS + 3) / 6,
                "b": 0.5 * 3 / 6 + 0.5 * (1 + 3) / 6,
                "c": 0.5 * (-DEVIATIONS + 3) / 6,
                "d": 0.5 * (-1 + 3) / 6,
            },
        ),
    ],
    ids=str,
)  # fmt: skip
def test_scores_become_what_the_method_says(fusion: Fusion, expected: dict[str, float]) -> None:
    assert fusion.fuse(Candidates(WORDS, MEANING)) == pytest.approx(expected)


@pytest.mark.parametrize("method", Method)
def test_a_weight_of_one_ranks_as_that_search_alone(method: Method) -> None:
    fused = best_first(Fusion(method, 1.0).fuse(Candidates(WORDS)), 3)
    assert [name for name, _ in fused] == ["a", "b", "c"]
    fused = best_first(Fusion(method, 0.0).fuse(Candidates((), MEANING)), 3)
    assert [name for name, _ in fused] == ["b", "d"]


@pytest.mark.parametrize("weight", [-0.1, 1.1, float("nan")])
def test_a_weight_that_is_no_share_is_refused(weight: float) -> None:
    with pytest.raises(ValueError, match="0 to 1"):
        Fusion(lexical_weight=weight)


def test_a_ranking_of_equal_scores_counts_in_full_when_stretched() -> None:
    fused = Fusion(Method.MIN_MAX).fuse(Candidates((("a", 2.0), ("b", 2.0))))
    assert fused == {"a": 0.5, "b": 0.5}


@pytest.mark.parametrize("method", Method)
def test_the_only_hit_of_a_search_counts_for_something(method: Method) -> None:
    fused = Fusion(method).fuse(Candidates((("z", 2.0),), (("a", 0.5), ("z", 0.5))))
    assert fused["z"] > fused["a"]


def test_equal_scores_are_ordered_by_name() -> None:
    assert [name for name, _ in best_first({"b": 0.5, "a": 0.5, "c": 0.7}, 3)] == ["c", "a", "b"]


@given(candidates, fusions)
def test_every_name_once_and_stretched_scores_within_bounds(found: Candidates, fusion: Fusion) -> None:
    fused = fusion.fuse(found)
    assert set(fused) == {name for name, _ in (*found.lexical, *found.dense)}
    assert all(score >= 0 for score in fused.values())
    if fusion.method is not Method.Z_SCORE:
        assert all(score <= 1 + 1e-9 for score in fused.values())


@given(candidates, fusions)
def test_being_better_in_both_searches_is_better(found: Candidates, fusion: Fusion) -> None:
    fused, words, meaning = fusion.fuse(found), dict(found.lexical), dict(found.dense)
    both = words.keys() & meaning.keys()
    for one in both:
        for other in both:
            if words[one] > words[other] and meaning[one] > meaning[other]:
                assert fused[one] >= fused[other] - 1e-9
