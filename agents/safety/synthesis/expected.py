"""What the mechanism of a target leads to expect where nothing else was found: a harm that no source saw."""

from agents.safety.material import Material
from agents.safety.synthesis.risk_table import best
from agents.safety.synthesis.risks import relevant
from agents.safety.values import Finding, Strength

HEAD = "Expected of its mechanism, seen by no source"


def expected_harms(material: Material) -> list[Finding]:
    """The harms that follow from processes of the target, one of each endpoint with weak evidence."""
    direction = material.order.direction
    weak = [one for one in material.risks if one.strength is Strength.WEAK and relevant(one, direction)]
    return [one for risk in weak for one in best(risk, direction, 1) if one.told]
