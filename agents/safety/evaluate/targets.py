"""`pestle eval safety`: do the sources show what reviews of target safety name?

Organ systems, systems with direction, and events with direction, macro-averaged over groups of like targets.
Compared are the systems that the folder's rows name at all: reviews of secondary pharmacology say nothing of
skin or bone, so that finding those is neither right nor wrong. A row that is missing is no proof of safety;
precision is a lower bound.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from agents.databases.facts import Topic
from agents.safety.endpoints.mapping import organ_systems_of
from agents.safety.endpoints.values import OrganSystem
from agents.safety.endpoints.weights import WEIGHTS, Weights
from agents.safety.evaluate.assessed import Assessed, assess, events_of, told
from agents.safety.evaluate.curated import Curated, read_curated
from agents.safety.evaluate.figures import Compared, Figures, figures
from agents.safety.evaluate.found import facts_of
from agents.safety.evaluate.learn import learn
from agents.safety.values import Strength
from agents.tools.toolset import Toolset

CURVE = tuple(number / 100 for number in (10, 15, 20, 22, 24, 25, 26, 28, 30, 35, 40, 50, 60, 70, 80))
ALWAYS = 4
"""How many of the most frequent systems the baseline names for every target."""


@dataclass(frozen=True, slots=True)
class SafetyEvaluation:
    """Assessed targets, the weights of a report, and those learnt without each target's group."""

    folder: str
    targets: tuple[Assessed, ...]
    weights: Weights
    without: Mapping[str, Weights] = field(default_factory=dict)

    @property
    def covered(self) -> tuple[Assessed, ...]:
        """Targets of which some source tells more than where they are expressed."""
        return tuple(one for one in self.targets if one.found.covered)

    @property
    def systems(self) -> frozenset[OrganSystem]:
        """The systems that the rows name for any target."""
        return frozenset(system for one in self.targets for system in one.curated.systems)

    def organ_systems(self, least: float, held_out: bool = False) -> Figures:
        """The figures of organ systems with at least this score."""
        return figures([self._systems(one, self._of(one, held_out), least) for one in self.covered])

    def called(self, least: Strength) -> Figures:
        """The figures of organ systems for which the evidence is called at least so strong.

        No weight is in that rule, so that nothing was learnt and nothing is held out.
        """
        made = [
            Compared(one.curated.group, one.called(least) & self.systems, one.curated.systems)
            for one in self.covered
        ]
        return figures(made)

    def listed(self, held_out: bool = False) -> Figures:
        """The figures of organ systems as a report lists them: likely, or with more than weak evidence."""
        made = [
            Compared(
                one.curated.group, one.listed(self._of(one, held_out)) & self.systems, one.curated.systems
            )
            for one in self.covered
        ]
        return figures(made)

    def affected(self, held_out: bool = False) -> Figures:
        """The figures of systems with direction."""
        made = []
        for one in self.covered:
            weights = self._of(one, held_out)
            found = one.affected(one.systems(weights, weights.likely) & self.systems)
            made.append(Compared(one.curated.group, found, one.curated.affected))
        return figures(made)

    def events(self) -> dict[str, Figures]:
        """The figures of events: classes of effects, with direction, and which way they change."""
        readings: dict[str, Callable[[frozenset[Any]], frozenset[Any]]] = {
            "effect": lambda events: frozenset(name for name, _, _ in events),
            "effect_direction": lambda events: frozenset((name, way) for name, _, way in events),
            "effect_sign_direction": told,
        }
        return {
            name: figures(
                [
                    Compared(one.curated.group, read(events_of(one.found.facts)), read(one.curated.events))
                    for one in self.covered
                ]
            )
            for name, read in readings.items()
        }

    def baseline(self) -> Figures:
        """The figures of naming the same most frequent systems for every target, whatever it is."""
        groups = {(one.curated.group, system) for one in self.targets for system in one.curated.systems}
        counted = Counter(system for _, system in sorted(groups))
        always = frozenset(system for system, _ in counted.most_common(ALWAYS))
        return figures([Compared(one.curated.group, always, one.curated.systems) for one in self.covered])

    def learnt(self) -> Weights:
        """The weights that these targets teach, with what they were learnt on."""
        groups = len({one.curated.group for one in self.targets})
        asked = sorted({name for one in self.targets for name in one.found.sources})
        on = f"{len(self.targets)} targets in {groups} groups of {Path(self.folder).name}; {', '.join(asked)}"
        return learn([one.case for one in self.targets], on)

    def not_covered(self) -> list[str]:
        """What reviews name and no source speaks of, in sentences."""
        lines = [
            f"{one.curated.target}: no source tells anything."
            for one in self.targets
            if not one.found.covered
        ]
        for one in self.covered:
            silent = sorted(one.curated.systems - set(one.case.amounts))
            if silent:
                lines.append(f"{one.curated.target}: no source speaks of the systems {', '.join(silent)}.")
        unread = Counter(name for one in self.targets for name in one.curated.unread)
        if unread:
            named = ", ".join(sorted(unread))
            lines.append(f"Symptoms of the rows without a class in the vocabulary: {named}.")
        return [*lines, *dict.fromkeys(line for one in self.targets for line in one.found.missing)]

    def _of(self, one: Assessed, held_out: bool) -> Weights:
        return self.without.get(one.curated.group, self.weights) if held_out else self.weights

    def _systems(self, one: Assessed, weights: Weights, least: float) -> Compared:
        found = one.systems(weights, least) & self.systems
        return Compared(one.curated.group, found, one.curated.systems)

    def as_json(self) -> bytes:
        """Everything as JSON."""
        return orjson.dumps(self._fields(), option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS)

    def _fields(self) -> dict[str, Any]:
        least = self.weights.likely
        learnt = set(self.weights.targets)
        return {
            "folder": self.folder,
            "targets": len(self.targets),
            "groups": len({one.curated.group for one in self.targets}),
            "covered": len(self.covered),
            "learnt_on": self.weights.learnt_on,
            "learnt_from": sum(one.curated.target in learnt for one in self.targets),
            "organ_system": {
                **self.organ_systems(least).as_fields(),
                "score": least,
                "held_out": self.organ_systems(least, True).as_fields() if self.without else None,
                "listed": {
                    **self.listed().as_fields(),
                    "held_out": self.listed(True).as_fields() if self.without else None,
                },
                "always_the_same": self.baseline().as_fields(),
                "curve": [self._point(least) for least in CURVE],
                "called": {least.name.lower(): self.called(least).as_fields() for least in Strength if least},
            },
            "organ_system_direction": {
                **self.affected().as_fields(),
                "held_out": self.affected(True).as_fields() if self.without else None,
            },
            "events": {name: found.as_fields() for name, found in self.events().items()},
            "not_covered": self.not_covered(),
            "each": [self._target(one) for one in self.targets],
        }

    def _point(self, least: float) -> dict[str, Any]:
        held = self.organ_systems(least, True).as_fields() if self.without else None
        return {"score": least, **self.organ_systems(least).as_fields(), "held_out": held}

    def _target(self, one: Assessed) -> dict[str, Any]:
        compared = self._systems(one, self.weights, self.weights.likely)
        sets = {
            "found": compared.found & compared.gold,
            "missed": compared.gold - compared.found,
            "beyond": compared.found - compared.gold,
        }
        return {
            "target": one.curated.target,
            "group": one.curated.group,
            "covered": one.found.covered,
            **{name: sorted(systems) for name, systems in sets.items()},
            "scores": {system: round(score, 3) for system, score in one.scores(self.weights).items()},
            "evidence": {
                system: {kind: round(amount, 2) for kind, amount in amounts.items()}
                for system, amounts in one.case.amounts.items()
            },
            "facts": _counted(one),
            "sources": list(one.found.sources),
        }


def _counted(one: Assessed) -> dict[str, int]:
    """How many facts of each topic speak of any system."""
    speaking = (fact for fact in one.found.facts if fact.topic is Topic.EXPRESSION or organ_systems_of(fact))
    return dict(Counter(str(fact.topic) for fact in speaking))


async def evaluate_targets(folder: Path, tools: Toolset, weights: Weights = WEIGHTS) -> SafetyEvaluation:
    """Ask the tools for every target of a folder and compare. Raises `JudgementsError`.

    Where the weights were learnt on targets of the folder, they are learnt again without each group in turn.
    """
    curated = read_curated(folder)
    found = [assess(one, await facts_of(one.target, tools)) for one in curated]
    return SafetyEvaluation(str(folder), tuple(found), weights, _without(curated, found, weights))


def _without(curated: Sequence[Curated], found: Sequence[Assessed], weights: Weights) -> dict[str, Weights]:
    seen = {one.group for one in curated if one.target in weights.targets}
    return {group: learn([one.case for one in found if one.curated.group != group]) for group in sorted(seen)}
