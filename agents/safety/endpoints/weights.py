"""Weights of classes of evidence, as data (`weights.json`) with what they were learnt on."""

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from agents.safety.endpoints.values import OrganSystem

FILE = Path(__file__).with_name("weights.json")


class EvidenceClass(StrEnum):
    """Lines of evidence, from the strongest to the weakest by the hierarchy of target safety."""

    DISEASE = "human genetic disease"
    ADVERSE_EVENT = "clinical adverse event"
    PHENOTYPE = "animal phenotype"
    ASSOCIATION = "genome-wide association"
    PROCESS = "process or pathway of the organ"
    MECHANISM = "signalling system that governs the organ"
    DISTANT = "signalling system that also acts on the organ"
    EXPRESSION = "expression in the organ"


@dataclass(frozen=True, slots=True)
class Weights:
    """A logistic model: the score is 1 / (1 + exp(-(bias + sum of weight × amount))).

    Amounts are between 0 and 1, one for each class of evidence. `systems` are added for an organ system: how
    much more or less often than others it was affected among the targets learnt on, at the same evidence.
    From the scores `moderate` and `strong` on, evidence is called so. `learnt_on` says from what, and
    `targets` from which.
    """

    weights: dict[EvidenceClass, float]
    systems: dict[OrganSystem, float]
    bias: float
    likely: float
    learnt_on: str = ""
    targets: tuple[str, ...] = ()

    def as_json(self) -> str:
        """The file's text."""
        return json.dumps(asdict(self), indent=1, ensure_ascii=False) + "\n"


def read_weights(text: str) -> Weights:
    """The weights in a file's text."""
    found = json.loads(text)
    weights = {EvidenceClass(name): float(value) for name, value in found["weights"].items()}
    return Weights(
        weights,
        {OrganSystem(name): float(value) for name, value in found["systems"].items()},
        found["bias"],
        found["likely"],
        found["learnt_on"],
        tuple(found["targets"]),
    )


WEIGHTS = read_weights(FILE.read_text(encoding="utf-8"))
