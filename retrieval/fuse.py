"""Merges rankings into one. Pure functions over (name, score) pairs, best first.

| method      | a score becomes                                                         |
|-------------|-------------------------------------------------------------------------|
| z-score     | where it lies from three standard deviations under the ranking's mean   |
|             | (0) to three over it (1) (distribution-based fusion: Mazzeschi 2023)    |
| rrf         | 1 / (60 + rank) (Cormack et al. 2009, section 2)                        |
| min-max     | stretched so that the ranking's worst is 0 and its best 1               |
| theoretical | stretched from the lowest possible score (0) to the ranking's best (1)  |

A name that a ranking does not hold gets 0 from it. With z-score, unlike min-max, a hit that stands out counts
more than one that is merely first, and what was found last more than what was not found.
Each ranking counts with its weight (convex combination: Bruch et al. 2023, section 4).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean, pstdev

from retrieval.index.rank import ranked
from retrieval.values import Candidates

Ranking = Sequence[tuple[str, float]]

RRF_K = 60
"""The constant of reciprocal rank fusion in its paper."""
SPREAD = 3
"""Standard deviations on either side of the mean that a z-score is stretched over."""
FLAT = 1e-9
"""Spread of scores under which they count as equal."""


class Method(StrEnum):
    """How the scores of two rankings are made comparable."""

    Z_SCORE = "z-score"
    RRF = "rrf"
    MIN_MAX = "min-max"
    THEORETICAL = "theoretical"


@dataclass(frozen=True, slots=True)
class Fusion:
    """A method, and the weight of the search by words in it; the search by meaning has the rest.

    `sparse_weight` is the weight of the sparse ranking beside these two together, where there is one. The
    default is that of Chen et al. 2024 (BGE-M3). Raises ValueError for a weight outside [0, 1].
    """

    method: Method = Method.Z_SCORE
    lexical_weight: float = 0.5
    sparse_weight: float = 0.3

    def __post_init__(self) -> None:
        if not 0 <= self.lexical_weight <= 1:
            raise ValueError(f"the weight of lexical search is {self.lexical_weight}, expected 0 to 1")
        if not 0 <= self.sparse_weight <= 1:
            raise ValueError(f"the weight of learnt words is {self.sparse_weight}, expected 0 to 1")

    def __str__(self) -> str:
        return f"{self.method}, words {self.lexical_weight:.2f}, meaning {1 - self.lexical_weight:.2f}"

    def fuse(self, found: Candidates) -> dict[str, float]:
        """Fused score of every name that at least one ranking has."""
        fused: dict[str, float] = {}
        words = normalised(found.lexical, self.method, lowest=0.0)
        meaning = normalised(found.dense, self.method, lowest=-1.0)
        learnt = normalised(found.sparse, self.method, lowest=0.0)
        shares = [self.lexical_weight, 1 - self.lexical_weight, self.sparse_weight if learnt else 0.0]
        for scores, share in zip((words, meaning, learnt), shares, strict=True):
            for name, score in scores.items():
                fused[name] = fused.get(name, 0.0) + share / sum(shares) * score
        return fused


def normalised(ranking: Ranking, method: Method, lowest: float) -> dict[str, float]:
    """Comparable scores by name. `lowest` is the lowest possible score: 0 for BM25, -1 for a cosine."""
    if not ranking:
        return {}
    scores = [score for _, score in ranking]
    match method:
        case Method.RRF:
            return {name: 1 / (RRF_K + rank) for rank, (name, _) in enumerate(ranking, 1)}
        case Method.MIN_MAX:
            return _stretched(ranking, min(scores), max(scores))
        case Method.THEORETICAL:
            return _stretched(ranking, lowest, max(scores))
        case Method.Z_SCORE:
            mean, reach = fmean(scores), SPREAD * max(pstdev(scores), FLAT)
            return {name: max(0.0, (score - mean + reach) / (2 * reach)) for name, score in ranking}


def best_first(fused: Mapping[str, float], limit: int) -> list[tuple[str, float]]:
    """(name, score) best first, equal scores by name, at most `limit`."""
    return ranked(fused.items(), limit)


def _stretched(ranking: Ranking, low: float, high: float) -> dict[str, float]:
    """Scores so that `high` is 1 and `low` 0; all 1 if the two are equal."""
    return {name: (score - low) / (high - low) if high - low > FLAT else 1.0 for name, score in ranking}
