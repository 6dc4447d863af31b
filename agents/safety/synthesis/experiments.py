"""What is asked next: for each endpoint and effect an experiment that settles it, and what would be
monitored, as `experiments.toml` lists them.
"""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from agents.safety.order import Modality, SafetyOrder
from agents.safety.synthesis.risks import BEYOND
from agents.safety.values import Finding

_ALL = tomllib.loads(Path(__file__).with_name("experiments.toml").read_text(encoding="utf-8"))
CONFLICT: str = _ALL["conflict"]
MEDICINES: str = _ALL["medicines"]
SPECIES: str = _ALL["species"]
MODALITY: Mapping[str, Sequence[str]] = _ALL["modality"]
"""What is watched with a kind of medicine, whatever its target."""
EXPERIMENTS: Mapping[str, str] = _ALL["endpoint"]
"""By the endpoint's key."""
EFFECTS: Mapping[str, str] = _ALL["effect"]
"""By the effect's title, for those that need another experiment than their endpoint's."""
LARGE: Mapping[str, str] = _ALL["large"]
"""By the endpoint's key, for medicines that act in few species and hardly reach the brain; and "general"."""
SMALL = (None, Modality.SMALL_MOLECULE)
MONITORING: Mapping[str, str] = _ALL["monitoring"]
"""What a first study would watch, by the endpoint's key."""


def experiment_for(finding: Finding, order: SafetyOrder) -> str:
    """The experiment, with its readout, that fits a finding and the kind of medicine."""
    endpoint = finding.endpoint or BEYOND
    large = LARGE.get(endpoint) if order.modality not in SMALL else None
    return large or EFFECTS.get(finding.effect) or EXPERIMENTS[endpoint]


def general_study(order: SafetyOrder) -> str:
    """The study that covers organs of which nothing was found."""
    return LARGE["general"] if order.modality not in SMALL else str(_ALL["no_evidence"])
