"""The integrated risk table by rules: findings go to endpoints, and each is weighed by one rule.

The rule, for an endpoint as for an organ system (`strength_of`; in words: `RULE`):

    strong    in the boxed warning or trials of a drug against the target alone, or in warnings of two such
              drugs; or two of: patients, a rare disease of the gene, a single phenotype of animals
    moderate  one of these; in the warnings of one such drug, the boxed warning of one that acts on other
              proteins too, or warnings of those where two of genetics, animals and mechanism agree; an
              adverse reaction that drugs of the target share; in a review of target safety
    weak      anything less

What was seen with the other direction of change than is asked counts for nothing there.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from agents.safety.endpoints.values import Endpoint
from agents.safety.order import Direction
from agents.safety.synthesis.experiments import GRAVITY
from agents.safety.synthesis.findings import (
    CLINICAL,
    CURATED,
    LIGHT,
    LINES,
    OBSERVED,
    RANKED,
    SOFT,
    is_light,
    lines_of,
    place_of,
)
from agents.safety.values import Finding, Risk, Severity, Strength

RULE = (
    "Strong: in the boxed warning or trials of a drug against the target alone, or in warnings of two such "
    "drugs; or two of: patients, people with a rare disease of the gene, single phenotypes of animals. "
    "Moderate: one of these; in warnings of one such drug, in the boxed warning of one that acts on other "
    "proteins too, or in warnings of those where two of genetics, animals and mechanism agree; an adverse "
    "reaction that drugs of the target share far more often than by chance; in a review of target safety. "
    "Weak: anything less. What any trial sees (headache, colds), classes of mouse phenotypes, which name no "
    "effect, a disease of unknown direction where one is asked, susceptibility, warnings of drugs that act "
    "on other proteins too, common variants, mechanism, literature, sources that people gave and own "
    "archive are weak lines. Expression rates no endpoint, but for a cell therapy. What is seen with the "
    "other direction of change than was asked is not counted. Severity stands in its own column: "
    "life-threatening, serious, monitorable or mild; rules tell only serious ones, by their words. "
    "The same rule holds for endpoints and organ systems, of which the renal one has the bladder too."
)
READ = (
    "“Read as loss”: the source does not say what was changed. Mice are read as without function, which is "
    "what most alleles are, and recessive and X-linked diseases are read as loss. "
    "A process without a sign is read as driven by the target."
)
AGREEING = 2
"""So many of patients, human genetics and single phenotypes of animals together are strong evidence."""
BEARING = OBSERVED - {"clinical"} | {"mechanism"}
"""Lines of which as many bear out what may come from another target."""
BY_ITSELF = 2
"""So many drugs that act on the target alone point to it."""


class Stance(StrEnum):
    """What a finding or risk says of what the medicine is to do."""

    FOR = "expected"
    OTHER = "seen with the other direction"
    UNKNOWN = "direction unknown"


def stance_of(under: str, direction: Direction | None) -> Stance:
    """The stance of what happens `under` a change; "both" is expected with either, "" is unknown."""
    if not under:
        return Stance.UNKNOWN
    return Stance.FOR if direction is None or under in ("both", str(direction)) else Stance.OTHER


def risks_of(findings: Sequence[Finding], direction: Direction | None = None) -> tuple[Risk, ...]:
    """All endpoints, in their order."""
    return tuple(
        weighed(endpoint.key, [one for one in findings if one.endpoint == endpoint.key], direction)
        for endpoint in Endpoint
    )


def weighed(endpoint: str, findings: Sequence[Finding], direction: Direction | None = None) -> Risk:
    """An endpoint with its findings, the strongest first, and within one strength by line of evidence.

    Findings of the other direction than is asked are kept and do not count, unless there are no others.
    """
    ranked = sorted(findings, key=_rank)  # stable: the tools' order within one line
    counted = _counted(ranked, direction)
    telling = _telling(counted)
    ways = {one.under for one in telling}
    return Risk(
        endpoint,
        strength_of(counted),
        "both" if len(ways) > 1 else next(iter(ways), ""),
        tuple(ranked),
        assumed=bool(ways) and all(one.cited.fact.assumed for one in telling),
        severity=max(map(severity_of, counted), default=Severity.UNTOLD),
    )


def severity_of(one: Finding) -> Severity:
    """How grave a finding is that is more than weak, by its words."""
    grave = one.strength > Strength.WEAK and re.search(GRAVITY["grave"], one.cited.fact.term, re.IGNORECASE)
    return Severity.SERIOUS if grave else Severity.UNTOLD


def counted_of(risk: Risk, direction: Direction | None) -> tuple[Finding, ...]:
    """The findings of a risk by which it is weighed."""
    return tuple(_counted(risk.findings, direction))


def _counted(findings: Sequence[Finding], direction: Direction | None) -> Sequence[Finding]:
    return [one for one in findings if stance_of(one.under, direction) is not Stance.OTHER] or findings


def _telling(counted: Sequence[Finding]) -> list[Finding]:
    """The findings that tell with which change of the target a risk is to be expected.

    Only the strongest do: a class of mouse phenotypes does not tell the direction of a disease.
    """
    strongest = max((one.strength for one in counted), default=Strength.NONE)
    return [one for one in counted if one.under and one.strength == strongest]


def _rank(one: Finding) -> tuple[int, int, bool, bool, int]:
    """Strength, line of evidence, warnings before other harm, open directions, and how deadly."""
    fact = one.cited.fact
    soft = is_light(fact) or fact.measure in SOFT
    return -one.strength, RANKED.index(LINES[fact.topic]), soft, not one.under, place_of(fact.term)


def strength_of(findings: Sequence[Finding]) -> Strength:
    """How strongly findings speak together: the one rule of this module, for endpoints and organ systems."""
    if not findings:
        return Strength.NONE
    hard = {LINES[one.cited.fact.topic] for one in findings if one.strength >= Strength.MODERATE}
    warned = any(one.strength is Strength.STRONG for one in findings)
    if warned or _drugs_agree(findings) or len(hard) >= AGREEING:
        return Strength.STRONG
    return Strength.MODERATE if hard or _borne_out(findings) else Strength.WEAK


def _drugs_agree(findings: Sequence[Finding]) -> bool:
    """Whether several drugs that act on the target alone show it."""
    facts = [
        one.cited.fact for one in findings if one.cited.fact.topic in CLINICAL and not one.cited.fact.shared
    ]
    told = {one.id for one in facts if one.measure not in {*LIGHT, CURATED}}
    return len(told - {""}) >= BY_ITSELF


def _borne_out(findings: Sequence[Finding]) -> bool:
    """Whether other lines bear out what drugs bring that act on other proteins too."""
    lines = {LINES[one.cited.fact.topic] for one in findings if not is_light(one.cited.fact)}
    return "clinical" in lines and len(lines & BEARING) >= AGREEING


def relevant(risk: Risk, direction: Direction | None) -> bool:
    """Whether a risk may follow from what the medicine does; where nothing tells, it may."""
    return stance_of(risk.direction, direction) is not Stance.OTHER


def shown(risk: Risk, direction: Direction | None) -> Risk:
    """A risk with the findings by which it is weighed alone; with none where it is of the other direction."""
    if not relevant(risk, direction):
        return Risk(risk.endpoint)
    return replace(risk, findings=counted_of(risk, direction))


def ordered(risks: Sequence[Risk], direction: Direction | None) -> list[Risk]:
    """Rated risks: those of the asked direction first, then by strength, by whether the target alone may
    bring them, by severity and the best line.

    The number of hits does not count: ten processes are no more than one disease.
    """
    found = [one for one in risks if one.findings]
    return sorted(
        found,
        key=lambda one: (
            not relevant(one, direction),
            -one.strength,
            all(each.cited.fact.shared for each in one.findings if each.strength == one.findings[0].strength),
            -one.severity,
            _rank(one.findings[0]),
            -len(lines_of(one.findings)),
        ),
    )


def main_of(risks: Sequence[Risk], direction: Direction | None) -> list[Risk]:
    """Risks of the asked direction with more than weak evidence, in their order."""
    every = ordered(risks, direction)
    return [one for one in every if relevant(one, direction) and one.strength >= Strength.MODERATE]


def title_of(key: str) -> str:
    """The name of an endpoint."""
    return Endpoint[key.upper()].title
