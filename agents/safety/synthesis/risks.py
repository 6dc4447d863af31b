"""The integrated risk table by rules: findings go to the 15 endpoints, and each endpoint is weighed."""

from collections.abc import Iterable, Iterator, Sequence

from agents.databases.facts import Topic
from agents.safety.endpoints.mapping import effects_of
from agents.safety.endpoints.species import species_group
from agents.safety.endpoints.values import Endpoint
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
    Topic.EXPRESSION: "expression",
    Topic.FUNCTION: "mechanism",
    Topic.PATHWAY: "mechanism",
    Topic.LITERATURE: "literature",
    Topic.ARCHIVE: "own archive",
}
"""Lines of evidence by topic: two facts of one line do not confirm each other."""
HARD = frozenset({"clinical", "human genetics", "animals"})
SPONTANEOUS = frozenset({"reports to FAERS", "log-likelihood ratio of reports"})
"""Measures of spontaneous reports: whoever takes a drug may have had the event without it."""
WEAK_LINES = 3
"""So many weak lines together count as moderate evidence."""


def findings_of(facts: Sequence[CitedFact]) -> tuple[Finding, ...]:
    """What the facts say of endpoints, in their order.

    A sentence that sums up what other facts of the same tool tell one by one is passed over.
    """
    listed = {(one.tool, one.fact.topic) for one in facts if one.fact.term}
    told = (one for one in facts if one.fact.term or (one.tool, one.fact.topic) not in listed)
    return tuple(finding for one in told for finding in _findings(one))


def _findings(one: CitedFact) -> Iterator[Finding]:
    line = LINES.get(one.fact.topic)
    if line is None:
        return
    seen: set[tuple[Endpoint, str]] = set()
    for effect in effects_of(one.fact):
        under = str(effect.under or "")
        for endpoint in effect.endpoints:
            if (endpoint, under) in seen:
                continue
            seen.add((endpoint, under))
            weak = effect.mechanism or line not in HARD or _is_class(one) or one.fact.measure in SPONTANEOUS
            yield Finding(
                one,
                endpoint.key,
                effect.title,
                str(effect.sign),
                under,
                str(species_group(one.fact.species)),
                tuple(map(str, effect.systems)),
                Strength.WEAK if weak else Strength.STRONG if line == "clinical" else Strength.MODERATE,
                effect.mechanism,
            )


def _is_class(one: CitedFact) -> bool:
    """Whether a phenotype only names a class of them ("nervous system phenotype", "mortality/aging")."""
    term = one.fact.term.casefold()
    return one.fact.topic is Topic.PHENOTYPE and (term.endswith(" phenotype") or term == "mortality/aging")


def risks_of(findings: Sequence[Finding]) -> tuple[Risk, ...]:
    """All 15 endpoints, in the order of the paper's table."""
    return tuple(
        weighed(endpoint.key, [one for one in findings if one.endpoint == endpoint.key])
        for endpoint in Endpoint
    )


def weighed(endpoint: str, findings: Sequence[Finding]) -> Risk:
    """An endpoint with its findings, the strongest first."""
    ranked = sorted(findings, key=lambda one: -one.strength)  # stable: the tools' order within one strength
    ways = {one.under for one in ranked if one.under}
    direction = "both" if len(ways) > 1 else next(iter(ways), "")
    groups = tuple(dict.fromkeys(one.group for one in ranked if one.group))
    return Risk(endpoint, strength_of(ranked), direction, groups, tuple(ranked))


def lines_of(findings: Iterable[Finding]) -> tuple[str, ...]:
    """The independent lines of evidence behind findings, the strongest first."""
    return tuple(dict.fromkeys(LINES[one.cited.fact.topic] for one in findings))


def strength_of(findings: Sequence[Finding]) -> Strength:
    """How strongly findings speak together: by the kind of the best line, and by how many lines agree."""
    if not findings:
        return Strength.NONE
    hard = {LINES[one.cited.fact.topic] for one in findings if one.strength >= Strength.MODERATE}
    if "clinical" in hard or {"human genetics", "animals"} <= hard:
        return Strength.STRONG
    if hard or len(lines_of(findings)) >= WEAK_LINES:
        return Strength.MODERATE
    return Strength.WEAK


def relevant(risk: Risk, direction: Direction | None) -> bool:
    """Whether a risk is to be expected with what the medicine does; where nothing tells, it is."""
    return direction is None or risk.direction in ("", "both", str(direction))


def ordered(risks: Sequence[Risk], direction: Direction | None) -> list[Risk]:
    """Risks with findings: those of the asked direction first, then by strength and number of findings."""
    found = [one for one in risks if one.findings]
    return sorted(
        found, key=lambda one: (not relevant(one, direction), -one.strength, -len(one.findings), one.endpoint)
    )


def title_of(key: str) -> str:
    """The name of an endpoint."""
    return Endpoint[key.upper()].title
