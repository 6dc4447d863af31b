"""A curated target as the evidence shows it: systems with score and direction, and events."""

from collections.abc import Iterable
from dataclasses import dataclass

from agents.databases.facts import Fact
from agents.safety.endpoints.mapping import directions_of, effects_of
from agents.safety.endpoints.strength import system_amounts, weighed
from agents.safety.endpoints.values import OrganSystem, Sign
from agents.safety.endpoints.weights import Weights
from agents.safety.evaluate.curated import Affected, Curated, Event
from agents.safety.evaluate.found import FoundFacts
from agents.safety.evaluate.learn import Case
from agents.safety.order import Direction
from agents.safety.synthesis.findings import findings_of
from agents.safety.synthesis.risks import strength_of
from agents.safety.values import CitedFact, Strength


@dataclass(frozen=True, slots=True)
class Assessed:
    """A curated target, what was found of it, and what that says: the amounts of evidence for each system."""

    curated: Curated
    found: FoundFacts
    case: Case

    def scores(self, weights: Weights) -> dict[OrganSystem, float]:
        """The score of each system with any evidence, highest first."""
        made = {
            system: weighed(amounts, system, weights).score for system, amounts in self.case.amounts.items()
        }
        return dict(sorted(made.items(), key=lambda pair: -pair[1]))

    def systems(self, weights: Weights, least: float) -> frozenset[OrganSystem]:
        """The systems with at least this score."""
        return frozenset(system for system, score in self.scores(weights).items() if score >= least)

    def called(self, least: Strength) -> frozenset[OrganSystem]:
        """The systems for which the evidence is at least so strong, by the rule that a report goes by."""
        tools = self.found.tools or ("",) * len(self.found.facts)
        cited = [CitedFact(fact, "", tool, tool) for fact, tool in zip(self.found.facts, tools, strict=True)]
        findings = findings_of(cited)
        return frozenset(
            system
            for system in OrganSystem
            if strength_of([one for one in findings if system in one.systems]) >= least
        )

    def listed(self, weights: Weights) -> frozenset[OrganSystem]:
        """The systems that a report lists: likely to be named, or with more than weak evidence."""
        return self.systems(weights, weights.likely) | self.called(Strength.MODERATE)

    def affected(self, systems: Iterable[OrganSystem]) -> frozenset[Affected]:
        """The systems with what has to be done to the target: both, where the evidence does not tell."""
        return frozenset(
            (system, way) for system in systems for way in directions_of(self.found.facts, system)
        )


def assess(curated: Curated, found: FoundFacts) -> Assessed:
    """Weigh what was found of a curated target."""
    amounts = dict(system_amounts(found.facts))
    return Assessed(curated, found, Case(curated.target, curated.group, curated.systems, amounts))


def events_of(facts: Iterable[Fact]) -> frozenset[Event]:
    """Every event that the facts speak of: under both directions where they do not tell which."""
    return frozenset(
        (effect.name, effect.sign, way)
        for fact in facts
        for effect in effects_of(fact)
        if not effect.mechanism
        for way in ((effect.under,) if effect.under else tuple(Direction))
    )


def told(events: Iterable[Event]) -> frozenset[Event]:
    """The events of which it is told whether they rise or fall."""
    return frozenset(event for event in events if event[1] is not Sign.CHANGED)
