"""The scale of a reranker's scores: a logistic map, and the score from which a text counts as relevant."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrieval.train.candidates import CandidateList
from retrieval.train.measure import Values

PASSING = 0.95
"""Share of the relevant passages that pass the threshold, in each collection at least."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A similarity s becomes the score 1 / (1 + exp(-(slope s + bias))); `threshold` is a score."""

    slope: float
    bias: float
    threshold: float


def fit_scale(collections: Sequence[Sequence[CandidateList]], values: Values) -> Scale:
    """The scale of values that were measured on lists that were not learnt from.

    Each collection has the same weight, and so have relevant and other passages.
    """
    measured = [
        (
            np.array([value for one in lists for value in values[one.query]], np.float32),
            np.array([relevant for one in lists for relevant in one.relevant], bool),
        )
        for lists in collections
    ]
    slope, bias = np.mean([platt(*each) for each in measured], axis=0)
    passing = min(np.quantile(found[relevant], 1 - PASSING) for found, relevant in measured)
    threshold = 1 / (1 + np.exp(-(slope * passing + bias)))
    return Scale(float(slope), float(bias), float(np.floor(threshold * 100) / 100))


def platt(values: NDArray[np.float32], relevant: NDArray[np.bool_], steps: int = 50) -> tuple[float, float]:
    """Slope and intercept of a logistic map, both classes of equal weight (Platt 1999), by Newton's method.

    Targets lie a little inside of 0 and 1, as in Platt's paper: classes that do not overlap would otherwise
    have an infinite slope.
    """
    wanted = np.where(relevant, 1 - 1 / (relevant.sum() + 2), 1 / ((~relevant).sum() + 2))
    weight = np.where(relevant, 0.5 / relevant.sum(), 0.5 / (~relevant).sum())
    design = np.stack([values.astype(float), np.ones(len(values))], 1)
    found = np.zeros(2)
    for _ in range(steps):
        likely = (1 + np.tanh(design @ found / 2)) / 2
        gradient = design.T @ (weight * (likely - wanted))
        curve = (design * (weight * likely * (1 - likely))[:, None]).T @ design
        found -= np.linalg.solve(curve + 1e-9 * np.eye(2), gradient)
    return float(found[0]), float(found[1])
