"""A verdict as a model writes it, and what becomes of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, TypeVar

from pydantic import Field

from agents.databases.labels import LabelPassage
from agents.json_answers import at_most
from agents.minds.agent import CitedStatement, Statements
from agents.minds.work import AgentResult
from agents.vigilance.values import (
    CategoryVerdict,
    DrugVerdict,
    Effect,
    Extract,
    Frequency,
    Reason,
    Strength,
)

STATEMENTS = 5
"""As the prompts say."""

V = TypeVar("V", DrugVerdict, CategoryVerdict)


class Judgement(Statements):
    """A verdict as a model writes it; the prompts say what each field means."""

    statements: list[CitedStatement] = Field(json_schema_extra=at_most(STATEMENTS))
    reasoning: str = ""
    label: Literal["increase", "decrease", "no-effect"]
    in_label: bool = True
    confidence: float = Field(ge=0, le=1)
    p_harm: float = Field(ge=0, le=1)
    p_benefit: float = Field(ge=0, le=1)
    evidence: Literal["none", "weak", "strong"]
    frequency: Literal["none", "rare", "common"]


def judged(verdict: V, result: AgentResult, places: Mapping[str, str]) -> V:
    """The model's verdict in the place of the rules'. `places` gives the passage's id of each evidence key.

    Only statements that passed the check of citations are reasons. What is "not in the label" has no effect,
    whatever else the model wrote. An effect of which no statement stands rests on the rules' reasons.
    """
    one = Judgement.model_validate_json(result.answer)
    effect = Effect(one.label) if one.in_label else Effect.NO_EFFECT
    reasons = tuple(
        Reason(
            claim.text,
            tuple(places[key] for key in claim.keys if key in places),
            claim.quotes,
            claim.verdict,
            claim.checked_by,
        )
        for claim in result.shown
    )
    return replace(
        verdict,
        effect=effect,
        confidence=one.confidence,
        p_harm=one.p_harm,
        p_benefit=one.p_benefit,
        strength=Strength(one.evidence) if one.in_label else Strength.NONE,
        frequency=Frequency(one.frequency) if one.in_label else Frequency.NONE,
        reasons=(reasons or verdict.reasons) if one.in_label else (),
        notes=tuple(dict.fromkeys((*verdict.notes, *result.notes))),
        by=result.by,
        dialog=result.dialog,
    )


def with_cited(verdict: DrugVerdict, passages: Sequence[LabelPassage]) -> DrugVerdict:
    """The verdict with an extract of each passage that its reasons cite and the rules did not read."""
    there = {one.passage.id for one in verdict.extracts}
    quotes = {place: one.quotes for one in verdict.reasons for place in one.passages}
    new = [
        Extract(
            one,
            next((quote for quote in quotes.get(one.id, ()) if quote in one.text), one.text),
            verdict.outcome,
            verdict.effect,
            verdict.confidence,
        )
        for one in passages
        if one.id not in there
    ]
    return replace(verdict, extracts=(*verdict.extracts, *new))


def settled_by_drugs(verdict: CategoryVerdict) -> CategoryVerdict | None:
    """A class's verdict that follows from its drugs' without weighing; None where agents must weigh.

    That of the only drug with a label; no effect where no label mentions the outcome, as sure as the least
    sure of the drugs.
    """
    read = [one for one in verdict.drugs if one.labels]
    if len(read) != 1 and any(one.reasons or one.effect is not Effect.NO_EFFECT for one in read):
        return None
    if not read:
        return None
    least = min(read, key=lambda one: one.confidence)
    return replace(
        verdict,
        effect=least.effect,
        confidence=least.confidence,
        p_harm=max(one.p_harm for one in read),
        p_benefit=max(one.p_benefit for one in read),
        strength=least.strength,
        frequency=least.frequency,
        reasons=least.reasons,
        by=least.by,
    )
