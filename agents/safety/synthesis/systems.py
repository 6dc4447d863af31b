"""Organ systems on which several kinds of evidence agree, whichever of the endpoints these are of.

A system is listed from three kinds of evidence on, with more than weak evidence, or where a label warns; the
two with most evidence, and heart and nervous system, which reviews of target safety name for most targets,
with any.
`pestle eval safety` measures just this list.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter

from agents.counts import listed
from agents.databases.openfda import WARNS
from agents.databases.sider import ONE_REACTION, SHARED_REACTION
from agents.safety.endpoints.values import OrganSystem
from agents.safety.order import Direction
from agents.safety.synthesis.findings import LINES, OBSERVED
from agents.safety.synthesis.risks import counted_of, relevant, weighed
from agents.safety.synthesis.wording import cited_claim
from agents.safety.values import Claims, Finding, Risk, Strength

TITLE = "Organ systems to look at"
LISTS = frozenset((SHARED_REACTION, ONE_REACTION))


@dataclass(frozen=True, slots=True)
class Listing:
    """What is listed: systems that any evidence lists (`often`), so many with most evidence (`leading`), and
    any other from so many kinds of evidence on (`agree`).
    """

    often: frozenset[OrganSystem] = frozenset({OrganSystem.CARDIOVASCULAR, OrganSystem.NERVOUS})
    leading: int = 2
    agree: int = 3


LISTING = Listing()
SYSTEMS_HOW = (
    "Organ systems are listed from three kinds of evidence on, with more than weak evidence, or where a "
    "label warns; the two with most evidence, and heart and nervous system, which reviews name for most "
    "targets, with any."
)


def systems_of(findings: Sequence[Finding], direction: Direction | None = None) -> list[tuple[Risk, float]]:
    """Every organ system, weighed as an endpoint is, those with most evidence first.

    The evidence is the sum of three shares: its strength of the strongest, its findings of all that were
    observed of the target, and of all that are inferred from its signals. So what speaks for every organ
    speaks less for each.
    """
    risks = [
        weighed(str(system), [one for one in findings if str(system) in one.systems], direction)
        for system in OrganSystem
    ]
    seen, inferred = _shares(risks, _is_observed), _shares(risks, attrgetter("inferred"))
    sums = (
        risk.strength / Strength.STRONG + sum(own) for risk, *own in zip(risks, seen, inferred, strict=True)
    )
    return sorted(zip(risks, sums, strict=True), key=lambda one: (one[1], len(one[0].findings)), reverse=True)


def _shares(risks: Sequence[Risk], counts: Callable[[Finding], bool]) -> list[float]:
    """The share that each risk has of the findings that count."""
    found = [sum(map(counts, risk.findings)) for risk in risks]
    return [count / (sum(found) or 1) for count in found]


def listed_systems(
    systems: Iterable[tuple[Risk, float]], direction: Direction | None = None, by: Listing = LISTING
) -> list[Risk]:
    """Of the weighed systems those to list, in their order."""
    found = [one for one, _ in systems if one.findings and relevant(one, direction)]
    return [one for place, one in enumerate(found) if place < by.leading or _is_listed(one, by)]


def systems_line(findings: Sequence[Finding], direction: Direction | None = None) -> Claims | None:
    """The listed systems in a sentence, the strongest first, on the best finding of each; None where there is
    none. How strong each is stands in the table of endpoints alone.
    """
    if not (risks := listed_systems(systems_of(findings, direction), direction)):
        return None
    risks.sort(key=lambda one: -one.strength)
    best = [counted_of(one, direction)[0] for one in risks]
    return Claims((cited_claim(f"{TITLE}: {listed([one.endpoint for one in risks])}.", best),))


def kinds_of(findings: Iterable[Finding]) -> set[tuple[str, bool]]:
    """The kinds of evidence: its lines, and what is inferred from a signal apart from what is stated. What a
    label of SIDER only lists is none.
    """
    told = (one for one in findings if one.cited.fact.measure not in LISTS or one.strength > Strength.WEAK)
    return {(LINES[one.cited.fact.topic], one.inferred) for one in told}


def _is_observed(one: Finding) -> bool:
    return LINES[one.cited.fact.topic] in OBSERVED


def _is_listed(risk: Risk, by: Listing) -> bool:
    warned = any(one.cited.fact.measure == WARNS for one in risk.findings)
    often = warned or risk.endpoint in by.often
    return often or len(kinds_of(risk.findings)) >= by.agree or risk.strength > Strength.WEAK
