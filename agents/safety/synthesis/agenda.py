"""What is studied and watched next: one list, from which study plan and monitoring are told.

Each endpoint that is rated strong or moderate comes before any second item; the key risks follow in order,
then endpoints with weak evidence, up to `KEY` studies in all.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from agents.safety.material import Material
from agents.safety.synthesis.conclusion import main_risks
from agents.safety.synthesis.experiments import general_study, study_for, watched_for
from agents.safety.synthesis.findings import is_light
from agents.safety.synthesis.key_risks import KeyRisk, key_risks
from agents.safety.synthesis.risk_table import is_bare, leading
from agents.safety.synthesis.risks import ordered, relevant
from agents.safety.values import Risk

KEY = 6
"""Studies of the plan, beside those of the rated endpoints, all of which have one."""


@dataclass(frozen=True, slots=True)
class Step:
    """A risk with the study that settles it, and what is watched for it."""

    about: Risk | KeyRisk
    study: str
    watch: str


def agenda(material: Material) -> Iterator[Step]:
    """The rated endpoints, the strongest first, then the key risks without what any trial sees."""
    order = material.order
    studies = {general_study(order)}
    for risk in main_risks(material):
        (lead,) = leading(risk, order.direction, 1)
        yield Step(risk, study_for(lead, order), watched_for(lead))
        studies.add(study_for(lead, order))
    for key in key_risks(material):
        if is_light(key.facts[0].fact):
            continue
        finding = next(iter(key.findings(material)), None)
        yield Step(key, study_for(finding, order), watched_for(finding))
        studies.add(study_for(finding, order))
    for risk in ordered(material.risks, order.direction):
        (lead,) = leading(risk, order.direction, 1)
        study = study_for(lead, order)
        telling = relevant(risk, order.direction) and not (is_bare(lead) or is_light(lead.cited.fact))
        if telling and study not in studies and len(studies) <= KEY:
            studies.add(study)
            yield Step(risk, study, watched_for(lead))
