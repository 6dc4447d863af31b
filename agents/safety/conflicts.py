"""Contradictions between sources, by rules over facts: both sides are shown, and a person decides.

Looked for is what experts trip over: a gene that the mouse cannot live without and that people lose without
harm.
"""

import re
from collections.abc import Sequence

from agents.databases.facts import Change, Fact, Topic
from agents.safety.values import CitedFact, Conflict

TOLERANT_PLI, TOLERANT_LOEUF = 0.1, 1.0
"""gnomAD: below the one or above the other, losing a copy is tolerated."""
_LETHAL = re.compile(r"\b(?:lethality|lethal|perinatal death|prenatal death|preweaning death)\b", re.I)
WHAT = "Animals without the target die, while people seem to tolerate a lost copy"


def lethal(fact: Fact) -> bool:
    """Whether animals die that lack the target; those that lack both copies are no contradiction to people
    that lose one.
    """
    return (
        fact.topic is Topic.PHENOTYPE
        and "homozygous" not in fact.genotype
        and fact.change in (Change.LOSS, Change.NOT_TOLD)
        and bool(_LETHAL.search(f"{fact.text} {fact.term}"))
    )


def tolerant(fact: Fact) -> bool:
    """Whether people lose a copy of the gene without being selected against."""
    if fact.topic is not Topic.CONSTRAINT or fact.value is None:
        return False
    name = f"{fact.measure} {fact.term}".casefold()
    return ("pli" in name and fact.value <= TOLERANT_PLI) or (
        "loeuf" in name and fact.value >= TOLERANT_LOEUF
    )


def conflicts_of(facts: Sequence[CitedFact]) -> tuple[Conflict, ...]:
    """The contradiction among facts of different sources, where there is one."""
    die, live = ([one for one in facts if rule(one.fact)] for rule in (lethal, tolerant))
    found = (Conflict(WHAT, one, other) for one in die for other in live if one.source != other.source)
    return tuple(found)[:1]
