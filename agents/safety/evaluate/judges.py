"""Whether two claims of risk tables say the same (TSAssistant, appendix B, step 2).

The judge by rules reads both with the vocabulary of endpoints: they say the same if they name one effect, and
not if one denies it or says that it changes the other way. A language model may judge instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from pydantic import BaseModel

from agents.data_block import data_block
from agents.minds.minded import minded
from agents.minds.prompts import load_prompt
from agents.ports import LanguageModel
from agents.safety.endpoints.values import Sign
from agents.safety.endpoints.vocabulary import concepts_in, denied_in, folded

BATCH = 40
"""Pairs that a model judges in one call."""

Pair = tuple[str, str]


class Rule(StrEnum):
    """How two claims relate (appendix E); the last three are no match."""

    BIOMARKER_DISEASE = "biomarker_disease"
    CAUSE_CONSEQUENCE = "cause_consequence"
    MECHANISM_OUTCOME = "mechanism_outcome"
    SAME_PATHOLOGY = "same_pathology"
    SAME_PATHWAY = "same_pathway"
    SAME_PHENOTYPE = "same_phenotype"
    SAME_SYNDROME = "same_syndrome"
    SYNONYM = "synonym"
    INCLUDES = "includes"
    CONTRADICTORY = "contradictory"
    DIFFERENT_ORGANS = "different_organs"
    DISTINCT = "distinct"

    @property
    def matches(self) -> bool:
        """Whether claims that relate so say the same."""
        return self not in (Rule.CONTRADICTORY, Rule.DIFFERENT_ORGANS, Rule.DISTINCT)


class ClaimJudge(Protocol):
    """Judges pairs of claims. Implementations: `VocabularyJudge`, `ModelJudge`."""

    name: str

    async def judge(self, pairs: Sequence[Pair]) -> tuple[Rule, ...]:
        """The rule of each pair, in their order."""
        ...


class VocabularyJudge:
    """The judge by rules. It knows synonyms as far as the vocabulary of endpoints does."""

    name = "rules"

    async def judge(self, pairs: Sequence[Pair]) -> tuple[Rule, ...]:
        """See the port."""
        return tuple(related(one, other) for one, other in pairs)


def related(one: str, other: str) -> Rule:
    """How two claims relate by their words."""
    if folded(one) == folded(other):
        return Rule.SAME_PHENOTYPE
    left, right = _Said.of(one), _Said.of(other)
    if left.denied & set(right.signs) or right.denied & set(left.signs):
        return Rule.CONTRADICTORY
    if left.denied & right.denied:
        return Rule.SYNONYM
    common = set(left.signs) & set(right.signs)
    if not common:
        apart = left.organs and right.organs and not left.organs & right.organs
        return Rule.DIFFERENT_ORGANS if apart else Rule.DISTINCT
    if all(_opposite(left.signs[name], right.signs[name]) for name in common):
        return Rule.CONTRADICTORY
    return Rule.SAME_PHENOTYPE if set(left.signs) == set(right.signs) else Rule.INCLUDES


def _opposite(one: Sign, other: Sign) -> bool:
    return one is not Sign.CHANGED and one is other.opposite


@dataclass(frozen=True, slots=True)
class _Said:
    """The effects that a claim names with their signs, those it denies, and the organs of the first."""

    signs: dict[str, Sign]
    denied: frozenset[str]
    organs: frozenset[str]

    @classmethod
    def of(cls, text: str) -> "_Said":
        """What a text says."""
        found = concepts_in(text)
        organs = frozenset(str(system) for concept, _, _ in found for system in concept.systems)
        return cls({concept.name: sign for concept, _, sign in found}, denied_in(text), organs)


def _sorted(pair: Pair) -> Pair:
    return min(pair), max(pair)


class Judgement(BaseModel):
    """What a model says of one pair."""

    pair: str
    rule: Rule


class Judgements(BaseModel):
    """What a model says of several pairs."""

    judgements: list[Judgement]


class ModelJudge:
    """A language model as judge. A pair on which it is silent, or all of a call that failed, go to the rules.

    `fallen_back` counts those.
    """

    def __init__(self, model: LanguageModel) -> None:
        self.name = model.name
        self.fallen_back = 0
        self._model = model

    async def judge(self, pairs: Sequence[Pair]) -> tuple[Rule, ...]:
        """See the port. Equal claims need no judge, and the order of a pair does not matter."""
        unequal = [_sorted(pair) for pair in pairs if folded(pair[0]) != folded(pair[1])]
        asked = list(dict.fromkeys(unequal))
        found: dict[Pair, Rule] = {}
        for start in range(0, len(asked), BATCH):
            batch = asked[start : start + BATCH]
            found |= zip(batch, await self._batch(batch), strict=True)
        return tuple(found.get(_sorted(pair), Rule.SAME_PHENOTYPE) for pair in pairs)

    async def _batch(self, pairs: Sequence[Pair]) -> list[Rule]:
        async def silent() -> dict[str, Rule]:
            return {}

        async def asked(model: LanguageModel) -> dict[str, Rule]:
            prompt = load_prompt("compare_claims", Path(__file__).parent)
            listed = "\n".join(
                data_block(f"1. {one}\n2. {other}", pair=f"P{number}")
                for number, (one, other) in enumerate(pairs, 1)
            )
            given = await model.ask(prompt.role, prompt.render(), listed, Judgements)
            return {one.pair: one.rule for one in given.judgements}

        rules = (await minded(self._model, asked, silent)).value
        self.fallen_back += sum(f"P{number}" not in rules for number in range(1, len(pairs) + 1))
        return [rules.get(f"P{number}", related(*pair)) for number, pair in enumerate(pairs, 1)]
