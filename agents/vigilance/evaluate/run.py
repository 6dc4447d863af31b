"""Verdicts on the cells of a gold table, and all figures of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from agents.vigilance.evaluate.figures import (
    Cell,
    baseline_figures,
    confusion,
    figures,
    is_ade,
    is_effect,
    reliability,
)
from agents.vigilance.evaluate.gold import Gold
from agents.vigilance.evaluate.judge import Baselines, Judge
from agents.vigilance.evaluate.model import UNJUDGED, corrected
from agents.vigilance.values import CategoryVerdict, Effect


@dataclass(frozen=True, slots=True)
class VigilanceScores:
    """The scored cells. Figures are over those of which a label is loaded, unless they say "all"."""

    cells: tuple[Cell, ...]
    calibrated_on: str = ""
    without: tuple[str, ...] = ()

    @property
    def covered(self) -> tuple[Cell, ...]:
        """The cells of which a label of at least one representative is loaded, or that were not judged."""
        return tuple(one for one in self.cells if one.verdict.covered or one.verdict.by == UNJUDGED)

    @property
    def coverage(self) -> float | None:
        """The share of covered cells; None without cells."""
        return round(len(self.covered) / len(self.cells), 4) if self.cells else None

    def as_fields(self) -> dict[str, Any]:
        """Everything by name."""
        return {
            "ade": figures(self.covered, is_ade),
            "effect": figures(self.covered, is_effect),
            "all": {"ade": figures(self.cells, is_ade), "effect": figures(self.cells, is_effect)},
            "coverage": self.coverage,
            "scored": len(self.cells),
            "covered": len(self.covered),
            "missed": sum(one.verdict.by == UNJUDGED for one in self.cells),
            "without": list(self.without),
            "corrected_by_critic_percent": corrected([one.verdict for one in self.cells]),
            "baselines": baseline_figures(self.covered),
            "confusion": confusion(self.covered),
            "calibration": {"learnt_on": self.calibrated_on, **reliability(self.covered)},
            "cells": [_fields(one) for one in self.cells],
        }


async def evaluate_vigilance(
    gold: Sequence[Gold],
    judge: Judge,
    baselines: Baselines,
    calibrated_on: str = "",
    without: Sequence[str] = (),
) -> VigilanceScores:
    """Judge each cell that experts verified; the others are not scored. One that was not judged is wrong."""
    scored = [(one, one.effect) for one in gold if one.effect is not None]
    verdicts = await judge.verdicts([(one.category, one.outcome) for one, _ in scored])
    judged = [
        (one, effect, _wrong_if_missed(verdict, effect))
        for (one, effect), verdict in zip(scored, verdicts, strict=True)
    ]
    cells = [
        Cell(one.category, one.outcome, effect, verdict, await baselines.scores(one.category, one.outcome))
        for one, effect, verdict in judged
    ]
    return VigilanceScores(tuple(cells), calibrated_on, tuple(without))


def _wrong_if_missed(verdict: CategoryVerdict, gold: Effect) -> CategoryVerdict:
    """A verdict that nobody gave counts as the wrong one, given with full confidence."""
    if verdict.by != UNJUDGED:
        return verdict
    wrong = Effect.INCREASE if gold is Effect.NO_EFFECT else Effect.NO_EFFECT
    return replace(verdict, effect=wrong, confidence=1.0)


def _fields(cell: Cell) -> dict[str, Any]:
    verdict = cell.verdict
    return {
        "drug_category": cell.category,
        "outcome": cell.asked,
        "read_as": verdict.outcome,
        "gold": cell.gold.value,
        "label": verdict.effect.value,
        "confidence": verdict.confidence,
        "p_harm": verdict.p_harm,
        "p_benefit": verdict.p_benefit,
        "strength": verdict.strength.value,
        "frequency": verdict.frequency.value,
        "ade_score": round(verdict.ade_score, 4),
        "effect_score": round(verdict.effect_score, 4),
        "covered": verdict.covered,
        "by": verdict.by,
        "drugs": [one.ingredient for one in verdict.drugs],
        "justification": [
            {"text": reason.text, "passages": reason.passages, "quotes": reason.quotes}
            for reason in verdict.reasons
        ],
        "notes": verdict.notes,
        **{f"baseline: {name}": score for name, score in cell.baselines.items()},
    }
