"""Verdicts on the cells of a gold table, and all figures of them."""

from collections.abc import Sequence
from dataclasses import dataclass
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
from agents.vigilance.evaluate.model import corrected


@dataclass(frozen=True, slots=True)
class VigilanceScores:
    """The scored cells. Figures are over those of which a label is loaded, unless they say "all"."""

    cells: tuple[Cell, ...]
    calibrated_on: str = ""
    without: tuple[str, ...] = ()

    @property
    def covered(self) -> tuple[Cell, ...]:
        """The cells of which a label of at least one representative is loaded."""
        return tuple(one for one in self.cells if one.verdict.covered)

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
    """Judge each cell that experts verified; the others are not scored."""
    scored = [(one, one.effect) for one in gold if one.effect is not None]
    verdicts = await judge.verdicts([(one.category, one.outcome) for one, _ in scored])
    cells = [
        Cell(one.category, one.outcome, effect, verdict, await baselines.scores(one.category, one.outcome))
        for (one, effect), verdict in zip(scored, verdicts, strict=True)
    ]
    return VigilanceScores(tuple(cells), calibrated_on, tuple(without))


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
