"""Findings on the very quantity that the medicine is meant to change back: more muscle against wasting.

Only quantities are told apart of which there can be more or less (`Concept.axis`), only where the therapeutic
area is that one of them is off, and only findings that name the quantity and nothing else: what may be harm
stays a rated risk. So does what patients had on a medicine: too much of a wanted effect is what harms first.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

from agents.databases.facts import Topic
from agents.safety.endpoints.values import Sign
from agents.safety.endpoints.vocabulary import Concept, is_quantity, primary_in
from agents.safety.order import SafetyOrder
from agents.safety.synthesis.findings import CLINICAL
from agents.safety.values import CitedFact, Finding, Strength

IN_PATIENTS = CLINICAL | {Topic.GIVEN}
Off = Mapping[str, tuple[Concept, Sign]]
"""The quantities that are off, by their titles, and which way each is."""


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
        (one.cited, one.effect): None
        for one in findings
        if _is_reverse(order, one, off) and one.cited.fact.topic not in IN_PATIENTS
    }
    kept = [one for one in findings if not _is_wanted(order, one, off, wanted)]
    return tuple(_marked(order, one, off) for one in kept), tuple(dict.fromkeys(one for one, _ in wanted))


def _is_wanted(order: SafetyOrder, one: Finding, off: Off, wanted: Container[tuple[CitedFact, str]]) -> bool:
    """Whether a finding is apart: the reverse of what is off, or its mirror image in the same fact, which is
    inferred for the other change of the target.
    """
    mirrored = one.under not in ("", order.direction)
    return (one.cited, one.effect) in wanted and (mirrored or _is_reverse(order, one, off))


def _off(order: SafetyOrder) -> Off:
    """What is off in the therapeutic area, if that is a quantity and nothing else."""
    return {
        concept.title: (concept, sign)
        for concept, _, sign in primary_in(order.area)
        if sign is not Sign.CHANGED and is_quantity(concept, order.area, illness=True)
    }


def _names(one: Finding, off: Off) -> bool:
    """Whether a finding names the quantity that is off, and nothing else."""
    fact = one.cited.fact
    return one.effect in off and is_quantity(off[one.effect][0], fact.term or fact.text)


def _is_reverse(order: SafetyOrder, one: Finding, off: Off) -> bool:
    """Whether the medicine, or a change of which nobody tells the direction, turns back what is off."""
    return _names(one, off) and one.sign == off[one.effect][1].opposite and one.under in ("", order.direction)


def _marked(order: SafetyOrder, one: Finding, off: Off) -> Finding:
    if _is_reverse(order, one, off):
        return replace(one, wanted=True)
    unsaid = _names(one, off) and one.sign == Sign.CHANGED and one.strength is Strength.WEAK
    return replace(one, treated=unsaid and one.cited.fact.topic not in IN_PATIENTS)
