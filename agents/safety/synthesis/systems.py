"""Organ systems on which several kinds of evidence agree, whichever of the 15 endpoints these are of.

A system is listed from three kinds of evidence on, or with more than weak evidence; heart and nervous system,
which reviews of target safety name for most targets, with any.
`pestle eval safety` measures just this list.
"""

from collections.abc import Iterable, Sequence

from agents.counts import listed
from agents.databases.sider import ONE_REACTION, SHARED_REACTION
from agents.safety.endpoints.values import OrganSystem
from agents.safety.order import Direction
from agents.safety.synthesis.findings import LINES
from agents.safety.synthesis.risks import counted_of, relevant, weighed
from agents.safety.synthesis.wording import STRENGTHS, cited_claim
from agents.safety.values import Claims, Finding, Risk, Strength

TITLE = "Organ systems to look at"
OFTEN = frozenset({OrganSystem.CARDIOVASCULAR, OrganSystem.NERVOUS})
"""Systems that any evidence lists."""
LISTS = frozenset((SHARED_REACTION, ONE_REACTION))
AGREE = 3
"""Kinds of evidence that list any other system."""
SYSTEMS_HOW = (
    "Organ systems are listed from three kinds of evidence on, or with more than weak evidence; heart and "
    "nervous system, which reviews name for most targets, with any."
)


def listed_systems(findings: Sequence[Finding], direction: Direction | None = None) -> list[Risk]:
    """The systems to list, each weighed as an endpoint is, the strongest first."""
    every = systems_of(findings, direction)
    shown = [one for one in every if one.findings and _is_listed(one) and relevant(one, direction)]
    return sorted(shown, key=evidence_of, reverse=True)


def systems_of(findings: Sequence[Finding], direction: Direction | None = None) -> list[Risk]:
    """Every organ system, weighed as an endpoint is."""
    return [
        weighed(str(system), [one for one in findings if str(system) in one.systems], direction)
        for system in OrganSystem
    ]


def evidence_of(risk: Risk) -> float:
    """What systems are ordered by: strength, then kinds of evidence, of which there are fewer than 100."""
    return risk.strength + len(kinds_of(risk.findings)) / 100


def systems_line(findings: Sequence[Finding], direction: Direction | None = None) -> Claims | None:
    """The listed systems in a sentence, on the best finding of each; None where there is none."""
    if not (risks := listed_systems(findings, direction)):
        return None
    told = listed([f"{one.endpoint} ({STRENGTHS[one.strength]})" for one in risks])
    best = [counted_of(one, direction)[0] for one in risks]
    return Claims((cited_claim(f"{TITLE}: {told}.", best),))


def kinds_of(findings: Iterable[Finding]) -> set[tuple[str, bool]]:
    """The kinds of evidence: its lines, and what is inferred from a signal apart from what is stated. What a
    label of SIDER only lists is none.
    """
    told = (one for one in findings if one.cited.fact.measure not in LISTS or one.strength > Strength.WEAK)
    return {(LINES[one.cited.fact.topic], one.inferred) for one in told}


def _is_listed(risk: Risk) -> bool:
    agree = len(kinds_of(risk.findings)) >= AGREE
    return risk.endpoint in OFTEN or agree or risk.strength > Strength.WEAK
