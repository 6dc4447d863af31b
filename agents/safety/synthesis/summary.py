"""The executive summary by rules: what the target is, what speaks for risk, in which species to look."""

from collections.abc import Iterator

from agents.databases.facts import Topic
from agents.safety.material import Draft, Material, claim_of
from agents.safety.sections.wish import Wish
from agents.safety.synthesis.liabilities import wanted
from agents.safety.synthesis.risk_table import best, risk_table
from agents.safety.synthesis.risks import ordered, relevant
from agents.safety.synthesis.species import species
from agents.safety.values import CitedFact, DraftBlock, Risk, Strength
from agents.trust.values import Claim

MOST = 4
MAIN = "Main risks"
NOTHING = "No source that could be asked tells anything of this target."
CAUTION = (
    "Strength says how many independent lines of evidence agree, and not how likely or how severe an effect "
    "is. Where no evidence was found, that is no proof of safety."
)


def summary(material: Material, wish: Wish) -> Draft:
    """The section by rules."""
    risks = _told(material)
    claims = tuple(dict.fromkeys((*_claims(material, risks, wish), *species(material, wish).claims)))
    table: tuple[DraftBlock, ...] = ()
    if risks and not wish.short:
        table = (risk_table(risks, material.order.direction, 2, MAIN),)
    return Draft(claims, table, (CAUTION,) if claims else (NOTHING,))


def _told(material: Material) -> list[Risk]:
    direction = material.order.direction
    ranked = [one for one in ordered(material.risks, direction) if relevant(one, direction)]
    return [one for one in ranked if one.strength >= Strength.MODERATE]


def _claims(material: Material, risks: list[Risk], wish: Wish) -> Iterator[Claim]:
    """One sentence each on function, constraint and drugs, then the best finding of each main risk."""
    for topic in (Topic.FUNCTION, Topic.CONSTRAINT, Topic.DRUG):
        yield from map(claim_of, sorted(wanted(material.of(topic), wish), key=_listing)[:1])
    told: list[CitedFact] = []
    for risk in risks[: 2 if wish.short else MOST]:
        facts = wanted([one.cited for one in best(risk, material.order.direction, MOST)], wish)
        told += [one for one in facts if one not in told][:1]
    yield from map(claim_of, told)


def _listing(one: CitedFact) -> tuple[bool, bool]:
    """Sorts sentences on the thing itself before entries of a list, and both before counts of entries."""
    return (one.fact.measure.startswith("number of"), bool(one.fact.id) or not one.fact.text.endswith("."))
