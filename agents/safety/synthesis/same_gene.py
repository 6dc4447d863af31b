"""A risk of unknown direction beside a disease of the same gene whose name tells one.

Hyperammonaemia tells no direction; "ornithine carbamoyltransferase deficiency", of the same gene, is a loss.
The one may be a sign of the other, which is said and not concluded: a gene may have diseases of either kind.
"""

from agents.databases.facts import Change, Topic
from agents.safety.material import Material
from agents.safety.order import Direction
from agents.safety.sections.wish import Wish
from agents.safety.synthesis.apart import COUNTERED
from agents.safety.synthesis.findings import GENETIC
from agents.safety.values import Risk, Strength
from agents.trust.values import Claim

CHANGES = {Change.LOSS: "loss of function", Change.GAIN: "gain of function"}
MAY = (
    "The only direction that names of the gene's diseases tell is {change} ({named}): what was found in "
    "people with unknown direction may be a sign of it, which {direction} {does}."
)
FIRST = 2
"""Diseases that are named."""


def same_gene(material: Material, risk: Risk, wish: Wish) -> tuple[Claim, ...]:
    """A claim on the gene's diseases that tell a direction; none if they tell both, or the risk tells one."""
    direction = material.order.direction
    diseases = [one for one in material.of(Topic.DISEASE) if one.fact.term and one.fact.change in CHANGES]
    changes = {one.fact.change for one in diseases}
    told = [one for one in diseases if not wish.refuses(one)][:FIRST]
    if direction is None or len(changes) != 1 or not told or not _is_open(risk):
        return ()
    change = Change(changes.pop())
    named = "; ".join(one.fact.term for one in told)
    text = MAY.format(change=CHANGES[change], named=named, direction=direction, does=_does(direction, change))
    keys = tuple(dict.fromkeys(one.key for one in told))
    return (Claim(text, keys, tuple(quote for one in told for quote in one.fact.quotes)),)


def _does(direction: Direction, change: Change) -> str:
    return "would counter" if COUNTERED[direction] == change else "would bring about too"


def _is_open(risk: Risk) -> bool:
    """Whether a rare disease without a direction stands behind a risk without one."""
    return not risk.direction and any(
        one.cited.fact.topic in GENETIC and not one.under and one.strength >= Strength.MODERATE
        for one in risk.findings
    )
