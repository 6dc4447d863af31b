"""Figures of a series of oracle calls, and their mean over seeds with a confidence interval."""

import math
import statistics
from collections.abc import Container, Sequence
from dataclasses import asdict, dataclass
from itertools import repeat

from agents.chemistry.diversity import circles, internal_diversity
from agents.chemistry.molecule import Molecule

T_VALUES = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26)
"""Student's t for 95 %, two-sided, of 2 to 10 seeds; 1.96 beyond."""


def top_auc(values: Sequence[float], budget: int, top: int = 10, every: int = 100) -> float:
    """Area under the mean of the `top` best values so far over the calls, 0 to 1 for values of 0 to 1.

    As in PMO's code: looked at after `every` calls, trapezoids from 0, the last mean held up to the budget.
    Even a perfect series has no more than 1 - every / (2 * budget).
    """
    area, before, done = 0.0, 0.0, 0
    for at in [*range(every, min(len(values), budget), every), len(values)]:
        best = sorted(values[:at], reverse=True)[:top]
        now = sum(best) / len(best) if best else 0.0
        area += (at - done) * (now + before) / 2
        before, done = now, at
    return (area + (budget - done) * before) / budget


@dataclass(frozen=True, slots=True)
class Figures:
    """What one series of calls reached.

    Args:
        calls: that were made.
        arrival: top-10 AUC in the order in which molecules came (PMO).
        sorted: the same with the molecules sorted by their score first, as in the code of Indibator. It tells
            little: the order is lost.
        designed: as `arrival`, with 0 for what a paper had reported: that is no design.
        top10, published10: mean of the ten best, and how many of them a paper had reported.
        diversity, diversity_top: IntDiv of all scored molecules, and of the 100 best.
        circles75, circles85: #Circles of all scored molecules at distance 0.75 and 0.85.
    """

    calls: int
    arrival: float
    sorted: float
    designed: float
    top10: float
    published10: int
    diversity: float
    diversity_top: float
    circles75: int
    circles85: int


def figures(scored: Sequence[tuple[Molecule, float]], budget: int, published: Container[str] = ()) -> Figures:
    """Figures of molecules and values (high is good) in the order of the calls; one at least. `published`
    are InChIKeys.
    """
    values = [value for _, value in scored]
    ranked = sorted(scored, key=lambda one: -one[1])
    best, molecules = [value for _, value in ranked[:10]], [molecule for molecule, _ in ranked]
    return Figures(
        calls=len(values),
        arrival=top_auc(values, budget),
        sorted=top_auc([value for _, value in ranked], budget),
        designed=top_auc([0.0 if one.inchikey in published else value for one, value in scored], budget),
        top10=sum(best) / len(best),
        published10=sum(one.inchikey in published for one in molecules[:10]),
        diversity=internal_diversity(molecules),
        diversity_top=internal_diversity(molecules[:100]),
        circles75=circles(molecules, 0.75),
        circles85=circles(molecules, 0.85),
    )


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over seeds, and half the width of its 95 % confidence interval (None for one seed)."""

    value: float
    half_width: float | None


def over_seeds(all_seeds: Sequence[Figures], less: Sequence[Figures] = ()) -> dict[str, Mean]:
    """Each figure's mean over the seeds; with `less`, of the differences from it seed by seed."""
    rows, others = map(asdict, all_seeds), map(asdict, less) if less else repeat({})
    pairs = list(zip(rows, others, strict=False))
    return {name: mean_of([row[name] - other.get(name, 0) for row, other in pairs]) for name in pairs[0][0]}


def mean_of(values: Sequence[float]) -> Mean:
    """Mean with Student's interval."""
    count = len(values)
    if count < 2:
        return Mean(statistics.fmean(values), None)
    t = T_VALUES[count - 2] if count - 2 < len(T_VALUES) else 1.96
    return Mean(statistics.fmean(values), t * statistics.stdev(values) / math.sqrt(count))
