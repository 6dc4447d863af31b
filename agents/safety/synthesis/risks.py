"""The integrated risk table by rules: findings go to the 15 endpoints, and each is weighed by one rule.

The rule, for an endpoint as for an organ system (`strength_of`; in words: `RULE`):

    strong    in the boxed warning or trials of a drug against the target alone, or in warnings of two such
              drugs; or both in people with a rare disease of the gene and as a single phenotype of animals
    moderate  one of these; in the warnings of one such drug, or on two that act on other proteins too; or, if
              a named effect was observed in animals or people by weak evidence, also a process of the organ's
              function that the target takes part in, or two more weak lines
    weak      anything less

What was seen with the other direction of change than is asked counts for nothing there.
"""

import re
from collections.abc import Sequence
from enum import StrEnum

from agents.databases.facts import Topic
from agents.safety.endpoints.values import Endpoint
from agents.safety.order import Direction
from agents.safety.synthesis.findings import (
    CLINICAL,
    LIGHT,
    LINES,
    OBSERVED,
    RANKED,
    SPONTANEOUS,
    is_class,
    lines_of,
)
from agents.safety.values import Finding, Risk, Strength

WEAK_LINES = 3
"""So many weak lines together, one of them observed, count as moderate evidence."""
GROWTH = re.compile(
    r"\b(?:(?:angio|axono|neuro|synapto|vasculo|dendrito|glio|organo)genesis|extension|development|differentiation|morphogenesis|proliferation|apopto\w+|migration|guidance|fate|formation"
    r"|maturation|projection|specification|growth|regeneration|generation|assembly|organization|death)\b",
    re.IGNORECASE,
)
"""Processes by which an organ comes about, and not how it works."""
FORMED = re.compile(r"\b(?:system|tract|organ|tube) (?:development|morphogenesis)\b", re.IGNORECASE)
"""How an organ is formed, whatever is renewed in it later."""
RENEWED = frozenset({"hematotoxicity", "immune", "skin", "gastrointestinal", "reproductive"})
"""Endpoints of organs whose cells are made all life long: there growth is function."""
RULE = (
    "Strong: in the boxed warning or trials of a drug against the target alone, or in warnings of two such "
    "drugs; or both in people with a rare disease of the gene and as a single phenotype of animals. "
    "Moderate: one of these; in warnings of one such drug, or on two that act on other proteins too; or a "
    "weak observation of a named effect in animals or people together "
    "with a process of the organ's function, or with two more weak lines. Weak: anything less. Classes of "
    "mouse phenotypes, which name no effect, susceptibility, a warning of one drug that acts on other "
    "proteins too, common variants, mechanism, expression (from half of the highest tissue on), "
    "literature, sources that people gave, spontaneous reports and our own archive are weak "
    "lines; spontaneous reports alone are no observation. What is seen with the other direction of change "
    "than was asked is not counted. The same rule holds for endpoints and organ systems."
)
READ = (
    "“Read as loss”: the source does not say what was changed. Mice are read as without function, which is "
    "what most alleles are, and recessive and X-linked diseases are read as loss."
)
BEYOND = "musculoskeletal"
"""What none of the 15 endpoints of the paper is about."""
BEYOND_TITLE = "Muscle and bone"
BY_ITSELF = 2
"""So many drugs that share the target and not their other ones point to it."""


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
    """All 15 endpoints, in the order of the paper's table."""
    return tuple(
        weighed(endpoint.key, [one for one in findings if one.endpoint == endpoint.key], direction)
        for endpoint in Endpoint
    )


def beyond_of(findings: Sequence[Finding], direction: Direction | None = None) -> Risk:
    """What was found on muscle and bone, weighed as an endpoint is."""
    return weighed(BEYOND, [one for one in findings if not one.endpoint and BEYOND in one.systems], direction)


def weighed(endpoint: str, findings: Sequence[Finding], direction: Direction | None = None) -> Risk:
    """An endpoint with its findings, the strongest first, and within one strength by line of evidence.

    Findings of the other direction than is asked are kept and do not count, unless there are no others.
    """
    ranked = sorted(findings, key=_rank)  # stable: the tools' order within one line
    counted = _counted(ranked, direction)
    telling = _telling(counted)
    ways = {one.under for one in telling}
    strength, opposed = strength_of(counted), strength_of(ranked)
    return Risk(
        endpoint,
        strength,
        "both" if len(ways) > 1 else next(iter(ways), ""),
        tuple(ranked),
        assumed=bool(ways) and all(one.cited.fact.assumed for one in telling),
        opposed=opposed if opposed > strength else Strength.NONE,
    )


def counted_of(risk: Risk, direction: Direction | None) -> tuple[Finding, ...]:
    """The findings of a risk by which it is weighed."""
    return tuple(_counted(risk.findings, direction))


def _counted(findings: Sequence[Finding], direction: Direction | None) -> Sequence[Finding]:
    return [one for one in findings if stance_of(one.under, direction) is not Stance.OTHER] or findings


def _telling(counted: Sequence[Finding]) -> list[Finding]:
    """The findings that tell with which change of the target a risk is to be expected.

    Only what was observed tells, for a process may rise or fall with either change; and only the strongest:
    a class of mouse phenotypes does not tell the direction of a disease.
    """
    strongest = max((one.strength for one in counted), default=Strength.NONE)
    observed = [one for one in counted if one.under and LINES[one.cited.fact.topic] in OBSERVED]
    return [one for one in observed if one.strength == strongest]


def _rank(one: Finding) -> tuple[int, int, bool]:
    """Strength, line of evidence, and whether it is open with which change of the target it comes."""
    return -one.strength, RANKED.index(LINES[one.cited.fact.topic]), not one.under


def strength_of(findings: Sequence[Finding]) -> Strength:
    """How strongly findings speak together: the one rule of this module, for endpoints and organ systems."""
    if not findings:
        return Strength.NONE
    hard = {LINES[one.cited.fact.topic] for one in findings if one.strength >= Strength.MODERATE}
    warned = any(one.strength is Strength.STRONG for one in findings)
    if warned or _drugs_agree(findings, shared=False) or {"human genetics", "animals"} <= hard:
        return Strength.STRONG
    agree = len(lines_of(findings)) >= WEAK_LINES or any(map(_is_function, findings))
    seen = any(map(_is_observed, findings))
    return (
        Strength.MODERATE
        if hard or _drugs_agree(findings, shared=True) or (seen and agree)
        else Strength.WEAK
    )


def _is_observed(one: Finding) -> bool:
    """Whether an effect was seen in animals or people. Reports that anybody may send in show no cause, and a
    class of phenotypes names no effect.
    """
    fact = one.cited.fact
    return LINES[fact.topic] in OBSERVED and fact.measure not in SPONTANEOUS and not is_class(fact)


def _drugs_agree(findings: Sequence[Finding], *, shared: bool) -> bool:
    """Whether several drugs show it: what those share that act on other proteins too is the target."""
    facts = [one.cited.fact for one in findings if one.cited.fact.topic in CLINICAL]
    told = {one.id for one in facts if one.shared is shared and one.measure not in LIGHT}
    return len(told - {""}) >= BY_ITSELF


def _is_function(one: Finding) -> bool:
    """Whether a finding is a process of how an organ works, stated and not inferred from a signal."""
    fact = one.cited.fact
    if fact.topic is not Topic.FUNCTION or one.inferred:
        return False
    if FORMED.search(fact.term):
        return False
    return one.endpoint in RENEWED or not GROWTH.search(fact.term)


def relevant(risk: Risk, direction: Direction | None) -> bool:
    """Whether a risk may follow from what the medicine does; where nothing tells, it may."""
    return stance_of(risk.direction, direction) is not Stance.OTHER


def ordered(risks: Sequence[Risk], direction: Direction | None) -> list[Risk]:
    """Risks with findings: those of the asked direction first, then by strength, then by the best line.

    The number of hits does not count: ten processes are no more than one disease.
    """
    found = [one for one in risks if one.findings]
    return sorted(
        found,
        key=lambda one: (
            not relevant(one, direction),
            -one.strength,
            _rank(one.findings[0]),
            -len(lines_of(one.findings)),
            _number(one.endpoint),
        ),
    )


def one_sided(risks: Sequence[Risk], direction: Direction | None) -> str:
    """A remark where all that tells a direction tells the other one than was ordered; else ""."""
    observed = (each for one in risks for each in one.findings if LINES[each.cited.fact.topic] in OBSERVED)
    ways = {each.under for each in observed if each.under}
    if direction is None or not ways or str(direction) in ways:
        return ""
    other = "loss of function" if direction is Direction.ACTIVATION else "gain of function"
    return (
        f"What was loaded and tells a direction covers {other} only. That no risk of {direction} is shown "
        "here is no sign of safety."
    )


def title_of(key: str) -> str:
    """The name of an endpoint."""
    return BEYOND_TITLE if key == BEYOND else Endpoint[key.upper()].title


def _number(key: str) -> int:
    """The place of an endpoint in the paper's table; what is beyond comes last."""
    return len(Endpoint) + 1 if key == BEYOND else Endpoint[key.upper()].number
