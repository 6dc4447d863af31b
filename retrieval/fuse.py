"""Merges the rankings of both searches into one. Pure functions over (name, score) pairs, best first.

A score becomes where it lies from three standard deviations under its ranking's mean (0) to three over it (1)
(distribution-based fusion: Mazzeschi 2023), so that a hit that stands out counts more than one that is merely
first. A name that a ranking does not hold gets 0 from it. Both rankings weigh alike.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean, pstdev

from retrieval.index.rank import ranked
from retrieval.values import Candidates

Ranking = Sequence[tuple[str, float]]

SPREAD = 3
"""Standard deviations on either side of the mean that a score is stretched over."""
FLAT = 1e-9
"""Spread of scores under which they count as equal."""


def fuse(found: Candidates) -> dict[str, float]:
    """Mean of both normalised scores of every name that at least one ranking has."""
    words, meaning = normalised(found.lexical), normalised(found.dense)
    return {name: (words.get(name, 0.0) + meaning.get(name, 0.0)) / 2 for name in {**words, **meaning}}


def normalised(ranking: Ranking) -> dict[str, float]:
    """Comparable scores by name."""
    if not ranking:
        return {}
    scores = [score for _, score in ranking]
    mean, reach = fmean(scores), SPREAD * max(pstdev(scores), FLAT)
    return {name: max(0.0, (score - mean + reach) / (2 * reach)) for name, score in ranking}


def best_first(fused: Mapping[str, float], limit: int) -> list[tuple[str, float]]:
    """(name, score) best first, equal scores by name, at most `limit`."""
    return ranked(fused.items(), limit)
