"""Whether two configurations differ over the same queries: paired randomisation (Smucker et al. 2007)."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

PERMUTATIONS = 100_000
AT_ONCE = 2_000
"""Permutations drawn together; bounds memory."""
EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Comparison:
    """`first` against `second` over their queries.

    `difference` is the mean of first minus second, `p_value` two-sided; wins are queries where `first` is
    better.
    """

    first: str
    second: str
    difference: float
    p_value: float
    wins: int
    losses: int
    ties: int


def compare(
    first: str, first_values: Mapping[str, float], second: str, second_values: Mapping[str, float]
) -> Comparison:
    """Compare a measure per query. Raises ValueError if the queries are not the same."""
    if first_values.keys() != second_values.keys():
        raise ValueError(f"{first} and {second} were not measured on the same queries")
    values = np.array([first_values[name] - second_values[name] for name in first_values])
    wins, losses = int((values > EQUAL).sum()), int((values < -EQUAL).sum())
    ties = len(values) - wins - losses
    return Comparison(first, second, float(values.mean()), p_value(values), wins, losses, ties)


def p_value(differences: np.ndarray) -> float:
    """How often a difference of means at least as large comes about when each sign is drawn by chance.

    Same differences, same value. The smallest is 1 / (permutations + 1): what was observed counts as one.
    """
    random = np.random.default_rng(0)
    observed = abs(differences.sum()) - EQUAL
    as_large = 0
    for _ in range(PERMUTATIONS // AT_ONCE):
        signs = random.integers(0, 2, (AT_ONCE, len(differences)), dtype=np.int8) * 2 - 1
        as_large += int((abs(signs @ differences) >= observed).sum())
    return (as_large + 1) / (PERMUTATIONS + 1)
