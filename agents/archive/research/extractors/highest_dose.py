"""Highest dose in repeated-dose Phase I studies or in Phase II."""

import re
from collections.abc import Sequence

from agents.archive.answer import Rejected
from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.dose_mentions import DoseMention, comparable
from agents.archive.research.documents.doses import all_doses
from agents.archive.research.drafting import (
    absent,
    dose_field,
    never_given,
    stated,
    text_fields,
)
from agents.archive.research.guards.doses import CLINICAL, Guard, admit, late_phase, refused, single_dose
from agents.archive.research.guards.humans import never_dosed
from agents.archive.research.patterns.phases import phase_label, phases_in
from agents.archive.values import Draft, ResearchInput

GUARDS = (*CLINICAL, late_phase)
REPEATED = re.compile(r"\b(?:repeat\w*|multiple|MAD|daily)\b", re.IGNORECASE)


def extract(research_input: ResearchInput) -> Draft:
    """Highest repeated dose of a molecule in Phase I or II.

    A question for Phase I that does not speak of repeated doses is about single ones, too; so is any other
    that does not, where single doses were given and repeated ones only planned.
    """
    documents = annotated_documents(research_input)
    name = research_input.molecule.name
    admitted, rejected = admit(all_doses(documents), GUARDS)
    if (never := never_dosed(documents)) is not None:
        return never_given(name, never, rejected)
    believed, single = admit(admitted, [single_dose])
    phases = phases_in(research_input.question)
    studies = "repeated-dose Phase I or Phase II"
    if (
        any(dose.document.carried_out for dose in admitted)
        and not REPEATED.search(research_input.question)
        and (phases == {1} or not (phases or any(dose.document.carried_out for dose in believed)))
    ):
        studies = phase_label(phases) or "Phase I or Phase II"
        believed, single = [dose for dose in admitted if not phases or phases & dose.phases], []
    believed, planned = admit(believed, [only_planned(believed)])
    rejected += [*single, *planned]
    if not believed:
        return absent(
            f"The archive states no dose of {name} in {studies} studies.",
            rejected,
        )
    return draft(name, studies, believed, rejected)


def only_planned(doses: Sequence[DoseMention]) -> Guard:
    """A guard that refuses what was only planned, where any dose that was given is known."""
    given = any(dose.document.carried_out for dose in doses)

    def guard(dose: DoseMention) -> Rejected | None:
        if dose.document.carried_out or not given:
            return None
        return refused(dose, "planned vs actual", "it was planned, and another dose was given")

    return guard


def highest(doses: Sequence[DoseMention]) -> list[DoseMention]:
    """The highest of comparable doses, where it stands, best document first."""
    top = max(dose.amount for dose in comparable(doses))
    at_top = [dose for dose in comparable(doses) if dose.amount == top]
    return sorted(
        at_top,
        key=lambda dose: (
            not dose.document.reported,
            -dose.document.authority,
            not dose.frequency_words,
            dose.quantity.is_range,
        ),
    )


def draft(
    name: str,
    studies: str,
    believed: Sequence[DoseMention],
    rejected: Sequence[Rejected],
) -> Draft:
    """The highest dose in such studies, with frequency, phase, design and study."""
    tops = highest(believed)
    best = tops[0]
    phase, study = phase_label(best.phases), best.document.doc_id
    design = best.design.value if best.design else ""
    planned = "" if best.document.reported else "as planned in the record"
    more = text_fields([best.line], study=study, frequency=best.frequency_words, phase=phase, design=design)
    return stated(
        f"The highest dose of {name} in {studies} studies is",
        best.highest_text,
        (phase, design, planned, study),
        [dose.line for dose in tops],
        [dose_field(best), *more],
        rejected,
    )
