"""Guards: small named functions that refuse a dose for a question, with the reason (DiscoVerse, Table 3).

A guard gives a `Rejected`, or None where it has no objection. A question type lists the guards it asks, in
order.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from agents.archive.answer import Realisation, Rejected
from agents.archive.research.attribution import guard_name
from agents.archive.research.context import Design, about_this
from agents.archive.research.doses import DoseMention, doses_of
from agents.archive.research.study import Kind, Part, Study
from agents.archive.research.vocabulary import wording

Guard = Callable[[DoseMention], Rejected | None]

FIRST_PHASES = frozenset({1, 2})


def refused(dose: DoseMention, guard: str, reason: str) -> Rejected:
    """A refusal of a dose, with the document it stands in."""
    return Rejected(dose.text, guard, f"{reason} ({dose.study.record.doc_id})")


def other_drug(dose: DoseMention) -> Rejected | None:
    """Other molecule, comparator, partner: the dose is not of the molecule asked about."""
    if dose.is_this:
        return None
    if dose.agent is None:
        return refused(dose, "other molecule", "the document does not say that it is a dose of this molecule")
    guard = guard_name(dose.study, dose.line, dose.agent)
    return refused(dose, guard, f"it is a dose of {dose.agent.name}")


def preclinical(dose: DoseMention) -> Rejected | None:
    """Preclinical vs clinical: the dose was given to animals."""
    if dose.human:
        return None
    return refused(dose, "preclinical vs clinical", "it was not given to humans")


def withdrawn(dose: DoseMention) -> Rejected | None:
    """Withdrawn study: nobody was dosed."""
    if not (dose.study.of_one_study and dose.study.withdrawn):
        return None
    return refused(dose, "withdrawn study", "the study was stopped before anyone was dosed")


def not_done(dose: DoseMention) -> Rejected | None:
    """Planned vs actual: a report says that the dose was planned or projected, or that the step was not
    carried out.
    """
    if dose.realisation is Realisation.PROJECTED and dose.study.reported:
        return refused(dose, "planned vs actual", "it was projected")
    if dose.realisation is Realisation.PLANNED and dose.study.reported:
        return refused(
            dose, "planned vs actual", "it was planned, and the document does not say that it was given"
        )
    return None


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


def corrected(studies: Sequence[Study]) -> Guard:
    """Express later replacement: a guard that refuses values which a correction in these documents takes
    back.
    """
    taken_back = {
        value: study for study in studies if is_correction(study) for value in values_taken_back(study)
    }

    def guard(dose: DoseMention) -> Rejected | None:
        correction = taken_back.get((dose.dimension, dose.quantity.standard_high))
        if correction is None or (correction is dose.study and not is_taken_back(dose)):
            return None
        return refused(dose, "replaced later", f"{correction.record.doc_id} corrects it")

    return guard


@lru_cache(maxsize=256)
def is_correction(study: Study) -> bool:
    """Whether a document, or a sentence of it, expressly corrects an earlier one."""
    said = wording("replaces")
    about = f"{study.title} {study.record.document_type}"
    return bool(said.search(about)) or any(said.search(line.text) for line in study.lines)


def is_taken_back(dose: DoseMention) -> bool:
    """Whether a dose stands behind "and not" or "instead of"."""
    ahead = dose.line.text[max(0, dose.place - 28) : dose.place]
    found = list(wording("taken_back").finditer(ahead))
    return bool(found) and len(ahead) - found[-1].end() <= 4


def values_taken_back(study: Study) -> list[tuple[str, float]]:
    """Dimension and amount of the doses that a correction takes back."""
    doses = (dose for dose in doses_of(study) if dose.is_this and is_taken_back(dose))
    return [(dose.dimension, dose.quantity.standard_high) for dose in doses]


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


def given_to_humans(studies: Sequence[Study]) -> bool:
    """Whether any document describes a study in humans with the molecule in which somebody may have been
    dosed.
    """
    return any(is_clinical_study(study) and not study.withdrawn for study in studies)


def is_clinical_study(study: Study) -> bool:
    """Whether a document describes one study in humans in which the molecule was given."""
    return study.of_one_study and study.part is not Part.PASSING


def says_never_dosed(studies: Sequence[Study]) -> tuple[Study, int] | None:
    """The last document, and the number of its line, that says the molecule was never given to humans."""
    said = wording("never_in_humans")
    found = [
        (study, line.number)
        for study in studies
        for line in study.lines
        if not line.is_heading and said.search(line.text) and about_this(study, line)
    ]
    return max(found, key=lambda item: item[0].record.date, default=None)


def is_older_plan(study: Study, statement: Study) -> bool:
    """Whether a document only plans, and is older than the one that says that nobody was dosed."""
    dates = study.record.date, statement.record.date
    return study.kind is Kind.PROTOCOL and all(dates) and dates[0] <= dates[1]


def never_dosed(studies: Sequence[Study]) -> Rejected | None:
    """Never dosed in humans: stated, and no document describes a study in humans; or every study was
    withdrawn.
    """
    found = says_never_dosed(studies)
    if given_to_humans([study for study in studies if found is None or not is_older_plan(study, found[0])]):
        return None
    if found is not None:
        return Rejected(
            "", "never dosed in humans", f"{found[0].record.doc_id}: {found[0].lines[found[1]].text}"
        )
    return None
