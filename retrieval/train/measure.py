"""How well candidates are ordered: by the search, by equal weights and by learnt weights."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from retrieval.evaluate.beir import Grades
from retrieval.evaluate.metrics import Scores, mean, score
from retrieval.evaluate.significance import compare
from retrieval.train.candidates import CandidateList

Values = Mapping[str, Sequence[float]]
"""A score for each candidate, by query."""

EQUAL_WEIGHTS = "late interaction, equal weights"
"""The order that all others are compared with: nothing was learnt for it."""


@dataclass(frozen=True, slots=True)
class MeasuredOrder:
    """nDCG@10 and reciprocal rank of an order; `p_value` compares its nDCG@10 with `EQUAL_WEIGHTS`."""

    collection: str
    order: str
    queries: int
    ndcg: float
    reciprocal_rank: float
    p_value: float


def measured_orders(
    collection: str,
    lists: Sequence[CandidateList],
    grades: Mapping[str, Grades],
    orders: Mapping[str, Values],
) -> list[MeasuredOrder]:
    """Each order of the same candidates, the search's first. `orders` holds `EQUAL_WEIGHTS` too."""
    search = {one.query: [-float(rank) for rank in range(len(one.passages))] for one in lists}
    found = {
        name: {one.query: _scores(one, values[one.query], grades[one.query]) for one in lists}
        for name, values in {"search": search, **orders}.items()
    }
    reference = _ndcg(found[EQUAL_WEIGHTS])
    return [
        MeasuredOrder(
            collection,
            name,
            len(lists),
            mean(each).ndcg,
            mean(each).reciprocal_rank,
            compare(name, _ndcg(each), EQUAL_WEIGHTS, reference).p_value,
        )
        for name, each in found.items()
    ]


def _scores(one: CandidateList, values: Sequence[float], grades: Grades) -> Scores:
    """Equal scores keep the order of the search."""
    order = np.argsort(-np.asarray(values), kind="stable")
    return score([one.passages[i] for i in order], {k: v for k, v in grades.items() if v > 0})


def _ndcg(scores: Mapping[str, Scores]) -> dict[str, float]:
    return {query: each.ndcg for query, each in scores.items()}
