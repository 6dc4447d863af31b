"""Learning the weights of evidence from curated targets.

A logistic regression over pairs of a target and an organ system: does a review name it for the target? Its
penalty draws each weight to the hierarchy of evidence, not to zero, so that where few targets speak
(diseases) or none (adverse events) the hierarchy stands. Each group of like targets counts as one. A system's
own term is drawn to zero: it says how much more often than others reviews name it at the same evidence.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agents.safety.endpoints.strength import Amounts
from agents.safety.endpoints.values import OrganSystem
from agents.safety.endpoints.weights import EvidenceClass, Weights

HIERARCHY = {
    EvidenceClass.DISEASE: 2.0,
    EvidenceClass.ADVERSE_EVENT: 2.0,
    EvidenceClass.PHENOTYPE: 1.2,
    EvidenceClass.ASSOCIATION: 0.8,
    EvidenceClass.PROCESS: 0.8,
    EvidenceClass.MECHANISM: 0.8,
    EvidenceClass.DISTANT: 0.4,
    EvidenceClass.EXPRESSION: 0.4,
}
"""Where the weights start: each full amount multiplies the odds by the exponential of it."""
BIAS = -2.0
PENALTY, SYSTEM_PENALTY, BIAS_PENALTY = 4.0, 2.0, 0.05
LIKELY = 0.28
STEPS = 60


@dataclass(frozen=True, slots=True)
class Case:
    """A target to learn from: its group, the systems that reviews name, and the evidence for each system."""

    target: str
    group: str
    systems: frozenset[OrganSystem]
    amounts: dict[OrganSystem, Amounts]


def learn(cases: Sequence[Case], learnt_on: str = "") -> Weights:
    """The weights that fit the cases best under the penalty.

    A system that no case names has no say in them. Its own term is learnt afterwards and says that reviews
    hardly name it: it takes more evidence to be called affected.
    """
    named = [system for system in OrganSystem if any(system in case.systems for case in cases)]
    rows = np.array([_row(case, system, named) for case in cases for system in named])
    hits = np.array([system in case.systems for case in cases for system in named], dtype=float)
    sizes = Counter(case.group for case in cases)
    shares = np.array([1 / sizes[case.group] for case in cases for _ in named])
    found = _fitted(rows, hits, shares, len(named))
    classes = len(EvidenceClass)
    terms = dict(zip(named, map(_rounded, found[classes:-1]), strict=True))
    shared = np.array([*found[:classes], found[-1]])
    for system in set(OrganSystem) - set(named):
        amounts = np.array([_row(case, system, []) for case in cases])
        terms[system] = _rounded(_unnamed(amounts @ shared, np.array([1 / sizes[c.group] for c in cases])))
    return Weights(
        dict(zip(EvidenceClass, map(_rounded, found[:classes]), strict=True)),
        {system: terms[system] for system in OrganSystem},
        _rounded(found[-1]),
        LIKELY,
        learnt_on,
        tuple(case.target for case in cases),
    )


def _row(case: Case, system: OrganSystem, named: Sequence[OrganSystem]) -> list[float]:
    amounts = case.amounts.get(system, {})
    return [
        *(amounts.get(one, 0.0) for one in EvidenceClass),
        *(float(system is other) for other in named),
        1.0,
    ]


def _fitted(rows: np.ndarray, hits: np.ndarray, shares: np.ndarray, systems: int) -> np.ndarray:
    """Newton's method on the penalised likelihood."""
    start = np.array([*HIERARCHY.values(), *[0.0] * systems, BIAS])
    penalty = np.array([*[PENALTY] * len(HIERARCHY), *[SYSTEM_PENALTY] * systems, BIAS_PENALTY])
    found = start.copy()
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-rows @ found))
        slope = rows.T @ (shares * (likely - hits)) + penalty * (found - start)
        curve = (rows.T * (shares * likely * (1 - likely))) @ rows + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        found = found - step
        if float(np.abs(step).max()) < 1e-9:
            break
    return found


def _unnamed(scores: np.ndarray, shares: np.ndarray) -> float:
    """The term of a system that was never named: Newton's method in one dimension."""
    term = 0.0
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-(scores + term)))
        slope = float(shares @ likely) + SYSTEM_PENALTY * term
        term -= slope / (float(shares @ (likely * (1 - likely))) + SYSTEM_PENALTY)
    return term


def _rounded(value: float) -> float:
    return round(float(value), 4)
