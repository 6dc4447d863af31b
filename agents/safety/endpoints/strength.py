"""How likely reviews of a target's safety name an organ system: classes of evidence, weighed.

    by_system = weigh_systems(facts)       # {OrganSystem.CARDIOVASCULAR: Weighed(0.81, 0.30, …)}

Each class of evidence has an amount between 0 and 1: diseases, adverse events and phenotypes are there or
not, associations and processes count up to a limit, expression is measured against the target's highest
tissue. A logistic model over the amounts gives the score. Its weights are data (`weights.json`): they start
from the hierarchy of evidence (human genetic disease, clinical adverse events, animal phenotypes,
associations, processes, expression) and are moved by development targets (`pestle eval safety --learn`).
Without any amount the score is 0.

A score is no strength of evidence: it knows how often reviews name the system at all, which is its `prior`.
How strong evidence is called, of a system as of an endpoint, is `agents.safety.synthesis.risks.strength_of`.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agents.databases.facts import Fact, Topic
from agents.safety.endpoints.mapping import INVOLVED, distant_systems_of, effects_of
from agents.safety.endpoints.values import Effect, OrganSystem
from agents.safety.endpoints.weights import WEIGHTS, EvidenceClass, Weights

Amounts = Mapping[EvidenceClass, float]

_CLASS = {
    Topic.DISEASE: EvidenceClass.DISEASE,
    Topic.VARIANT: EvidenceClass.DISEASE,
    Topic.ADVERSE_EVENT: EvidenceClass.ADVERSE_EVENT,
    Topic.PHENOTYPE: EvidenceClass.PHENOTYPE,
    Topic.ASSOCIATION: EvidenceClass.ASSOCIATION,
    Topic.FUNCTION: EvidenceClass.PROCESS,
    Topic.PATHWAY: EvidenceClass.PROCESS,
}
_FULL = {
    EvidenceClass.ASSOCIATION: 7,
    EvidenceClass.PROCESS: 15,
    EvidenceClass.MECHANISM: 7,
    EvidenceClass.DISTANT: 7,
}
"""How many different terms make the whole amount; of the others one does."""
_ORDER = list(EvidenceClass)


@dataclass(frozen=True, slots=True)
class Weighed:
    """The score between 0 and 1, the score that the system has before any evidence, and the amounts."""

    score: float
    prior: float
    amounts: Amounts


def weigh_systems(facts: Iterable[Fact], weights: Weights = WEIGHTS) -> dict[OrganSystem, Weighed]:
    """Every organ system, weighed; those without evidence have the score 0."""
    amounts = system_amounts(facts)
    return {system: weighed(amounts.get(system, {}), system, weights) for system in OrganSystem}


def classes_of(fact: Fact) -> dict[OrganSystem, EvidenceClass]:
    """The systems that a fact speaks for, and as which class of evidence: the first in the hierarchy."""
    if fact.measure and not fact.term:
        return {}
    found = dict.fromkeys(distant_systems_of(fact), EvidenceClass.DISTANT)
    for effect in effects_of(fact):
        one = EvidenceClass.EXPRESSION if fact.topic is Topic.EXPRESSION else _class(fact, effect)
        for system in effect.systems:
            found[system] = min(one, found.get(system, one), key=_ORDER.index)
    return found


def system_amounts(facts: Iterable[Fact]) -> Mapping[OrganSystem, Amounts]:
    """The amounts of evidence for each organ system that has any.

    Different terms of each class count, and the relative level of expression.
    """
    terms: dict[OrganSystem, dict[EvidenceClass, set[str]]] = defaultdict(lambda: defaultdict(set))
    expressed: list[Fact] = []
    for fact in facts:
        if fact.topic is Topic.EXPRESSION:
            expressed.append(fact)
        elif fact.term or not fact.measure:  # else it sums up what other facts tell one by one
            for system, one in classes_of(fact).items():
                terms[system][one].add(_term(fact))
    found: dict[OrganSystem, dict[EvidenceClass, float]] = {
        system: {one: _share(one, len(named)) for one, named in of.items()} for system, of in terms.items()
    }
    for system, level in _levels(expressed).items():
        found.setdefault(system, {})[EvidenceClass.EXPRESSION] = level
    return found


def weighed(amounts: Amounts, system: OrganSystem, weights: Weights = WEIGHTS) -> Weighed:
    """The score of some amounts for a system."""
    known = weights.bias + weights.systems.get(system, 0.0)
    total = known + sum(weights.weights[one] * amount for one, amount in amounts.items())
    return Weighed(_logistic(total) if any(amounts.values()) else 0.0, _logistic(known), amounts)


def level_of(fact: Fact) -> float:
    """An expression on a logarithmic scale; 1 where it is told without a number."""
    if fact.value is None:
        return 1.0
    return fact.value if "log" in fact.unit else math.log2(1 + max(fact.value, 0.0))


def _logistic(total: float) -> float:
    return 1 / (1 + math.exp(-total))


def _class(fact: Fact, effect: Effect) -> EvidenceClass:
    if effect.mechanism and fact.topic in INVOLVED:
        return EvidenceClass.MECHANISM
    return _CLASS.get(fact.topic, EvidenceClass.PROCESS)


def _term(fact: Fact) -> str:
    return (fact.term or fact.text).casefold()


def _share(one: EvidenceClass, count: int) -> float:
    """The amount of so many terms, on a logarithmic scale up to `_FULL`."""
    return min(1.0, math.log2(1 + count) / math.log2(1 + _FULL.get(one, 1)))


def _levels(facts: Sequence[Fact]) -> dict[OrganSystem, float]:
    """The highest level of each system's tissues over the highest of all tissues of the same data set."""
    highest: dict[str, float] = defaultdict(float)
    found: dict[tuple[str, OrganSystem], float] = defaultdict(float)
    for fact in facts:
        if not fact.term:
            continue
        level, of = level_of(fact), f"{fact.measure} {fact.unit}"
        highest[of] = max(highest[of], level)
        for effect in effects_of(fact):
            for system in effect.systems:
                found[of, system] = max(found[of, system], level)
    levels: dict[OrganSystem, float] = defaultdict(float)
    for (of, system), level in found.items():
        levels[system] = max(levels[system], level / highest[of] if highest[of] else 0.0)
    return levels
