"""Who is evaluated: the rules over loaded labels, and simple baselines over the same passages."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from agents.databases.labels import LabelPassage, Labels
from agents.vigilance.classes import class_of
from agents.vigilance.finder.find import Finder
from agents.vigilance.merging import merged
from agents.vigilance.outcomes import outcome_of
from agents.vigilance.reading.category import judge_category
from agents.vigilance.reading.drug import Evidence, evidence_of, judge_drug
from agents.vigilance.reading.extracts import extracts_of
from agents.vigilance.reading.mentions import mentions
from agents.vigilance.values import CategoryVerdict, DrugVerdict, Ingredient, Outcome

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
    _parts: dict[str, tuple[tuple[str, tuple[Ingredient, ...]], ...]] = field(default_factory=dict)
    _read: dict[str, tuple[LabelPassage, ...]] = field(default_factory=dict)

    async def parts(self, category: str) -> tuple[tuple[str, tuple[Ingredient, ...]], ...]:
        """The subclasses of a class, itself if it has none, each with its representatives."""
        if category not in self._parts:
            found = await self.finder.find(class_of(category))
            self._parts[category] = tuple((one.drug_class.name, one.chosen) for one in found)
        return self._parts[category]

    async def of(self, drug: Ingredient) -> tuple[LabelPassage, ...]:
        """The passages of a drug's labels."""
        if drug.name not in self._read:
            self._read[drug.name] = await self.labels.passages((drug.name, *drug.names))
        return self._read[drug.name]

    async def all_of(self, category: str) -> list[tuple[LabelPassage, ...]]:
        """The passages of each representative of a class that has any."""
        read = [await self.of(drug) for _, drugs in await self.parts(category) for drug in drugs]
        return [one for one in read if one]


@dataclass(frozen=True, slots=True)
class RuleJudge:
    """The deterministic mind."""

    passages: Passages

    async def verdicts(self, asked: Sequence[Asked]) -> list[CategoryVerdict]:
        """See `Judge`."""
        return [await self._verdict(category, outcome) for category, outcome in asked]

    async def _verdict(self, category: str, outcome: str) -> CategoryVerdict:
        asked = outcome_of(outcome)
        parts = []
        for name, drugs in await self.passages.parts(category):
            read = [(drug, await self.passages.of(drug)) for drug in drugs]
            verdicts = await asyncio.to_thread(self._drugs, read, asked)
            parts.append(judge_category(name, asked.name, verdicts))
        if not parts:
            return judge_category(category, asked.name, ())
        return merged(category, parts) if len(parts) > 1 else replace(parts[0], category=category)

    async def evidence(self, category: str, outcome: str) -> list[Evidence]:
        """The weight of evidence of each representative with a label."""
        read = await self.passages.all_of(category)
        asked = outcome_of(outcome)
        return [evidence_of(extracts_of(one, asked)) for one in read]

    @staticmethod
    def _drugs(
        read: Sequence[tuple[Ingredient, tuple[LabelPassage, ...]]], outcome: Outcome
    ) -> list[DrugVerdict]:
        return [judge_drug(drug.name, outcome, passages) for drug, passages in read]


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
        any(
            section in one.section and next(mentions(one.text, outcome), None) is not None for one in passages
        )
        for passages in read
    ]
    return sum(hits) / len(hits) if hits else 0.0
