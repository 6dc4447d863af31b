"""`pestle eval safety`: does a report list the organ systems that reviews of target safety name?

Organ systems, and systems with direction, macro-averaged over groups of like targets; over all targets, how
well the evidence for a system orders them, and how many of the directions told are right. Compared are the
systems that the folder's rows name at all: reviews of secondary pharmacology say nothing of skin or bone, so
that finding those is neither right nor wrong. A row that is missing is no proof of safety; precision is a
lower bound.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.roc import auc
from agents.safety.endpoints.values import OrganSystem
from agents.safety.evaluate.curated import Affected, Curated, read_curated
from agents.safety.evaluate.figures import Compared, Figures, figures
from agents.safety.evaluate.found import FoundFacts, facts_of
from agents.safety.order import Direction
from agents.safety.synthesis.apart import with_mechanisms
from agents.safety.synthesis.findings import findings_of
from agents.safety.synthesis.systems import listed_systems, systems_of
from agents.safety.values import Risk
from agents.tools.toolset import Toolset

ALWAYS = (4, 2)
"""How many of the most frequent systems the baselines name for every target."""


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

    @property
    def systems(self) -> frozenset[OrganSystem]:
        """The listed systems."""
        return frozenset(OrganSystem(one.endpoint) for one in self.listed)

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

    def areas(self) -> dict[str, float]:
        """The area under the ROC curve of each system, over the covered targets ordered by their evidence for
        it; without systems that the rows name for all of them or none.
        """
        found = {}
        for system in sorted(self.systems):
            gold = [system in one.curated.systems for one in self.covered]
            scores = [
                evidence for one in self.covered for risk, evidence in one.weighed if risk.endpoint == system
            ]
            if (area := auc(gold, scores)) is not None:
                found[str(system)] = area
        return found

    def baseline(self, count: int) -> Figures:
        """The figures of naming so many most frequent systems for every target, whatever it is."""
        groups = {(one.curated.group, system) for one in self.targets for system in one.curated.systems}
        counted = Counter(system for _, system in sorted(groups))
        always = frozenset(system for system, _ in counted.most_common(count))
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
            "organ_system_direction": self.affected().as_fields(),
            **{f"always_the_same_{count}": self.baseline(count).as_fields() for count in ALWAYS},
            "directions_right": self.directions(),
            "areas": {system: round(area, 4) for system, area in self.areas().items()},
            "not_covered": self.not_covered(),
            "each": [self._target(one) for one in self.targets],
        }

    def _compared(self, one: Assessed) -> Compared:
        return Compared(one.curated.group, one.systems & self.systems, one.curated.systems)

    def _target(self, one: Assessed) -> dict[str, Any]:
        compared = self._compared(one)
        sets = {
            "found": compared.found & compared.gold,
            "missed": compared.gold - compared.found,
            "beyond": compared.found - compared.gold,
        }
        named = {name: sorted(systems) for name, systems in sets.items()}
        return {"target": one.curated.target, "group": one.curated.group, **named}


async def evaluate_targets(folder: Path, tools: Toolset) -> SafetyEvaluation:
    """Ask the tools for every target of a folder and compare. Raises `JudgementsError`."""
    curated: Sequence[Curated] = read_curated(folder)
    targets = []
    for one in curated:
        found = await facts_of(one.target, tools)
        targets.append(Assessed(one, found, systems_of(findings_of(with_mechanisms(found.facts)))))
    return SafetyEvaluation(str(folder), tuple(targets))
