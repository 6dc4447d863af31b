"""Highest dose in repeated-dose Phase I studies or in Phase II."""

from collections.abc import Sequence

from agents.archive.answer import Rejected
from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.document import AnnotatedDocument
from agents.archive.research.documents.dose_mentions import DoseMention, comparable
from agents.archive.research.documents.doses import all_doses
from agents.archive.research.drafting import (
    absent,
    dose_field,
    never_given,
    phase_label,
    stated,
    text_fields,
)
from agents.archive.research.guards.corrections import corrected, follow_reports
from agents.archive.research.guards.doses import (
    CLINICAL,
    admit,
    late_phase,
    refused,
    single_dose,
)
from agents.archive.research.guards.humans import never_dosed
from agents.archive.research.patterns.designs import Design, nearest_design
from agents.archive.values import Draft, ResearchInput

GUARDS = (*CLINICAL, late_phase, single_dose)


def extract(research_input: ResearchInput) -> Draft:
    """Highest repeated dose of a molecule in Phase I or II."""
    documents = annotated_documents(research_input)
    name = research_input.molecule.name
    admitted, rejected = admit(all_doses(documents), (corrected(documents), *GUARDS))
    if (never := never_dosed(documents)) is not None:
        return never_given(name, never, rejected)
    believed, given_once = without_single_doses(admitted, documents)
    believed, contradicted = follow_reports(believed)
    believed, planned = without_plans(believed)
    rejected += [*given_once, *contradicted, *planned]
    if not believed:
        return absent(
            f"The archive states no dose of {name} in a repeated-dose Phase I or in a Phase II study.",
            rejected,
        )
    notes = [f"{item.value}: {item.reason}." for item in (*contradicted, *planned)]
    return draft(name, believed, rejected, notes)


def without_single_doses(
    doses: Sequence[DoseMention], documents: Sequence[AnnotatedDocument]
) -> tuple[list[DoseMention], list[Rejected]]:
    """Leave out a dose that its own sentence does not call repeated and that its document gives as single."""
    once = {
        (dose.document.doc_id, dose.dimension, dose.quantity.standard_high)
        for dose in all_doses(documents)
        if dose.design is Design.SINGLE and dose.is_this
    }
    kept: list[DoseMention] = []
    rejected: list[Rejected] = []
    for dose in doses:
        said = dose.line.row is not None or dose.frequency_words or nearest_design(dose.line.text, dose.place)
        if not said and (dose.document.doc_id, dose.dimension, dose.quantity.standard_high) in once:
            rejected.append(refused(dose, "SAD vs MAD", "the document gives it as a single dose"))
        else:
            kept.append(dose)
    return kept, rejected


def without_plans(doses: Sequence[DoseMention]) -> tuple[list[DoseMention], list[Rejected]]:
    """Leave out what was only planned, where any dose that was given is known; tell the higher ones."""
    done = [dose for dose in doses if dose.document.carried_out]
    if not done:
        return list(doses), []
    top = {dose.dimension: dose.amount for dose in sorted(done, key=lambda dose: dose.amount)}
    return done, [
        refused(dose, "planned vs actual", "it was planned, and lower doses were given")
        for dose in doses
        if not dose.document.carried_out and dose.amount > top.get(dose.dimension, 0)
    ]


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
    name: str, believed: Sequence[DoseMention], rejected: Sequence[Rejected], conflicts: Sequence[str]
) -> Draft:
    """The highest dose, with frequency, phase, design and study."""
    tops = highest(believed)
    best = tops[0]
    phase, study = phase_label(best), best.document.doc_id
    design = best.design.value if best.design else ""
    planned = "" if best.document.reported else "as planned in the record"
    more = text_fields([best.line], study=study, frequency=best.frequency_words, phase=phase, design=design)
    return stated(
        f"The highest dose of {name} in repeated-dose Phase I or Phase II studies is",
        best.highest_text,
        (phase, design, planned, study),
        [dose.line for dose in tops],
        [dose_field(best), *more],
        rejected,
        conflicts,
    )
