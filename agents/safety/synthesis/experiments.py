"""What is asked next: for each endpoint an experiment that settles it, and what would be monitored, as
`experiments.toml` lists them. No study is proposed that cites a guideline which leaves the kind of medicine
out.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from agents.safety.order import Modality, SafetyOrder
from agents.safety.values import Finding

_ALL = tomllib.loads(Path(__file__).with_name("experiments.toml").read_text(encoding="utf-8"))
CONFLICT: str = _ALL["conflict"]
MEDICINES: str = _ALL["medicines"]
SPECIES: str = _ALL["species"]
WITHDRAWAL: str = _ALL["withdrawal"]
MODALITY: Mapping[str, Sequence[str]] = _ALL["modality"]
"""What is watched with a kind of medicine, whatever its target."""
EXCLUDED: Mapping[str, Sequence[str]] = _ALL["excluded"]
"""Guidelines that leave a kind of medicine out."""
EXPERIMENTS: Mapping[str, str] = _ALL["endpoint"]
"""By the endpoint's key."""
OWN: Mapping[str, Mapping[str, str]] = _ALL["own"]
"""By kind of medicine and endpoint; "every" stands for endpoints without one, "general" for all organs."""
MONITORING: Mapping[str, str] = _ALL["monitoring"]
"""What a first study would watch, by the effect's title or the endpoint's key."""
POPULATION: Sequence[Mapping[str, str]] = _ALL["population"]
"""What a population asks for, by the words that name it."""
GRAVITY: Mapping[str, str] = _ALL["gravity"]
CANCER = re.compile(r"cancer|oncolog|tumou?r|carcinoma|leuk|lymphom|myelom|sarcom|melanom", re.IGNORECASE)


def applies(text: str, modality: Modality | None, area: str = "") -> bool:
    """Whether no guideline that a text cites leaves the kind of medicine out, nor ICH S9 the study."""
    left_out = (*EXCLUDED.get(str(modality), ()), *(EXCLUDED["cancer"] if CANCER.search(area) else ()))
    return not any(re.search(rf"\b{one}\b", text) for one in left_out)


def study_for(finding: Finding | None, order: SafetyOrder) -> str:
    """The experiment, with its readout, that fits an organ and the kind of medicine; of a risk that names no
    organ, the general study.
    """
    if not finding:
        return general_study(order)
    own, endpoint = OWN.get(str(order.modality), {}), finding.endpoint
    effect = _ALL["effect"].get(finding.effect)
    special = effect if finding.told else own.get(finding.effect)
    every = own.get("every") if endpoint else ""
    fitting = (special, own.get(endpoint), every, effect, EXPERIMENTS.get(endpoint))
    return next(
        (one for one in fitting if one and applies(one, order.modality, order.area)), general_study(order)
    )


def watched_for(finding: Finding | None) -> str:
    """What is watched for a risk: for its effect, else its endpoint."""
    return MONITORING.get(finding.effect) or MONITORING[finding.endpoint] if finding else ""


def general_study(order: SafetyOrder) -> str:
    """The study that covers organs of which nothing was found."""
    return OWN.get(str(order.modality), {}).get("general") or str(_ALL["no_evidence"])
