"""How strongly a target's facts speak for an organ system or an endpoint: classes of evidence, weighed.

    by_system = weigh_systems(facts)       # {OrganSystem.CARDIOVASCULAR: Weighed(Strength.STRONG, 0.81, …)}
    by_endpoint = weigh_endpoints(facts)

Each class of evidence has an amount between 0 and 1: diseases, adverse events and phenotypes are there or
not, associations and processes count up to a limit, expression is measured against the target's highest
tissue. A logistic model over the amounts gives the score. Its weights are data (`weights.json`): they start
from the hierarchy of evidence (human genetic disease, clinical adverse events, animal phenotypes,
associations, processes, expression) and are moved by development targets (`pestle eval safety --learn`).
Without any amount the strength is NONE and the score 0.

An organ system's score also knows how often reviews name that system; an endpoint's does not.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from agents.databases.facts import Fact, Topic
from agents.safety.endpoints.mapping import INVOLVED, distant_systems_of, effects_of
from agents.safety.endpoints.values import Effect, Endpoint, OrganSystem
from agents.safety.endpoints.weights import WEIGHTS, EvidenceClass, Weights
from agents.safety.values import Strength

K = TypeVar("K", OrganSystem, Endpoint)
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
ENDPOINT_OF = {
    OrganSystem.CARDIOVASCULAR: Endpoint.CARDIOVASCULAR,
    OrganSystem.NERVOUS: Endpoint.NEUROLOGICAL,
    OrganSystem.RENAL: Endpoint.RENAL,
    OrganSystem.GASTROINTESTINAL: Endpoint.GASTROINTESTINAL,
    OrganSystem.HEPATIC: Endpoint.HEPATOTOXICITY,
    OrganSystem.IMMUNE: Endpoint.IMMUNE,
    OrganSystem.BLOOD: Endpoint.HEMATOTOXICITY,
    OrganSystem.RESPIRATORY: Endpoint.PULMONARY,
    OrganSystem.ENDOCRINE: Endpoint.ENDOCRINE,
    OrganSystem.METABOLIC: Endpoint.METABOLIC,
    OrganSystem.REPRODUCTIVE: Endpoint.REPRODUCTIVE,
}


@dataclass(frozen=True, slots=True)
class Weighed:
    """The strength of the evidence, its score between 0 and 1, and the amount of each class in it."""

    strength: Strength
    score: float
    amounts: Amounts


def weigh_systems(facts: Iterable[Fact], weights: Weights = WEIGHTS) -> dict[OrganSystem, Weighed]:
    """Every organ system, weighed; those without evidence have the strength NONE."""
    amounts = system_amounts(facts)
    return {
        system: weighed(amounts.get(system, {}), weights, weights.systems.get(system, 0.0))
        for system in OrganSystem
    }


def weigh_endpoints(facts: Iterable[Fact], weights: Weights = WEIGHTS) -> dict[Endpoint, Weighed]:
    """Every endpoint of the risk table, weighed; those without evidence have the strength NONE."""
    found = _amounts(
        facts,
        lambda effect: effect.endpoints,
        lambda fact: [ENDPOINT_OF[one] for one in distant_systems_of(fact) if one in ENDPOINT_OF],
    )
    return {endpoint: weighed(found.get(endpoint, {}), weights) for endpoint in Endpoint}


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
    """The amounts of evidence for each organ system that has any."""
    return _amounts(facts, lambda effect: effect.systems, distant_systems_of)


def weighed(amounts: Amounts, weights: Weights = WEIGHTS, known: float = 0.0) -> Weighed:
    """The score of some amounts, and what it is called. `known` is what an organ system adds."""
    if not any(amounts.values()):
        return Weighed(Strength.NONE, 0.0, amounts)
    total = weights.bias + known + sum(weights.weights[one] * amount for one, amount in amounts.items())
    score = 1 / (1 + math.exp(-total))
    if score < weights.moderate:
        return Weighed(Strength.WEAK, score, amounts)
    return Weighed(Strength.STRONG if score >= weights.strong else Strength.MODERATE, score, amounts)


def _amounts(
    facts: Iterable[Fact],
    keys: Callable[[Effect], Sequence[K]],
    distant: Callable[[Fact], Sequence[K]],
) -> dict[K, Amounts]:
    """Different terms of each class, and the relative level of expression, for each key."""
    terms: dict[K, dict[EvidenceClass, set[str]]] = defaultdict(lambda: defaultdict(set))
    expressed: list[Fact] = []
    for fact in facts:
        if fact.topic is Topic.EXPRESSION:
            expressed.append(fact)
            continue
        if fact.measure and not fact.term:
            continue  # it sums up what other facts tell one by one
        for effect in effects_of(fact):
            for key in keys(effect):
                terms[key][_class(fact, effect)].add(_term(fact))
        for key in distant(fact):
            terms[key][EvidenceClass.DISTANT].add(_term(fact))
    amounts = {key: {one: _share(one, len(found)) for one, found in of.items()} for key, of in terms.items()}
    for key, level in _levels(expressed, keys).items():
        amounts.setdefault(key, {})[EvidenceClass.EXPRESSION] = level
    return {key: of for key, of in amounts.items()}


def _class(fact: Fact, effect: Effect) -> EvidenceClass:
    if effect.mechanism and fact.topic in INVOLVED:
        return EvidenceClass.MECHANISM
    return _CLASS.get(fact.topic, EvidenceClass.PROCESS)


def _term(fact: Fact) -> str:
    return (fact.term or fact.text).casefold()


def _share(one: EvidenceClass, count: int) -> float:
    """The amount of so many terms, on a logarithmic scale up to `_FULL`."""
    return min(1.0, math.log2(1 + count) / math.log2(1 + _FULL.get(one, 1)))


def _levels(facts: Sequence[Fact], keys: Callable[[Effect], Sequence[K]]) -> dict[K, float]:
    """The highest level of each key's tissues over the highest of all tissues of the same data set."""
    highest: dict[str, float] = defaultdict(float)
    found: dict[tuple[str, K], float] = defaultdict(float)
    for fact in facts:
        if not fact.term:
            continue
        level, of = _level(fact), f"{fact.measure} {fact.unit}"
        highest[of] = max(highest[of], level)
        for effect in effects_of(fact):
            for key in keys(effect):
                found[of, key] = max(found[of, key], level)
    levels: dict[K, float] = defaultdict(float)
    for (of, key), level in found.items():
        levels[key] = max(levels[key], level / highest[of] if highest[of] else 0.0)
    return levels


def _level(fact: Fact) -> float:
    """An expression on a logarithmic scale; 1 where it is told without a number."""
    if fact.value is None:
        return 1.0
    return fact.value if "log" in fact.unit else math.log2(1 + max(fact.value, 0.0))
