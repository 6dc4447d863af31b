"""From the weight of evidence to a probability (Platt, 1999), with what it was learnt on.

The scale was learnt by `pestle eval vigilance DIR --calibrate FILE` on development judgements; the file is
part of the product.
"""

import math
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from agents.vigilance.values import Effect

LEAST = 0.01
"""Probabilities stay this far from 0 and 1."""


@dataclass(frozen=True, slots=True)
class Scale:
    """log odds = slope x evidence + bias; `from_` is the probability from which the effect is claimed."""

    slope: float
    bias: float
    from_: float

    def probability(self, evidence: float) -> float:
        """The probability for a weight of evidence in [0, 1]."""
        value = 1 / (1 + math.exp(-(self.slope * evidence + self.bias)))
        return round(min(1 - LEAST, max(LEAST, value)), 4)


@dataclass(frozen=True, slots=True)
class Calibration:
    """The scales of harm and of benefit, and what they were learnt on in one sentence."""

    harm: Scale
    benefit: Scale
    learnt_on: str

    def decided(self, harm: float, benefit: float) -> tuple[Effect, float]:
        """The effect that is claimed for the probabilities of harm and of benefit, and how sure it is."""
        if harm >= self.harm.from_ and harm >= benefit:
            return Effect.INCREASE, harm
        if benefit >= self.benefit.from_:
            return Effect.DECREASE, benefit
        return Effect.NO_EFFECT, round(1 - max(harm, benefit), 4)

    def as_toml(self) -> str:
        """As the file that `calibration` reads."""
        lines = [f'learnt_on = "{self.learnt_on}"']
        for name, scale in (("harm", self.harm), ("benefit", self.benefit)):
            lines += [
                "",
                f"[{name}]",
                f"slope = {scale.slope}",
                f"bias = {scale.bias}",
                f"from = {scale.from_}",
            ]
        return "\n".join(lines) + "\n"


@lru_cache(maxsize=1)
def calibration() -> Calibration:
    """The calibration of the product."""
    return read_calibration((files(__package__) / "calibration.toml").read_text("utf-8"))


def read_calibration(text: str) -> Calibration:
    """A calibration as `as_toml` writes it."""
    table = tomllib.loads(text)
    harm, benefit = (
        Scale(float(table[name]["slope"]), float(table[name]["bias"]), float(table[name]["from"]))
        for name in ("harm", "benefit")
    )
    return Calibration(harm, benefit, str(table["learnt_on"]))
