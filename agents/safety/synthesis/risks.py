"""The integrated risk table by rules: findings go to the 15 endpoints, and each is weighed by one rule.

The rule, for an endpoint as for an organ system (`strength_of`; in words: `RULE`):

    strong    seen in the clinic on a drug against the target, or both in people with a rare disease of the
              gene and as a single phenotype of animals without it
    moderate  one of these; or, if an organ was observed to be affected in animals or people by weak evidence,
              also a process of its function that the target takes part in, or two more weak lines
    weak      anything less
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from agents.databases.expression import BROAD_BELOW
from agents.databases.facts import Fact, Topic
from agents.safety.endpoints.mapping import effects_of
from agents.safety.endpoints.species import species_group
from agents.safety.endpoints.strength import level_of
from agents.safety.endpoints.values import Endpoint
from agents.safety.endpoints.vocabulary import is_susceptibility
from agents.safety.order import Direction
from agents.safety.values import CitedFact, Finding, Risk, Strength

CLINICAL = frozenset({Topic.ADVERSE_EVENT, Topic.TRIAL})
GENETIC = frozenset({Topic.DISEASE, Topic.VARIANT})
ANIMAL = frozenset({Topic.PHENOTYPE})
LINES = {
    **dict.fromkeys(CLINICAL, "clinical"),
    **dict.fromkeys(GENETIC, "human genetics"),
    **dict.fromkeys(ANIMAL, "animals"),
    Topic.ASSOCIATION: "common variants",
    Topic.FUNCTION: "mechanism",
    Topic.PATHWAY: "mechanism",
    Topic.EXPRESSION: "expression",
    Topic.LITERATURE: "literature",
    Topic.ARCHIVE: "own archive",
}
"""Lines of evidence by topic, the strongest first: two facts of one line do not confirm each other."""
RANKED = tuple(dict.fromkeys(LINES.values()))
HARD = frozenset({"clinical", "human genetics", "animals"})
OBSERVED = HARD | {"common variants"}
"""Lines that were seen in animals or people; the others say what the target may do."""
SPONTANEOUS = frozenset({"reports to FAERS", "log-likelihood ratio of reports"})
"""Measures of spontaneous reports: whoever takes a drug may have had the event without it."""
WEAK_LINES = 3
"""So many weak lines together, one of them observed, count as moderate evidence."""
GROWTH = re.compile(
    r"\b(?:(?:angio|axono|neuro|synapto|vasculo|dendrito|glio|organo)genesis|extension|development|differentiation|morphogenesis|proliferation|apopto\w+|migration|guidance|fate|formation"
    r"|maturation|projection|specification|growth|regeneration|generation|assembly|organization|death)\b",
    re.IGNORECASE,
)
"""Processes by which an organ comes about, and not how it works."""
RENEWED = frozenset({"hematotoxicity", "immune", "skin", "gastrointestinal", "reproductive"})
"""Endpoints of organs whose cells are made all life long: there growth is function."""
HALF = 1.0
"""Of the highest tissue, on a logarithmic scale of base 2: a tissue below half of it is no finding."""
RULE = (
    "Strong: seen in the clinic on a drug against the target, or both in people with a rare disease of the "
    "gene and as a single phenotype of animals. Moderate: one of these; or a weak observation in animals or "
    "people together with a process of the organ's function, or with two more weak lines. Weak: anything "
    "less. Classes of mouse phenotypes, susceptibility, common variants, mechanism, expression (from half of "
    "the highest tissue on, and not where it is broad), literature, spontaneous reports and our own archive "
    "are weak lines. The same rule holds for endpoints and organ systems."
)


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


def findings_of(facts: Sequence[CitedFact]) -> tuple[Finding, ...]:
    """What the facts say of endpoints and organ systems, in their order.

    A sentence that sums up what other facts of the same tool tell one by one is passed over. So is a tissue
    with less than half of the expression of the highest one, and every tissue where expression is broad: it
    points to none.
    """
    broad = {
        one.tool
        for one in facts
        if one.fact.measure == "tau" and one.fact.value is not None and one.fact.value < BROAD_BELOW
    }
    facts = [one for one in facts if one.fact.topic is not Topic.EXPRESSION or one.tool not in broad]
    listed = {(one.tool, one.fact.topic) for one in facts if one.fact.term}
    told = (one for one in facts if one.fact.term or (one.tool, one.fact.topic) not in listed)
    highest = _highest(facts)
    return tuple(finding for one in told if _is_high(one, highest) for finding in _findings(one))


def _highest(facts: Iterable[CitedFact]) -> dict[tuple[str, str, str], float]:
    """The highest level of expression of each data set."""
    found: dict[tuple[str, str, str], float] = {}
    for one in facts:
        if one.fact.topic is Topic.EXPRESSION and one.fact.term:
            found[_data_set(one)] = max(found.get(_data_set(one), 0.0), level_of(one.fact))
    return found


def _is_high(one: CitedFact, highest: dict[tuple[str, str, str], float]) -> bool:
    if one.fact.topic is not Topic.EXPRESSION or one.fact.value is None:
        return True
    return level_of(one.fact) >= highest.get(_data_set(one), 0.0) - HALF


def _data_set(one: CitedFact) -> tuple[str, str, str]:
    return one.tool, one.fact.measure, one.fact.unit


def _findings(one: CitedFact) -> Iterator[Finding]:
    if LINES.get(one.fact.topic) is None:
        return
    seen: set[tuple[str, str]] = set()
    effects = effects_of(one.fact)
    named = [effect for effect in effects if not effect.mechanism]
    for effect in named or effects:  # where a term names an organ, nothing is inferred from its signal
        under = str(effect.under or "")
        for key in [endpoint.key for endpoint in effect.endpoints] or [""]:
            if (key, under) in seen and key:
                continue
            seen.add((key, under))
            yield Finding(
                one,
                key,
                effect.title,
                str(effect.sign),
                under,
                str(species_group(one.fact.species)),
                tuple(map(str, effect.systems)),
                Strength.WEAK if effect.mechanism else strength_of_fact(one.fact),
                effect.mechanism,
            )


def strength_of_fact(fact: Fact) -> Strength:
    """What one fact counts for, whatever it is about."""
    line = LINES[fact.topic]
    vague = _is_class(fact) or fact.measure in SPONTANEOUS
    if line not in HARD or vague or (fact.topic in GENETIC and is_susceptibility(fact.term)):
        return Strength.WEAK
    return Strength.STRONG if line == "clinical" else Strength.MODERATE


def _is_class(fact: Fact) -> bool:
    """Whether a phenotype only names a class of them ("nervous system phenotype")."""
    return fact.topic is Topic.PHENOTYPE and fact.term.casefold().endswith(" phenotype")


def risks_of(findings: Sequence[Finding]) -> tuple[Risk, ...]:
    """All 15 endpoints, in the order of the paper's table."""
    return tuple(
        weighed(endpoint.key, [one for one in findings if one.endpoint == endpoint.key])
        for endpoint in Endpoint
    )


def weighed(endpoint: str, findings: Sequence[Finding]) -> Risk:
    """An endpoint with its findings, the strongest first, and within one strength by line of evidence."""
    ranked = sorted(findings, key=_rank)  # stable: the tools' order within one line
    groups = tuple(dict.fromkeys(one.group for one in ranked if one.group))
    return Risk(endpoint, strength_of(ranked), direction_of(ranked), groups, tuple(ranked))


def _rank(one: Finding) -> tuple[int, int, bool]:
    """Strength, line of evidence, and whether it is open with which change of the target it comes."""
    return -one.strength, RANKED.index(LINES[one.cited.fact.topic]), not one.under


def lines_of(findings: Iterable[Finding]) -> tuple[str, ...]:
    """The independent lines of evidence behind findings, the strongest first."""
    found = {LINES[one.cited.fact.topic] for one in findings}
    return tuple(line for line in RANKED if line in found)


def strength_of(findings: Sequence[Finding]) -> Strength:
    """How strongly findings speak together: the one rule of this module, for endpoints and organ systems."""
    if not findings:
        return Strength.NONE
    hard = {LINES[one.cited.fact.topic] for one in findings if one.strength >= Strength.MODERATE}
    if "clinical" in hard or {"human genetics", "animals"} <= hard:
        return Strength.STRONG
    lines = lines_of(findings)
    agree = len(lines) >= WEAK_LINES or any(map(_is_function, findings))
    return Strength.MODERATE if hard or (OBSERVED & set(lines) and agree) else Strength.WEAK


def _is_function(one: Finding) -> bool:
    """Whether a finding is a process of how an organ works, stated and not inferred from a signal."""
    fact = one.cited.fact
    if fact.topic is not Topic.FUNCTION or one.inferred:
        return False
    return one.endpoint in RENEWED or not GROWTH.search(fact.term)


def direction_of(findings: Sequence[Finding]) -> str:
    """With which change of the target findings are expected, by the strongest that tell.

    Only what was observed tells: a process may rise or fall with either change. "both" where equally strong
    findings differ, "" where none tells.
    """
    telling = [one for one in findings if one.under and LINES[one.cited.fact.topic] in OBSERVED]
    best = max((one.strength for one in telling), default=Strength.NONE)
    ways = {one.under for one in telling if one.strength == best}
    return "both" if len(ways) > 1 else next(iter(ways), "")


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
            Endpoint[one.endpoint.upper()].number,
        ),
    )


def one_sided(risks: Sequence[Risk], direction: Direction | None) -> str:
    """A remark where all that tells a direction tells the other one than was ordered; else ""."""
    ways = {one.direction for one in risks if one.direction}
    if direction is None or not ways or ways & {"both", str(direction)}:
        return ""
    other = "loss of function" if direction is Direction.ACTIVATION else "gain of function"
    return (
        f"What was loaded and tells a direction covers {other} only. That no risk of {direction} is shown "
        "here is no sign of safety."
    )


def title_of(key: str) -> str:
    """The name of an endpoint."""
    return Endpoint[key.upper()].title
