"""What is told apart from the risks: tumours, viability, and what the medicine is meant to change.

A tumour is what many targets are drugged for, and none of the 15 endpoints. That animals die names no organ.
A disease that the medicine is meant for, or that comes from the change which it counters, is an intended
effect and no risk.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from agents.databases.facts import Change, Topic
from agents.safety.endpoints.mapping import apart_of, protects
from agents.safety.endpoints.vocabulary import apart_in, concepts_in, folded, primary_in
from agents.safety.order import Direction, SafetyOrder
from agents.safety.values import CitedFact

INTENDED = "Intended effect or indication, or what the medicine counters"
WANTED = "Wanted, or too much of it: the reverse of what is treated"
TUMOURS = "Tumours: no endpoint of the table; carcinogenicity is assessed for itself"
VIABILITY = "Viability"
PROTECTIVE = "Protective: variants that resist a disease; which change of the target they bring is not told"
COUNTERED = {Direction.INHIBITION: Change.GAIN, Direction.ACTIVATION: Change.LOSS}
"""The change of the target that each medicine counters."""
GENETIC = frozenset({Topic.DISEASE, Topic.VARIANT, Topic.ASSOCIATION})
STEM = 4
GENERIC = frozenset(
    ("disease", "diseases", "disorder", "disorders", "syndrome", "type", "deficiency", "chronic", "acute",
     "familial", "primary", "congenital", "level", "levels", "measurement", "cell", "with", "early", "late")
)  # fmt: skip
"""Words that two diseases may share without being one."""
ONCOLOGY = ("oncolog", "cancer", "tumo", "neoplas", "leukemi", "leukaemi", "lymphom", "carcinom")


@dataclass(frozen=True, slots=True)
class Apart:
    """Facts that are no risk, by the reason."""

    intended: tuple[CitedFact, ...] = ()
    tumours: tuple[CitedFact, ...] = ()
    viability: tuple[CitedFact, ...] = ()
    protective: tuple[CitedFact, ...] = ()
    wanted: tuple[CitedFact, ...] = ()

    def rows(self) -> tuple[tuple[str, tuple[CitedFact, ...]], ...]:
        """Each reason that has facts, with them."""
        every = (
            (INTENDED, self.intended),
            (WANTED, self.wanted),
            (PROTECTIVE, self.protective),
            (TUMOURS, self.tumours),
            (VIABILITY, self.viability),
        )
        return tuple((title, facts) for title, facts in every if facts)


def apart_from_risks(order: SafetyOrder, facts: Sequence[CitedFact]) -> Apart:
    """Sort out what is no risk under this order."""
    kinds = {one: apart_of(one.fact) for one in facts if one.fact.topic in GENETIC | {Topic.PHENOTYPE}}
    meant = tuple(one for one in facts if _is_meant(order, one, kinds.get(one, "")))
    return Apart(
        meant,
        tuple(one for one, kind in kinds.items() if kind == "tumour" and one not in meant),
        tuple(one for one, kind in kinds.items() if kind == "viability"),
        tuple(one for one in facts if protects(one.fact) and one not in meant),
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
    """Whether an area and a disease or trait are one: no other effect, and the stem of a word in common
    ("hypercholesterolemia" and "total cholesterol measurement", "mastocytosis" and "mast cell disease").
    """
    meant = {concept.name for concept, _, _ in primary_in(area)}
    named = {concept.name for concept, _, _ in concepts_in(term)}
    words = [[word for word in folded(text).split() if len(word) >= STEM] for text in (area, term)]
    stems = [{word[:6] for word in of if word not in GENERIC} for of in words]
    alike = any(
        stem in word for one, other in ((0, 1), (1, 0)) for stem in stems[one] for word in words[other]
    )
    return alike and (not meant or bool(meant & named))
