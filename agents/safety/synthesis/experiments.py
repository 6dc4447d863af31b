"""What is asked next: for each endpoint and effect an experiment that settles it, and what would be
monitored, as `experiments.toml` lists them. No study is proposed that cites a guideline which leaves the
kind of medicine out.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from agents.safety.order import Modality, SafetyOrder
from agents.safety.values import CitedFact, Finding

_ALL = tomllib.loads(Path(__file__).with_name("experiments.toml").read_text(encoding="utf-8"))
CONFLICT: str = _ALL["conflict"]
MEDICINES: str = _ALL["medicines"]
SPECIES: str = _ALL["species"]
MODALITY: Mapping[str, Sequence[str]] = _ALL["modality"]
"""What is watched with a kind of medicine, whatever its target."""
EXCLUDED: Mapping[str, Sequence[str]] = _ALL["excluded"]
"""Guidelines that leave a kind of medicine out."""
EXPERIMENTS: Mapping[str, str] = _ALL["endpoint"]
"""By the endpoint's key."""
EFFECTS: Mapping[str, str] = _ALL["effect"]
"""By the effect's title, for those that need another experiment than their endpoint's."""
OWN: Mapping[str, Mapping[str, str]] = _ALL["own"]
"""By kind of medicine and endpoint; "every" stands for endpoints without one, "general" for all organs."""
KEY: Mapping[str, str] = _ALL["key"]
"""By words of a risk that ask for another study than its organ does."""
MONITORING: Mapping[str, str] = _ALL["monitoring"]
"""What a first study would watch, by the effect's title or the endpoint's key."""
WATCH: Mapping[str, str] = _ALL["watch"]
"""What it would watch, by words of a risk."""
POPULATION: Sequence[Mapping[str, str]] = _ALL["population"]
"""What a population asks for, by the words that name it."""
GRAVITY: Mapping[str, str] = _ALL["gravity"]


def applies(text: str, modality: Modality | None) -> bool:
    """Whether no guideline that a text cites leaves the kind of medicine out."""
    left_out = EXCLUDED.get(str(modality), ())
    return not any(re.search(rf"\b{one}\b", text) for one in left_out)


def study_for(fact: CitedFact, finding: Finding | None, order: SafetyOrder) -> str:
    """The experiment, with its readout, that fits a risk and the kind of medicine; of one that names neither
    effect nor organ, the general study.
    """
    own = OWN.get(str(order.modality), {})
    effect, endpoint = (finding.effect, finding.endpoint) if finding else ("", "")
    every = own.get(endpoint, own["every"]) if "every" in own and endpoint else ""
    fitting = (
        every,
        _by_words(KEY, fact),
        own.get(endpoint),
        EFFECTS.get(effect),
        EXPERIMENTS.get(endpoint),
    )
    return next((one for one in fitting if one and applies(one, order.modality)), general_study(order))


def watched_for(fact: CitedFact, finding: Finding | None) -> tuple[str, ...]:
    """What is watched for a risk: for its effect, else its endpoint, and for its words."""
    own = MONITORING.get(finding.effect) or MONITORING[finding.endpoint] if finding else ""
    return tuple(filter(None, (own, _by_words(WATCH, fact))))


def general_study(order: SafetyOrder) -> str:
    """The study that covers organs of which nothing was found."""
    return OWN.get(str(order.modality), {}).get("general") or str(_ALL["no_evidence"])


def _by_words(table: Mapping[str, str], fact: CitedFact) -> str:
    found = (text for words, text in table.items() if re.search(words, fact.fact.term, re.IGNORECASE))
    return next(found, "")
