"""What is asked next: for each endpoint and effect an experiment that settles it, and what would be
monitored, as `experiments.toml` lists them.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from agents.safety.endpoints.mapping import apart_of
from agents.safety.order import Modality, SafetyOrder
from agents.safety.synthesis.risks import BEYOND
from agents.safety.values import CitedFact, Finding

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
KEY: Mapping[str, str] = _ALL["key"]
"""By words of a risk that no organ has."""
SMALL = (None, Modality.SMALL_MOLECULE)
MONITORING: Mapping[str, str] = _ALL["monitoring"]
"""What a first study would watch, by the effect's title or the endpoint's key."""
POPULATION: Sequence[Mapping[str, str]] = _ALL["population"]
"""What a population asks for, by the words that name it."""


def experiment_for(finding: Finding, order: SafetyOrder) -> str:
    """The experiment, with its readout, that fits a finding and the kind of medicine."""
    endpoint = finding.endpoint or BEYOND
    large = LARGE.get(endpoint) if order.modality not in SMALL else None
    return large or EFFECTS.get(finding.effect) or EXPERIMENTS[endpoint]


def experiment_for_key(fact: CitedFact, findings: Sequence[Finding], order: SafetyOrder) -> str:
    """The experiment that fits a key risk; of one that names neither effect nor organ, the general study."""
    said = f"{apart_of(fact.fact)} {fact.fact.term}"
    other = next((text for words, text in KEY.items() if re.search(words, said, re.IGNORECASE)), "")
    return other or (experiment_for(findings[0], order) if findings else general_study(order))


def watched_for(fact: CitedFact, findings: Sequence[Finding]) -> tuple[str, ...]:
    """What is watched for a key risk: for its effect, else for its endpoint."""
    if tumour := MONITORING.get(apart_of(fact.fact)):
        return (tumour,)
    each = (MONITORING.get(one.effect) or MONITORING[one.endpoint or BEYOND] for one in findings)
    return tuple(dict.fromkeys(each))[:1]


def general_study(order: SafetyOrder) -> str:
    """The study that covers organs of which nothing was found."""
    return LARGE["general"] if order.modality not in SMALL else str(_ALL["no_evidence"])
