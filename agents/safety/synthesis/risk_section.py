"""The integrated risk assessment by rules: the table of all 15 endpoints, and the organ systems affected."""

from agents.safety.material import Draft, Material
from agents.safety.sections.wish import Wish
from agents.safety.synthesis.risk_table import BEST, risk_table
from agents.safety.synthesis.risks import weighed
from agents.safety.synthesis.systems import SYSTEMS_HOW, systems_table
from agents.safety.values import Finding, Risk

HOW = (
    "Strong: seen in the clinic, or in people with a changed gene and in animals. Moderate: one of these, or "
    "three weak lines together. Weak: expression, mechanism, common variants, literature, spontaneous "
    "reports or our own archive alone."
)
FULL = 10


def risk_section(material: Material, wish: Wish) -> Draft:
    """The section by rules. An instruction may leave findings out; endpoints stay, with none if need be."""
    risks = tuple(_left(one, wish) for one in material.risks)
    if wish.words:
        risks = tuple(sorted(risks, key=lambda one: not any(wish.wants(f.cited) for f in one.findings)))
    most = 2 if wish.short else FULL if wish.full else BEST
    table = risk_table(risks, material.order.direction, most)
    systems = systems_table([one for one in material.facts if not wish.refuses(one)], most)
    if systems is None:
        return Draft((), (table,), (HOW,))
    return Draft((), (table, systems), (HOW, SYSTEMS_HOW))


def _left(risk: Risk, wish: Wish) -> Risk:
    """The risk without findings that shall not be told, weighed again."""
    kept: list[Finding] = [one for one in risk.findings if not wish.refuses(one.cited)]
    return risk if len(kept) == len(risk.findings) else weighed(risk.endpoint, kept)
