"""What the mechanism of a target leads to expect where nothing else was found: a harm that no source saw."""

from collections.abc import Iterator

from agents.counts import listed
from agents.safety.material import Material
from agents.safety.synthesis.risk_table import BEST, best
from agents.safety.synthesis.risks import relevant, shown
from agents.safety.synthesis.wording import cited_claim
from agents.safety.values import Finding, Risk, Strength
from agents.trust.values import Claim

HEAD = "Expected of its mechanism, seen by no source"
MOST = 4


def weak_risks(material: Material) -> Iterator[Risk]:
    """The endpoints of the asked direction with weak evidence, with what counts for each."""
    direction = material.order.direction
    for one in material.risks:
        if one.strength is Strength.WEAK and relevant(one, direction):
            yield shown(one, direction)


def expected_harms(material: Material) -> tuple[Finding, ...]:
    """The harms that follow from processes of the target, one of each endpoint with weak evidence."""
    direction = material.order.direction
    each = (best(risk, direction, BEST)[:1] for risk in weak_risks(material))
    return tuple(one for found in each for one in found if one.told)[:MOST]


def expected_line(material: Material) -> Iterator[Claim]:
    """The harms in a sentence, each with the process that it follows from."""
    found = expected_harms(material)
    harms = [
        f"{listed([one.effect for one in found if one.told == why])} ({why})"
        for why in dict.fromkeys(one.told for one in found)
    ]
    if found:
        yield cited_claim(f"{HEAD}: {'; '.join(harms)}.", found)


def expected_words(material: Material) -> str:
    """The harms alone, for the short answer; "" where there is none."""
    names = dict.fromkeys(one.effect for one in expected_harms(material))
    return f"expected of its mechanism: {listed([*names])}" if names else ""
