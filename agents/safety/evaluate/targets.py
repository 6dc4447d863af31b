"""`pestle eval safety`: does a report list the organ systems that reviews of target safety name?

Organ systems, and systems with direction, macro-averaged over groups of like targets; over all targets, how
well the evidence for a system orders them, and how many of the directions told are right. The numbers of the
rule that lists were chosen with such targets in view: held out, each group is listed by the numbers that are
best on the others. Nothing else is learnt; the evidence for a system is a sum of equal shares. Compared are
the systems that the folder's rows name at all: reviews of secondary pharmacology say nothing of skin or bone,
so that finding those is neither right nor wrong. A row that is missing is no proof of safety; precision is a
lower bound.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from agents.roc import auc
from agents.safety.endpoints.values import OrganSystem
from agents.safety.evaluate.curated import Affected, Curated, read_curated
from agents.safety.evaluate.figures import Compared, Figures, figures
from agents.safety.evaluate.found import FoundFacts, facts_of
from agents.safety.order import Direction
from agents.safety.synthesis.apart import with_mechanisms
from agents.safety.synthesis.findings import findings_of
from agents.safety.synthesis.systems import LISTING, Listing, listed_systems, systems_of
from agents.safety.values import Risk
from agents.tools.toolset import Toolset

ALWAYS = (4, 2)
"""How many of the most frequent systems the baselines name for every target."""
RESAMPLED = 1000
"""Draws of groups, with replacement, that give the interval of an area."""


@dataclass(frozen=True, slots=True)
class Assessed:
    """A curated target, what was found of it, and every organ system with its evidence."""

    curated: Curated
    found: FoundFacts
    weighed: Sequence[tuple[Risk, float]]

    @property
    def listed(self) -> list[Risk]:
        """The systems that a report lists."""
        return listed_systems(self.weighed)

    def systems(self, by: Listing = LISTING) -> frozenset[OrganSystem]:
        """The listed systems."""
        return frozenset(OrganSystem(one.endpoint) for one in listed_systems(self.weighed, by=by))

    @property
    def affected(self) -> frozenset[Affected]:
        """The systems with what has to be done to the target: both, where the evidence does not tell."""
        return frozenset(
            (OrganSystem(risk.endpoint), way)
            for risk in self.listed
            for one in risk.findings
            for way in ((Direction(one.under),) if one.under else Direction)
        )


@dataclass(frozen=True, slots=True)
class SafetyEvaluation:
    """The assessed targets of a folder."""

    folder: str
    targets: tuple[Assessed, ...]

    @property
    def covered(self) -> tuple[Assessed, ...]:
        """Targets of which some source tells more than where they are expressed."""
        return tuple(one for one in self.targets if one.found.covered)

    @property
    def systems(self) -> frozenset[OrganSystem]:
        """The systems that the rows name for any target."""
        return frozenset(system for one in self.targets for system in one.curated.systems)

    def listed(self) -> Figures:
        """The figures of organ systems as a report lists them."""
        return figures([self._compared(one) for one in self.covered])

    def held_out(self) -> Figures:
        """The same, each group listed by the numbers that give the others the best F1."""
        by_rule: dict[Listing, list[Compared]] = {}
        made = []
        for group in dict.fromkeys(one.curated.group for one in self.covered):
            most = self._most_named(left_out=group)
            rules = [
                Listing(frozenset(most[:often]), leading, agree)
                for often, leading, agree in product(range(5), range(4), range(2, 6))
            ]
            for rule in rules:
                if rule not in by_rule:
                    by_rule[rule] = [self._compared(one, rule) for one in self.covered]
            best = max(
                rules,
                key=lambda rule: figures([one for one in by_rule[rule] if one.group != group]).f1 or 0.0,
            )
            made += [one for one in by_rule[best] if one.group == group]
        return figures(made)

    def affected(self) -> Figures:
        """The figures of systems with direction."""
        made = []
        for one in self.covered:
            found = frozenset(pair for pair in one.affected if pair[0] in self.systems)
            made.append(Compared(one.curated.group, found, one.curated.affected))
        return figures(made)

    def directions(self) -> tuple[int, int]:
        """Of the directions told in systems that the rows name for the target, how many the rows bear out;
        and how many there are.
        """
        right = told = 0
        for one in self.covered:
            ways = {pair for pair in one.affected if pair[0] in one.curated.systems}
            right, told = right + len(ways & one.curated.affected), told + len(ways)
        return right, told

    def areas(self) -> dict[str, tuple[float, ...]]:
        """The area under the ROC curve of each system, over the covered targets ordered by their evidence for
        it, with the 2.5th and 97.5th percentile over `RESAMPLED` draws of groups; without systems that the
        rows name for all of them or none.
        """
        found = {}
        for system in sorted(self.systems):
            groups: dict[str, list[tuple[bool, float]]] = defaultdict(list)
            for one in self.covered:
                evidence = next(evidence for risk, evidence in one.weighed if risk.endpoint == system)
                groups[one.curated.group].append((system in one.curated.systems, evidence))
            if (area := _area(groups.values())) is not None:
                draw = Random(0)
                drawn = (_area(draw.choices([*groups.values()], k=len(groups))) for _ in range(RESAMPLED))
                order = sorted(one for one in drawn if one is not None)
                found[str(system)] = (area, *(order[round(p * (len(order) - 1))] for p in (0.025, 0.975)))
        return found

    def baseline(self, count: int) -> Figures:
        """The figures of naming so many most frequent systems for every target, whatever it is."""
        always = frozenset(self._most_named()[:count])
        return figures([Compared(one.curated.group, always, one.curated.systems) for one in self.covered])

    def not_covered(self) -> list[str]:
        """What reviews name and no source speaks of, and what could not be asked, in sentences."""
        silent = [one.curated.target for one in self.targets if not one.found.covered]
        unread = sorted({name for one in self.targets for name in one.curated.unread})
        lines = [f"{target}: no source tells anything." for target in silent]
        lines += [f"Systems of the rows that are not known: {', '.join(unread)}."] if unread else []
        return [*lines, *dict.fromkeys(line for one in self.targets for line in one.found.missing)]

    def as_fields(self) -> dict[str, Any]:
        """Everything by name."""
        return {
            "folder": self.folder,
            "targets": len(self.targets),
            "groups": len({one.curated.group for one in self.targets}),
            "covered": len(self.covered),
            "organ_system": self.listed().as_fields(),
            "organ_system_held_out": self.held_out().as_fields(),
            "organ_system_direction": self.affected().as_fields(),
            **{f"always_the_same_{count}": self.baseline(count).as_fields() for count in ALWAYS},
            "directions_right": self.directions(),
            "areas": {system: [round(one, 4) for one in values] for system, values in self.areas().items()},
            "not_covered": self.not_covered(),
            "each": [self._target(one) for one in self.targets],
        }

    def _most_named(self, left_out: str = "") -> list[OrganSystem]:
        """The systems that the rows name, those of most groups first."""
        groups = {(one.curated.group, system) for one in self.targets for system in one.curated.systems}
        counted = Counter(system for group, system in sorted(groups) if group != left_out)
        return [system for system, _ in counted.most_common()]

    def _compared(self, one: Assessed, by: Listing = LISTING) -> Compared:
        return Compared(one.curated.group, one.systems(by) & self.systems, one.curated.systems)

    def _target(self, one: Assessed) -> dict[str, Any]:
        compared = self._compared(one)
        sets = {
            "found": compared.found & compared.gold,
            "missed": compared.gold - compared.found,
            "beyond": compared.found - compared.gold,
        }
        named = {name: sorted(systems) for name, systems in sets.items()}
        return {"target": one.curated.target, "group": one.curated.group, **named}


def _area(groups: Iterable[Sequence[tuple[bool, float]]]) -> float | None:
    every = [one for group in groups for one in group]
    return auc([gold for gold, _ in every], [evidence for _, evidence in every])


async def evaluate_targets(folder: Path, tools: Toolset) -> SafetyEvaluation:
    """Ask the tools for every target of a folder and compare. Raises `JudgementsError`."""
    curated: Sequence[Curated] = read_curated(folder)
    targets = []
    for one in curated:
        found = await facts_of(one.target, tools)
        targets.append(Assessed(one, found, systems_of(findings_of(with_mechanisms(found.facts)))))
    return SafetyEvaluation(str(folder), tuple(targets))
