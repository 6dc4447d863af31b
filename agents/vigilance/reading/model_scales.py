"""What a language model's own numbers are worth: a scale over the log odds of each (Platt, 1999).

`pestle eval vigilance DIR --calibrate FILE` learns the scales of the model that is set, and the setting
`model.calibration` names the file. They hold for the model of that name alone.
"""

import math
import tomllib
from dataclasses import dataclass, fields

from agents.errors import WrongFile
from agents.vigilance.reading.calibration import Scale

AS_SAID = Scale(1.0, 0.0, 0.5)
"""Leaves a number as the model said it."""
FURTHEST = 0.995
"""A number nearer to 0 or 1 than this counts as this: nobody is surer than that."""


@dataclass(frozen=True, slots=True)
class ModelScales:
    """The scales of a model's confidence and probabilities, and what they were learnt on."""

    model: str
    learnt_on: str
    confidence: Scale = AS_SAID
    p_harm: Scale = AS_SAID
    p_benefit: Scale = AS_SAID

    def as_toml(self) -> str:
        """As the file that `read_model_scales` reads."""
        lines = [f"model = {_quoted(self.model)}", f"learnt_on = {_quoted(self.learnt_on)}"]
        for name in NUMBERS:
            scale: Scale = getattr(self, name)
            lines += ["", f"[{name}]", f"slope = {scale.slope}", f"bias = {scale.bias}"]
        return "\n".join(lines) + "\n"


NUMBERS = tuple(one.name for one in fields(ModelScales) if one.default is AS_SAID)
"""What a model says of a verdict in numbers from 0 to 1."""


def log_odds(number: float) -> float:
    """The log odds of a probability, which a scale takes as its evidence."""
    kept = min(FURTHEST, max(1 - FURTHEST, number))
    return math.log(kept / (1 - kept))


def read_model_scales(text: str) -> ModelScales:
    """Scales as `as_toml` writes them. Raises `WrongFile` for another text."""
    try:
        table = tomllib.loads(text)
        read = {name: Scale(float(table[name]["slope"]), float(table[name]["bias"]), 0.5) for name in NUMBERS}
        return ModelScales(str(table["model"]), str(table["learnt_on"]), **read)
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise WrongFile(
            "model.calibration names no calibration of a model. Write one with `pestle eval vigilance DIR "
            "--calibrate FILE` while the model is set, or leave the setting empty."
        ) from error


def _quoted(text: str) -> str:
    cleaned = "".join(letter for letter in text if letter.isprintable())
    return '"' + cleaned.replace("\\", "\\\\").replace('"', '\\"') + '"'
