"""The verdict on one drug and one outcome from its label's extracts (MALADE's DrugAgent, by rules)."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from agents.databases.labels import LabelPassage
from agents.reports.disputed import DOUBTED, Disputed, doubters
from agents.vigilance.reading.calibration import calibration
from agents.vigilance.reading.extracts import extracts_of
from agents.vigilance.reading.sections import readable_name, weight_of
from agents.vigilance.records import source_of
from agents.vigilance.values import (
    DrugVerdict,
    Effect,
    Extract,
    Frequency,
    Outcome,
    Reason,
    Strength,
)

AGAIN = 0.5
"""Each further extract counts half as much as the one before: a label says one thing in many places."""
COUNTED = 6
KEPT = 12
"""So many extracts a verdict carries."""
QUOTED = 3
DIRECT = 1.5
"""A quote that names the drug is shown before others that count up to so many times as much."""
FEWEST_WORDS = 4
"""Words that a quote has to read as a sentence."""
BEGINS = re.compile(r"(?!\W*See\b)(?:[\d.]+ )?[\[(“\"]?[A-Z]")
"""How a sentence of a label begins, behind the number of its section."""
REFERS = re.compile(r"\[\s*see\b|EXCERPT")
AGAINST = 0.5
"""How far a denial takes back what speaks for harm."""
RIVAL = 0.7
"""How far evidence of one direction takes back that of the other."""
STRONG_FROM = 0.6
LEAST = 0.09
"""Extracts that count less say nothing of an effect."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """The weight of what speaks for harm and for benefit, each from 0 to 1."""

    harm: float
    benefit: float


def evidence_of(extracts: Sequence[Extract]) -> Evidence:
    """The extracts together."""
    harm, benefit, denial = (
        _together(extracts, effect) for effect in (Effect.INCREASE, Effect.DECREASE, Effect.NO_EFFECT)
    )
    treated = any(
        one.effect is Effect.DECREASE and weight_of(one.passage.section).kind == "indication"
        for one in extracts
    )
    rules = treated or benefit >= harm
    return Evidence(
        round(harm * (1 - AGAINST * denial) * (1 - RIVAL * benefit * rules), 4),
        round(benefit * (1 - RIVAL * harm * (not rules)), 4),
    )


def _together(extracts: Sequence[Extract], effect: Effect) -> float:
    """That at least one of them holds, where each repetition counts less."""
    weights = sorted((one.weight for one in extracts if one.effect is effect), reverse=True)[:COUNTED]
    doubt = 1.0
    for place, weight in enumerate(weights):
        doubt *= 1 - 0.95 * weight * AGAIN**place
    return 1 - doubt


def judge_drug(
    ingredient: str,
    outcome: Outcome,
    passages: Sequence[LabelPassage],
    disputed: Sequence[Disputed] = (),
) -> DrugVerdict:
    """What the labels of a drug say of an outcome; of that, what is `disputed` counts less.

    Without passages nothing is known: no effect at a confidence of a half. With passages that do not mention
    the outcome the answer is "not in the label".
    """
    if not passages:
        note = f"No label of {ingredient} is loaded."
        return DrugVerdict(ingredient=ingredient, outcome=outcome.name, notes=(note,))
    extracts = weighed(extracts_of(passages, outcome), disputed)
    evidence = evidence_of(extracts)
    scales = calibration()
    harm, benefit = scales.harm.probability(evidence.harm), scales.benefit.probability(evidence.benefit)
    effect, confidence = scales.decided(harm, benefit)
    speaking = [one for one in extracts if one.effect is effect and one.weight >= LEAST]
    shown = sorted(
        speaking or [one for one in extracts if one.weight >= LEAST],
        key=lambda one: -one.weight * (DIRECT if ingredient.casefold() in one.quote.casefold() else 1),
    )
    return DrugVerdict(
        ingredient=ingredient,
        outcome=outcome.name,
        effect=effect,
        confidence=confidence,
        p_harm=harm,
        p_benefit=benefit,
        strength=_strength(speaking if effect is not Effect.NO_EFFECT else shown),
        frequency=_frequency(speaking),
        extracts=tuple(dict.fromkeys([*shown[:KEPT], *extracts[:KEPT]]))[:KEPT],
        reasons=tuple(_reason(ingredient, outcome, one, effect) for one in _distinct(shown[:KEPT])),
        labels=len({one.set_id or one.title for one in passages}),
        newest=max(one.effective for one in passages),
        notes=() if extracts else (f"The label of {ingredient} does not mention {outcome.name}.",),
    )


def _strength(speaking: Sequence[Extract]) -> Strength:
    """Strong where a warning or a trial says it (MALADE, appendix B.1); mere reports and lists are weak."""
    if not any(one.effect is not Effect.NO_EFFECT for one in speaking):
        return Strength.NONE
    return Strength.STRONG if any(map(_proves, speaking)) else Strength.WEAK


def _proves(one: Extract) -> bool:
    """Whether a warning says it, or patients of a trial were counted who had it, more than on the control
    where there was one.
    """
    if one.disputed:
        return False
    if one.incidence is not None:
        return one.incidence.percent > (one.incidence.control or 0.0)
    return one.boxed or one.weight >= STRONG_FROM


def _frequency(speaking: Sequence[Extract]) -> Frequency:
    """How often, as the weightiest passage says that tells it; "rare" if none does."""
    if not speaking:
        return Frequency.NONE
    return next((one.often for one in speaking if one.often is not Frequency.NONE), Frequency.RARE)


def readable(extracts: Sequence[Extract]) -> Sequence[Extract]:
    """The extracts that read as sentences; all where none does."""
    return [one for one in extracts if not is_scrap(one.quote)] or extracts


def is_scrap(quote: str) -> bool:
    """Whether a quote is a word or two, a row of figures, a list of references to other sections, or torn:
    without its first words, or with half of a pair of brackets.
    """
    words = quote.split()
    numbers = [bool(re.search(r"\d", word)) for word in words]
    figures = sum(numbers) > len(words) / 3 or sum(numbers[:FEWEST_WORDS]) > 1
    torn = not BEGINS.match(quote) or quote.count("(") != quote.count(")")
    return len(words) < FEWEST_WORDS or figures or torn or len(REFERS.findall(quote)) > 1


def letters(quote: str) -> str:
    """A quote's letters and figures: two that differ in marks and capitals alone say the same."""
    return re.sub(r"\W|_", "", quote).casefold()


def _distinct(extracts: Sequence[Extract]) -> list[Extract]:
    """The first extracts, from different sections where there are; scraps only where nothing else speaks."""
    first: dict[str, Extract] = {}
    for one in readable(extracts):
        first.setdefault(one.passage.section, one)
    return list(first.values())[:QUOTED]


def _reason(ingredient: str, outcome: Outcome, one: Extract, effect: Effect) -> Reason:
    """A sentence on an extract. What does not decide a verdict of no effect is only mentioned."""
    verb = {
        Effect.INCREASE: "mentions" if effect is Effect.NO_EFFECT else "speaks of",
        Effect.DECREASE: "speaks of a lower risk or treatment of",
        Effect.NO_EFFECT: "denies",
    }[one.effect]
    quote = " ".join(one.quote.split())
    where = readable_name(one.passage.section)
    text = f"The label of {ingredient} ({where}) {verb} {outcome.name}: “{quote}”"
    return Reason(text, (one.passage.id,), (one.quote,))


def weighed(extracts: Iterable[Extract], disputed: Sequence[Disputed]) -> list[Extract]:
    """The extracts, those that count most first; a disputed one keeps a share of its weight."""
    found = [_weighed(one, disputed) for one in extracts] if disputed else list(extracts)
    return sorted(found, key=lambda one: -one.weight)


def _weighed(one: Extract, disputed: Sequence[Disputed]) -> Extract:
    source = source_of(one.passage)
    start = max(0, source.text.find(one.quote))
    if not doubters(disputed, source.id, start, start + len(one.quote)):
        return one
    return replace(one, weight=round(one.weight * DOUBTED, 4), disputed=True)
