"""The conclusion that rules propose, and why: go, go with conditions, stop, or no decision yet.

A report is signed by a person; this is what the evidence of the report comes to by one stated rule.
"""

from enum import StrEnum

from agents.databases.facts import Change, Topic
from agents.safety.material import Material
from agents.safety.order import Direction
from agents.safety.synthesis.findings import CLINICAL, GENETIC
from agents.safety.synthesis.risks import ordered, relevant
from agents.safety.values import CitedFact, Risk, Strength


class Verdict(StrEnum):
    """What the evidence comes to."""

    GO = "go"
    CONDITIONS = "go with conditions"
    STOP = "stop until the strongest risk is settled"
    OPEN = "no decision yet"


WHY = {
    Verdict.GO: "people were asked, and no endpoint has more than weak evidence",
    Verdict.CONDITIONS: "the risks below have to be monitored, and the study plan comes first",
    Verdict.STOP: "a risk has strong evidence, and no medicine in use shows that it can be handled",
    Verdict.OPEN: "the sources hold neither patients nor people with a changed gene, and nothing else strong",
}
DONE = {Direction.INHIBITION: Change.INHIBITION, Direction.ACTIVATION: Change.ACTIVATION}


def main_risks(material: Material) -> list[Risk]:
    """Risks of the asked direction with more than weak evidence, the strongest first."""
    direction = material.order.direction
    every = ordered(material.every_risk, direction)
    return [one for one in every if relevant(one, direction) and one.strength >= Strength.MODERATE]


def verdict_of(material: Material) -> Verdict:
    """Strong evidence without a medicine in use stops; any other risk sets conditions."""
    risks = main_risks(material)
    if any(one.strength is Strength.STRONG for one in risks) and not in_use(material):
        return Verdict.STOP
    if risks:
        return Verdict.CONDITIONS
    return Verdict.GO if material.of(*sorted(CLINICAL | GENETIC)) else Verdict.OPEN


def in_use(material: Material) -> tuple[CitedFact, ...]:
    """The approved drugs that do to the target what the order asks."""
    direction = material.order.direction
    drugs = (one for one in material.of(Topic.DRUG) if one.fact.measure == "drug" or one.fact.value == 4.0)
    done = DONE.get(direction) if direction else None
    return tuple(one for one in drugs if one.fact.term and (done is None or one.fact.change is done))
