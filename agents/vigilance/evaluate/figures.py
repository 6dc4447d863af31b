"""AUC, F1, confusion and calibration of verdicts against gold (MALADE, sections 5.1 and 5.2, appendix B)."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from agents.roc import auc
from agents.vigilance.values import CategoryVerdict, Effect, Frequency, Strength

BINS = 5
ROUND = (0.1, 0.01)
"""Probabilities that models give where they know nothing (appendix B.4)."""
CLAIMED_FROM = 0.5
"""From this score on a baseline claims an increase."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A judged cell: gold as experts judged it, the verdict, and the scores of the baselines."""

    category: str
    asked: str
    gold: Effect
    verdict: CategoryVerdict
    baselines: dict[str, float]


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Cells whose probability lies in one band: the mean of what was said, the share that holds, how many."""

    said: float
    observed: float
    cells: int


Positive = Callable[[Effect], bool]


def is_ade(effect: Effect) -> bool:
    """Positive where the risk rises."""
    return effect is Effect.INCREASE


def is_effect(effect: Effect) -> bool:
    """Positive where the risk changes."""
    return effect is not Effect.NO_EFFECT


def f1(gold: Sequence[bool], claimed: Sequence[bool]) -> float | None:
    """The F1 score; None where nothing is positive and nothing claimed."""
    right = sum(one and other for one, other in zip(gold, claimed, strict=True))
    total = sum(gold) + sum(claimed)
    return 2 * right / total if total else None


def postprocessed(verdict: CategoryVerdict) -> Effect:
    """The label without unreliable ones: weak evidence of rare effects, and small round probabilities."""
    weak = verdict.strength is Strength.WEAK and verdict.frequency is Frequency.RARE
    probability = verdict.p_benefit if verdict.effect is Effect.DECREASE else verdict.p_harm
    return Effect.NO_EFFECT if weak or probability in ROUND else verdict.effect


def by_probability(verdict: CategoryVerdict, positive: Positive) -> float:
    """The score from the probability of harm or benefit instead of the confidence (appendix B.2)."""
    if positive is is_effect:
        return max(verdict.p_harm, verdict.p_benefit)
    if verdict.effect is Effect.DECREASE:
        return (1 - verdict.p_benefit) / 2
    return (1 + verdict.p_harm) / 2


def figures(cells: Sequence[Cell], positive: Positive) -> dict[str, float | None]:
    """AUC and F1 of some cells, ADE-based (`is_ade`) or effect-based (`is_effect`)."""
    gold = [positive(one.gold) for one in cells]
    by_confidence = [
        one.verdict.ade_score if positive is is_ade else one.verdict.effect_score for one in cells
    ]
    return {
        "auc": _rounded(auc(gold, by_confidence)),
        "auc_by_probability": _rounded(auc(gold, [by_probability(one.verdict, positive) for one in cells])),
        "f1": _rounded(f1(gold, [positive(one.verdict.effect) for one in cells])),
        "f1_postprocessed": _rounded(f1(gold, [positive(postprocessed(one.verdict)) for one in cells])),
    }


def baseline_figures(cells: Sequence[Cell]) -> dict[str, dict[str, float | None]]:
    """AUC and F1 of the baselines. The majority claims the most frequent label of the gold for all."""
    names = dict.fromkeys(name for one in cells for name in one.baselines)
    most = Counter(one.gold for one in cells).most_common(1)[0][0] if cells else Effect.NO_EFFECT
    found = {}
    for name in names:
        scores = [one.baselines[name] for one in cells]
        claims = [most if name == "majority" else _claim(score) for score in scores]
        found[name] = {
            f"{kind}.{figure}": _rounded(value)
            for kind, positive in (("ade", is_ade), ("effect", is_effect))
            for figure, value in (
                ("auc", auc([positive(one.gold) for one in cells], scores)),
                ("f1", f1([positive(one.gold) for one in cells], [positive(one) for one in claims])),
            )
        }
    return found


def confusion(cells: Sequence[Cell]) -> dict[str, dict[str, int]]:
    """How often each label of the gold got each label."""
    return {
        gold.value: {
            claimed.value: sum(one.gold is gold and one.verdict.effect is claimed for one in cells)
            for claimed in Effect
        }
        for gold in Effect
    }


def reliability(cells: Sequence[Cell]) -> dict[str, Any]:
    """The reliability curve of the probability of harm, its Brier score and expected calibration error."""
    points = [(one.verdict.p_harm, one.gold is Effect.INCREASE) for one in cells]
    if not points:
        return {"bins": (), "brier": None, "error": None}
    bins = []
    for place in range(BINS):
        inside = [point for point in points if min(int(point[0] * BINS), BINS - 1) == place]
        if inside:
            said, seen = fmean(said for said, _ in inside), fmean(seen for _, seen in inside)
            bins.append(ReliabilityBin(round(said, 4), round(seen, 4), len(inside)))
    error = sum(one.cells * abs(one.said - one.observed) for one in bins) / len(points)
    brier = fmean((said - seen) ** 2 for said, seen in points)
    return {"bins": tuple(bins), "brier": round(brier, 4), "error": round(error, 4)}


def _claim(score: float) -> Effect:
    return Effect.INCREASE if score >= CLAIMED_FROM else Effect.NO_EFFECT


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
