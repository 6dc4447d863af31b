"""What is studied and watched next: one list, from which study plan and monitoring are told.

Each endpoint that is rated strong or moderate comes before any second item; the key risks follow in order.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from agents.safety.material import Material
from agents.safety.synthesis.conclusion import main_risks
from agents.safety.synthesis.experiments import study_for, watched_for
from agents.safety.synthesis.findings import is_light
from agents.safety.synthesis.key_risks import KeyRisk, key_risks
from agents.safety.synthesis.risk_table import leading
from agents.safety.values import Risk


@dataclass(frozen=True, slots=True)
class Step:
    """A risk with the study that settles it, what is watched for it, and its first finding."""

    about: Risk | KeyRisk
    study: str
    watch: str
    term: str


def agenda(material: Material) -> Iterator[Step]:
    """The rated endpoints, the strongest first, then the key risks without what any trial sees."""
    order = material.order
    for risk in main_risks(material):
        (lead,) = leading(risk, order.direction, 1)
        yield Step(risk, study_for(lead, order), watched_for(lead), lead.cited.fact.term)
    for key in key_risks(material):
        if is_light(key.facts[0].fact):
            continue
        finding = next(iter(key.findings(material)), None)
        yield Step(key, study_for(finding, order), watched_for(finding), key.term)
