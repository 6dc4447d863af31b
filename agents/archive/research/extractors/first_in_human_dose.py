"""First-in-human dose: the starting dose of the study that is the first administration to humans."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.archive.answer import Realisation, Rejected
from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.context import population_of
from agents.archive.research.documents.document import AnnotatedDocument
from agents.archive.research.documents.dose_mentions import DoseMention, called
from agents.archive.research.documents.doses import all_doses, doses_of
from agents.archive.research.documents.routes import routes_of_study
from agents.archive.research.drafting import (
    absent,
    dose_field,
    followed,
    never_given,
    stated,
    text_fields,
)
from agents.archive.research.guards.doses import (
    CLINICAL,
    admit,
    not_done,
    other_drug,
    refused,
)
from agents.archive.research.guards.humans import never_dosed
from agents.archive.values import Draft, ResearchInput


@dataclass(frozen=True, slots=True)
class FirstDoseCandidate:
    """A dose that may be the first in humans.

    `said` is set where a sentence calls it so; else it is the lowest dose of the study.
    """

    dose: DoseMention
    in_study: bool
    said: bool

    @property
    def rank(self) -> tuple[bool, bool, bool, int]:
        """Which candidate is followed.

        A dose that was given outranks a planned one, the study itself outranks what quotes it, and a stated
        first dose outranks an inferred one.
        """
        done = self.dose.realisation is Realisation.ACTUAL
        return done, self.in_study, self.said, self.dose.document.authority


def extract(research_input: ResearchInput) -> Draft:
    """First-in-human dose of a molecule."""
    documents = annotated_documents(research_input)
    name = research_input.molecule.name
    if (never := never_dosed(documents)) is not None:
        return never_given(name, never)
    candidates, rejected = find(documents)
    if not candidates:
        return absent(
            f"The archive identifies no first administration of {name} to humans with a dose.", rejected
        )
    started = (dose for dose in starting(all_doses(documents)) if other_drug(dose) is None)
    planned = [dose for dose in started if not_done(dose) is not None]
    return draft(candidates, planned[:1], rejected)


def find(documents: Sequence[AnnotatedDocument]) -> tuple[list[FirstDoseCandidate], list[Rejected]]:
    """Candidates, best first, and what was refused."""
    candidates: list[FirstDoseCandidate] = []
    rejected: list[Rejected] = []
    for document in documents:
        admitted, refusals = admit(doses_of(document), CLINICAL)
        of_first_study = document.first_in_human and document.of_one_study
        first = list(in_first_study(admitted) if of_first_study else quoted(admitted))
        candidates += first
        wanted = {dose.text for dose in starting(doses_of(document))}
        rejected += [refusal for refusal in refusals if refusal.value in wanted]
        if not first:
            rejected += [
                refused(d, "not identified as first-in-human", "no document calls it so")
                for d in starting(admitted)
            ]
    return sorted(candidates, key=lambda c: c.rank, reverse=True), rejected


def starting(doses: Sequence[DoseMention]) -> list[DoseMention]:
    """Doses that their sentence calls starting, initial or first.

    Where a plan was changed, the dose that it was changed to is taken.
    """
    return [dose for dose in doses if called(dose, "start_dose")]


def in_first_study(admitted: Sequence[DoseMention]) -> Iterator[FirstDoseCandidate]:
    """The dose called the starting dose, and the lowest dose of the study."""
    for dose in starting(admitted):
        yield FirstDoseCandidate(dose, True, True)
    if admitted:
        yield FirstDoseCandidate(min(admitted, key=lambda dose: dose.lower), True, False)


def quoted(admitted: Sequence[DoseMention]) -> Iterator[FirstDoseCandidate]:
    """Doses that a sentence or row of another document calls the first in humans."""
    for dose in admitted:
        if called(dose, "first_in_human"):
            yield FirstDoseCandidate(dose, False, True)


def draft(
    candidates: Sequence[FirstDoseCandidate], planned: Sequence[DoseMention], rejected: Sequence[Rejected]
) -> Draft:
    """The best candidate, with the others that agree as support and those that do not as conflicts.

    A planned first dose is told with the passage that plans it.
    """
    best = candidates[0].dose
    unit = best.single_text.split(" ", 1)[1]
    value = (
        f"{best.quantity.low:g} {unit}" if best.quantity.is_range else best.text.removesuffix(" single dose")
    )
    people = population_of(best.document)
    saying = next((line for line in best.document.lines if people in line.text), best.line)
    fields = [
        dose_field(best),
        *text_fields([best.line], study=best.document.doc_id),
        *text_fields([saying], population=people),
        *(field for dose in planned for field in text_fields([dose.line], planned_dose=dose.text)),
    ]
    reported = best.document.reported
    return stated(
        "The first-in-human dose was" if reported else "The planned first-in-human dose is",
        value,
        details(best),
        [candidate.dose.line for candidate in candidates if candidate.dose.lower == best.lower],
        fields,
        rejected,
        conflicts(candidates),
    )


def details(dose: DoseMention) -> tuple[str, ...]:
    """Design and route, status and study of the dose."""
    routes = routes_of_study(dose.document)
    words = [*([dose.design.value] if dose.design else []), *(route.lower() for route in routes[:1])]
    planned = "" if dose.document.reported else "as planned in the record"
    return ", ".join(words), "first-in-human study", planned, dose.document.doc_id


def conflicts(candidates: Sequence[FirstDoseCandidate]) -> Iterator[str]:
    """Documents that call another dose the first in humans."""
    best = candidates[0].dose
    for other in candidates[1:]:
        if other.said and other.dose.lower != best.lower:
            yield followed(other.dose.document, other.dose.text, best.document)
