"""What is told apart from the risks: tumours, viability, protective variants, and what the medicine counters.

A tumour is what many targets are drugged for, and none of the 15 endpoints. That animals die names no organ.
A disease from the very change of the target that the medicine counters is the opposite of a risk.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.databases.facts import Change, Topic
from agents.safety.endpoints.mapping import apart_of, protects
from agents.safety.order import Direction, SafetyOrder
from agents.safety.values import CitedFact

OPPOSITE = "Opposite: from the change of the target that the medicine counters"
TUMOURS = "Tumours: no endpoint of the table; carcinogenicity is assessed for itself"
VIABILITY = "Viability"
PROTECTIVE = "Protective: variants that resist a disease; which change of the target they bring is not told"
COUNTERED = {Direction.INHIBITION: Change.GAIN, Direction.ACTIVATION: Change.LOSS}
"""The change of the target that each medicine counters."""
SEEN = frozenset({Topic.PHENOTYPE, Topic.ADVERSE_EVENT})
GENETIC = frozenset({Topic.DISEASE, Topic.VARIANT, Topic.ASSOCIATION})


@dataclass(frozen=True, slots=True)
class Apart:
    """Facts that are no risk, by the reason."""

    opposite: tuple[CitedFact, ...] = ()
    tumours: tuple[CitedFact, ...] = ()
    viability: tuple[CitedFact, ...] = ()
    protective: tuple[CitedFact, ...] = ()

    def rows(self) -> tuple[tuple[str, tuple[CitedFact, ...]], ...]:
        """Each reason that has facts, with them."""
        every = (
            (OPPOSITE, self.opposite),
            (PROTECTIVE, self.protective),
            (TUMOURS, self.tumours),
            (VIABILITY, self.viability),
        )
        return tuple((title, facts) for title, facts in every if facts)


def apart_from_risks(order: SafetyOrder, facts: Sequence[CitedFact]) -> Apart:
    """Sort out what is no risk under this order."""
    countered = COUNTERED.get(order.direction) if order.direction else None
    kinds = {one: apart_of(one.fact) for one in facts if one.fact.topic in GENETIC | SEEN}
    opposite = tuple(
        one for one in facts if countered and one.fact.topic in GENETIC and one.fact.change == countered
    )
    return Apart(
        opposite,
        tuple(one for one, kind in kinds.items() if kind == "tumour" and one not in opposite),
        tuple(one for one, kind in kinds.items() if kind == "viability"),
        tuple(one for one in facts if protects(one.fact) and one not in opposite),
    )
