"""Measures of a ranking against judged documents, as trec_eval defines them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from retrieval.evaluate.beir import Grades

NDCG_DEPTH = 10
RECALL_DEPTH = 100
MRR_DEPTH = 10


@dataclass(frozen=True, slots=True)
class Scores:
    """The measures of one query, or their means: nDCG@10, recall@100, reciprocal rank of the first ten."""

    ndcg: float
    recall: float
    reciprocal_rank: float


def score(ranking: Sequence[str], grades: Grades) -> Scores:
    """The measures of document ids in order, best first. The query needs a relevant document."""
    relevant = {name for name, grade in grades.items() if grade > 0}
    return Scores(
        ndcg=ndcg(ranking, grades, NDCG_DEPTH),
        recall=len(relevant.intersection(ranking[:RECALL_DEPTH])) / len(relevant),
        reciprocal_rank=reciprocal_rank(ranking, relevant, MRR_DEPTH),
    )


def ndcg(ranking: Sequence[str], grades: Grades, depth: int) -> float:
    """Discounted gain, over that of the best order (Järvelin & Kekäläinen 2002; the grade is the gain)."""
    gains = [max(0, grades.get(name, 0)) for name in ranking[:depth]]
    best = sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:depth]
    return _discounted(gains) / _discounted(best)


def reciprocal_rank(ranking: Sequence[str], relevant: set[str], depth: int) -> float:
    """1 / rank of the first relevant document; 0 if it lies behind `depth`."""
    ranks = (rank for rank, name in enumerate(ranking[:depth], 1) if name in relevant)
    return 1 / next(ranks, math.inf)


def mean(scores: Mapping[str, Scores]) -> Scores:
    """Means over queries; at least one."""
    n = len(scores)
    return Scores(
        sum(one.ndcg for one in scores.values()) / n,
        sum(one.recall for one in scores.values()) / n,
        sum(one.reciprocal_rank for one in scores.values()) / n,
    )


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))
