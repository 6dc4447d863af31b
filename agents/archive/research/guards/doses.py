"""Guards of doses: each may refuse a dose for a question, and gives the reason (DiscoVerse, Table 3).

A guard gives a `Rejected`, or None where it has no objection. A question type lists its guards in order.
"""

from collections.abc import Callable, Iterable, Sequence

from agents.archive.answer import Realisation, Rejected
from agents.archive.research.documents.attribution import guard_of_drug
from agents.archive.research.documents.dose_mentions import DoseMention
from agents.archive.research.patterns.designs import Design

Guard = Callable[[DoseMention], Rejected | None]
FIRST_PHASES = frozenset({1, 2})


def refused(dose: DoseMention, guard: str, reason: str) -> Rejected:
    """A refusal of a dose, with the document it stands in."""
    return Rejected(dose.text, guard, f"{reason} ({dose.document.doc_id})")


def other_drug(dose: DoseMention) -> Rejected | None:
    """Other molecule, comparator, partner: the dose is not of the molecule asked about."""
    if dose.is_this:
        return None
    if dose.drug is None:
        return refused(dose, "other molecule", "the document does not say that it is a dose of this molecule")
    guard = guard_of_drug(dose.document, dose.line, dose.drug)
    return refused(dose, guard, f"it is a dose of {dose.drug.name}")


def preclinical(dose: DoseMention) -> Rejected | None:
    """Preclinical vs clinical: the dose was given to animals."""
    if dose.human:
        return None
    return refused(dose, "preclinical vs clinical", "it was not given to humans")


def withdrawn(dose: DoseMention) -> Rejected | None:
    """Withdrawn study: nobody was dosed."""
    if not (dose.document.of_one_study and dose.document.withdrawn):
        return None
    return refused(dose, "withdrawn study", "the study was stopped before anyone was dosed")


def not_done(dose: DoseMention) -> Rejected | None:
    """Planned vs actual: a report says that the dose was only planned or projected."""
    if dose.realisation is Realisation.ACTUAL or not dose.document.reported:
        return None
    reason = f"it was {dose.realisation}, and the document does not say that it was given"
    return refused(dose, "planned vs actual", reason)


def single_dose(dose: DoseMention) -> Rejected | None:
    """SAD vs MAD: the dose was given once."""
    if dose.design is Design.SINGLE:
        return refused(dose, "SAD vs MAD", "it was a single dose")
    if dose.design is None and 2 not in dose.phases:
        return refused(dose, "SAD vs MAD", "the document does not say that it was given repeatedly")
    return None


def late_phase(dose: DoseMention) -> Rejected | None:
    """Wrong phase: Phase III or later."""
    if dose.phases and not dose.phases & FIRST_PHASES:
        return refused(dose, "wrong phase", "it belongs to Phase III or later")
    return None


GIVEN: tuple[Guard, ...] = (withdrawn, not_done)
"""The guards of every dose that is told as given, whoever got it."""
CLINICAL = (other_drug, preclinical, *GIVEN)
"""The guards of every question for a dose in humans."""


def admit(doses: Iterable[DoseMention], guards: Sequence[Guard]) -> tuple[list[DoseMention], list[Rejected]]:
    """Doses that no guard refuses, and the first refusal of each other one."""
    admitted: list[DoseMention] = []
    rejected: dict[tuple[str, str], Rejected] = {}
    for dose in doses:
        refusal = next((found for guard in guards if (found := guard(dose)) is not None), None)
        if refusal is None:
            admitted.append(dose)
        else:
            rejected.setdefault((refusal.value, refusal.guard), refusal)
    return admitted, list(rejected.values())
