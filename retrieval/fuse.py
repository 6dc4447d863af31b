"""Merges rankings into one. Pure functions over (name, score) pairs, best first."""

from collections.abc import Mapping, Sequence

from retrieval.index.rank import ranked

Ranking = Sequence[tuple[str, float]]

K = 60
"""Constant of reciprocal rank fusion (Cormack, Clarke & Büttcher 2009)."""


def reciprocal_ranks(rankings: Sequence[Ranking], weights: Sequence[float] | None = None) -> dict[str, float]:
    """Sum of weight / (60 + rank) over the rankings, rank from 1; no rank, no share.

    Scaled so that a name that leads every ranking gets 1. `weights` default to 1 each.
    """
    parts = weights or [1.0] * len(rankings)
    best = sum(parts) / (K + 1)
    fused: dict[str, float] = {}
    for ranking, weight in zip(rankings, parts, strict=True):
        for rank, (name, _) in enumerate(ranking, start=1):
            fused[name] = fused.get(name, 0.0) + weight / (K + rank) / best
    return fused


def weighted_sum(rankings: Sequence[Ranking], weights: Sequence[float]) -> dict[str, float]:
    """Weighted mean of scores, each ranking stretched to [0, 1] first; no score counts 0."""
    fused: dict[str, float] = {}
    for ranking, weight in zip(rankings, weights, strict=True):
        for name, score in _stretched(ranking).items():
            fused[name] = fused.get(name, 0.0) + weight * score / sum(weights)
    return fused


def best_first(fused: Mapping[str, float], limit: int) -> list[tuple[str, float]]:
    """(name, score) best first, equal scores by name, at most `limit`."""
    return ranked(fused.items(), limit)


def _stretched(ranking: Ranking) -> dict[str, float]:
    scores = [score for _, score in ranking]
    if not scores:
        return {}
    low, high = min(scores), max(scores)
    return {name: (score - low) / (high - low) if high > low else 1.0 for name, score in ranking}
