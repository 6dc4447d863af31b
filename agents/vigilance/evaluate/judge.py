"""Who is evaluated, over the passages of loaded labels: what judges as the product does, and baselines."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from agents.databases.labels import LabelPassage, Labels
from agents.vigilance.classes import class_of
from agents.vigilance.finder.find import Finder
from agents.vigilance.outcomes import outcome_of
from agents.vigilance.reading.drug import Evidence, evidence_of
from agents.vigilance.reading.extracts import extracts_of
from agents.vigilance.reading.mentions import mentions
from agents.vigilance.values import CategoryVerdict, Ingredient, Outcome

Asked = tuple[str, str]
"""A class or drug and an outcome, both as a person writes them."""


class Judge(Protocol):
    """Judges classes and outcomes as the product does."""

    async def verdicts(self, asked: Sequence[Asked]) -> Sequence[CategoryVerdict]:
        """The verdicts in the order of what is asked."""


@dataclass(frozen=True, slots=True)
class Passages:
    """The passages of a class's representatives; each drug is found and each label read once."""

    finder: Finder
    labels: Labels
    _chosen: dict[str, tuple[Ingredient, ...]] = field(default_factory=dict)
    _read: dict[str, tuple[LabelPassage, ...]] = field(default_factory=dict)

    async def of(self, drug: Ingredient) -> tuple[LabelPassage, ...]:
        """The passages of a drug's labels."""
        if drug.name not in self._read:
            self._read[drug.name] = await self.labels.passages((drug.name, *drug.names))
        return self._read[drug.name]

    async def all_of(self, category: str) -> list[tuple[LabelPassage, ...]]:
        """The passages of each representative of a class that has any."""
        if category not in self._chosen:
            found = await self.finder.find(class_of(category))
            self._chosen[category] = tuple(drug for one in found for drug in one.chosen)
        read = [await self.of(drug) for drug in self._chosen[category]]
        return [one for one in read if one]

    async def evidence(self, category: str, outcome: str) -> list[Evidence]:
        """The weight of evidence of each representative with a label."""
        asked = outcome_of(outcome)
        return [evidence_of(extracts_of(one, asked)) for one in await self.all_of(category)]


@dataclass(frozen=True, slots=True)
class Baselines:
    """What is got without reading: the share of representatives whose label has the outcome's words."""

    passages: Passages

    async def scores(self, category: str, outcome: str) -> dict[str, float]:
        """A score from 0 to 1 by the name of each baseline."""
        asked = outcome_of(outcome)
        narrow = Outcome(asked.name, asked.terms)
        read = await self.passages.all_of(category)
        return {
            "word match in adverse reactions": _share(read, narrow, "adverse"),
            "boxed warning only": _share(read, narrow, "boxed"),
            "majority": 0.0,
        }


def _share(read: Sequence[tuple[LabelPassage, ...]], outcome: Outcome, section: str) -> float:
    hits = [
        any(section in one.section and any(mentions(one.text, outcome)) for one in passages)
        for passages in read
    ]
    return sum(hits) / len(hits) if hits else 0.0
