"""What is told apart from the risks: tumours, viability, and what the medicine is meant to change.

A tumour is what many targets are drugged for, and none of the 15 endpoints. That animals die names no organ.
A disease that the medicine is meant for, or that comes from the change which it counters, is an intended
effect and no risk.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.databases.facts import Change, Topic
from agents.safety.endpoints.mapping import apart_of
from agents.safety.endpoints.vocabulary import apart_in, folded, primary_in
from agents.safety.order import Direction, SafetyOrder
from agents.safety.values import CitedFact

INTENDED = "Intended effect or indication"
TUMOURS = "Tumours: no endpoint of the table; carcinogenicity is assessed for itself"
VIABILITY = "Viability"
COUNTERED = {Direction.INHIBITION: Change.GAIN, Direction.ACTIVATION: Change.LOSS}
"""The change of the target that each medicine counters."""
GENETIC = frozenset({Topic.DISEASE, Topic.VARIANT, Topic.ASSOCIATION})
ONCOLOGY = ("oncolog", "cancer", "tumo", "neoplas", "leukemi", "leukaemi", "lymphom", "carcinom")


@dataclass(frozen=True, slots=True)
class Apart:
    """Facts that are no risk, by the reason."""

    intended: tuple[CitedFact, ...] = ()
    tumours: tuple[CitedFact, ...] = ()
    viability: tuple[CitedFact, ...] = ()

    def rows(self) -> tuple[tuple[str, tuple[CitedFact, ...]], ...]:
        """Each reason that has facts, with them."""
        every = ((INTENDED, self.intended), (TUMOURS, self.tumours), (VIABILITY, self.viability))
        return tuple((title, facts) for title, facts in every if facts)


def apart_from_risks(order: SafetyOrder, facts: Sequence[CitedFact]) -> Apart:
    """Sort out what is no risk under this order."""
    kinds = {one: apart_of(one.fact) for one in facts if one.fact.topic in GENETIC | {Topic.PHENOTYPE}}
    meant = tuple(one for one in facts if _is_meant(order, one, kinds.get(one, "")))
    return Apart(
        meant,
        tuple(one for one, kind in kinds.items() if kind == "tumour" and one not in meant),
        tuple(one for one, kind in kinds.items() if kind == "viability"),
    )


def _is_meant(order: SafetyOrder, one: CitedFact, kind: str) -> bool:
    """Whether a fact is on what the medicine is meant to treat.

    A disease from the very change that the medicine brings about is a risk, whatever it is meant for.
    """
    fact = one.fact
    if fact.topic not in GENETIC or not fact.term:
        return False
    if order.direction is not None and fact.change:
        return fact.change == COUNTERED[order.direction]
    if kind == "tumour":
        area = order.area.casefold()
        return apart_in(area) == "tumour" or any(word in area for word in ONCOLOGY)
    return bool(order.area) and _same_disease(order.area, fact.term)


def _same_disease(area: str, term: str) -> bool:
    """Whether an area and a disease are one: the same effect, and a word in common."""
    effects = [{concept.name for concept, _, _ in primary_in(text)} for text in (area, term)]
    words = [{word[:6] for word in folded(text).split() if len(word) > 3} for text in (area, term)]
    return bool(effects[0] & effects[1]) and bool((words[0] & words[1]) - {"diseas", "disord", "syndro"})
