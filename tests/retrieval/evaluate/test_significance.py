from itertools import product

import numpy as np
import pytest

from retrieval.evaluate.significance import PERMUTATIONS, compare, p_value


def exact(differences: list[float]) -> float:
    """The p-value over all signs."""
    sums = [abs(np.dot(signs, differences)) for signs in product((1, -1), repeat=len(differences))]
    return float(np.mean([total >= abs(sum(differences)) - 1e-9 for total in sums]))


@pytest.mark.parametrize(
    "differences",
    [[0.3, 0.1, 0.2, -0.05, 0.4, 0.0, 0.2, 0.1], [0.1, -0.1, 0.2, -0.2], [0.5] * 10, [0.0, 0.0, 0.0]],
)
def test_close_to_the_value_over_all_signs(differences: list[float]) -> None:
    assert p_value(np.array(differences)) == pytest.approx(exact(differences), abs=0.006)


def test_a_difference_that_chance_never_brings_has_the_smallest_value() -> None:
    assert p_value(np.ones(200)) == 1 / (PERMUTATIONS + 1)


def test_under_chance_small_values_are_as_rare_as_they_say() -> None:
    random = np.random.default_rng(3)
    values = [p_value(random.normal(size=30)) for _ in range(60)]
    assert 0.2 < np.mean(np.array(values) < 0.5) < 0.8
    assert np.mean(np.array(values) < 0.01) < 0.1


def test_a_comparison_counts_wins_losses_and_ties() -> None:
    found = compare("a", {"1": 0.9, "2": 0.5, "3": 0.2}, "b", {"1": 0.4, "2": 0.5, "3": 0.3})
    assert (found.wins, found.losses, found.ties) == (1, 1, 1)
    assert found.difference == pytest.approx(0.4 / 3)


def test_other_queries_cannot_be_compared() -> None:
    with pytest.raises(ValueError, match="same queries"):
        compare("a", {"1": 1.0}, "b", {"2": 1.0})
