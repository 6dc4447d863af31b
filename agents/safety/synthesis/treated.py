"""Findings on the very quantity that the medicine is meant to change back: more muscle against wasting.

Only quantities are told apart of which there can be more or less (`Concept.axis`), and only where the
therapeutic area says which way it is off. What patients had on a medicine stays a risk: too much of a wanted
effect is what harms first.
"""

from collections.abc import Sequence
from dataclasses import replace

from agents.databases.facts import Topic
from agents.safety.endpoints.values import Sign
from agents.safety.endpoints.vocabulary import primary_in
from agents.safety.order import SafetyOrder
from agents.safety.synthesis.findings import CLINICAL
from agents.safety.values import CitedFact, Finding, Strength

IN_PATIENTS = CLINICAL | {Topic.GIVEN}


def on_what_is_treated(
    order: SafetyOrder, findings: Sequence[Finding]
) -> tuple[tuple[Finding, ...], tuple[CitedFact, ...]]:
    """The findings without those that are the reverse of what is treated, and the facts of these.

    Those of patients are kept and marked, and so are weak ones on the same quantity that do not say which
    way it changes.
    """
    off = _off(order)
    if not off or order.direction is None:
        return tuple(findings), ()
    wanted = {
        (one.cited.fact.text, one.effect): one.cited
        for one in findings
        if _is_reverse(order, one, off) and one.cited.fact.topic not in IN_PATIENTS
    }
    kept = (one for one in findings if (one.cited.fact.text, one.effect) not in wanted)
    return tuple(_marked(order, one, off) for one in kept), tuple(dict.fromkeys(wanted.values()))


def _off(order: SafetyOrder) -> dict[str, Sign]:
    """The quantity that is off in the therapeutic area, by its title, and which way it is."""
    named = primary_in(order.area)
    return {concept.title: sign for concept, _, sign in named if concept.axis and sign is not Sign.CHANGED}


def _is_reverse(order: SafetyOrder, one: Finding, off: dict[str, Sign]) -> bool:
    """Whether the medicine, or a change of which nobody tells the direction, turns back what is off."""
    sign = off.get(one.effect)
    return sign is not None and one.sign == sign.opposite and one.under in ("", order.direction)


def _marked(order: SafetyOrder, one: Finding, off: dict[str, Sign]) -> Finding:
    if _is_reverse(order, one, off):
        return replace(one, wanted=True)
    unsaid = one.effect in off and one.sign == Sign.CHANGED and one.strength is Strength.WEAK
    return replace(one, treated=unsaid and one.cited.fact.topic not in IN_PATIENTS)
