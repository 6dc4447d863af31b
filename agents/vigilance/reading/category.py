"""The verdict on a class and an outcome from those on its drugs (MALADE's CategoryAgent, by rules)."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from agents.vigilance.reading.calibration import calibration
from agents.vigilance.reading.drug import letters
from agents.vigilance.values import CategoryVerdict, DrugVerdict, Effect, Frequency, Reason, Strength

T = TypeVar("T")
STRONGEST = 0.6
"""How much the drug with the most evidence counts; the mean of all counts the rest. A label is often silent
on what its whole class does.
"""
REASONS = 6
OF_LABEL = re.compile(r"The label of (?P<drug>[^(]+) \(")
"""How a reason of the rules begins."""


def judge_category(category: str, outcome: str, drugs: Sequence[DrugVerdict]) -> CategoryVerdict:
    """What the labels of a class's representatives say together; drugs without a label have no say."""
    read = [one for one in drugs if one.labels]
    if not read:
        return CategoryVerdict(category=category, outcome=outcome, drugs=tuple(drugs))
    harm, benefit = _pooled([one.p_harm for one in read]), _pooled([one.p_benefit for one in read])
    effect, confidence = calibration().decided(harm, benefit)
    agreeing = [one for one in read if one.effect is effect]
    speaking = agreeing or read
    often = _highest([one.frequency for one in speaking], list(Frequency))
    return CategoryVerdict(
        category=category,
        outcome=outcome,
        effect=effect,
        confidence=confidence,
        p_harm=harm,
        p_benefit=benefit,
        strength=_highest([one.strength for one in speaking], list(Strength)),
        frequency=Frequency.NONE if effect is Effect.NO_EFFECT else often,
        drugs=tuple(drugs),
        reasons=_reasons(speaking, read),
        notes=_dissent(read, effect),
    )


def _pooled(values: Sequence[float]) -> float:
    return round(STRONGEST * max(values) + (1 - STRONGEST) * sum(values) / len(values), 4)


def _highest(values: Sequence[T], order: Sequence[T]) -> T:
    return max(values, key=order.index)


def _reasons(agreeing: Sequence[DrugVerdict], read: Sequence[DrugVerdict]) -> tuple[Reason, ...]:
    """The first reasons of each drug in turn, those that agree first."""
    drugs = [*agreeing, *(one for one in read if one not in agreeing)]
    turns = max((len(one.reasons) for one in drugs), default=0)
    listed = [one.reasons[turn] for turn in range(turns) for one in drugs if turn < len(one.reasons)]
    return tuple(_told_once(listed)[:REASONS])


def _told_once(reasons: Sequence[Reason]) -> list[Reason]:
    """The reasons; those that quote the same sentence, whatever its marks and capitals, as one."""
    told: dict[str, Reason] = {}
    for one in reasons:
        label = OF_LABEL.match(one.text)
        first = told.setdefault(letters("".join(one.quotes)) if label else one.text, one)
        if first is not one and label:
            text = first.text.replace(" (", f", {label['drug']} (", 1)
            passages, quotes = (*first.passages, *one.passages), (*first.quotes, *one.quotes)
            told[letters(first.quotes[0])] = replace(first, text=text, passages=passages, quotes=quotes)
    return list(told.values())


def _dissent(read: Sequence[DrugVerdict], effect: Effect) -> tuple[str, ...]:
    """That drugs of the class differ, if they do."""
    others = [one for one in read if one.effect is not effect]
    if not others:
        return ()
    counts = Counter(one.effect.value for one in others)
    told = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
    return (f"{len(others)} of {len(read)} drugs differ from the class: {told}.",)
