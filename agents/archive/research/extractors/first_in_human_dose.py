"""First-in-human dose: the starting dose of the study that is the first administration to humans."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.archive.answer import Realisation, Rejected
from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.context import population_of
from agents.archive.research.documents.document import AnnotatedDocument
from agents.archive.research.documents.dose_mentions import DoseMention, called
from agents.archive.research.documents.doses import all_doses, doses_of
from agents.archive.research.documents.routes import routes_of_study
from agents.archive.research.drafting import absent, claims_of, dose_field, never_given, text_field
from agents.archive.research.guards.corrections import corrected
from agents.archive.research.guards.doses import (
    CLINICAL,
    admit,
    not_done,
    other_drug,
    refused,
)
from agents.archive.research.guards.humans import never_dosed
from agents.archive.research.vocabulary import wording
from agents.archive.values import Draft, ResearchInput

ELSEWHERE = re.compile(
    r"\b(?:based on|from|data|according to|after|following|previous|earlier)\b[^.;]{0,30}$", re.IGNORECASE
)


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
    planned = [dose for dose in started(documents) if other_drug(dose) is None and not_done(dose) is not None]
    return draft(candidates, planned, rejected)


def find(documents: Sequence[AnnotatedDocument]) -> tuple[list[FirstDoseCandidate], list[Rejected]]:
    """Candidates, best first, and what was refused."""
    candidates: list[FirstDoseCandidate] = []
    rejected: list[Rejected] = []
    for document in documents:
        admitted, refusals = admit(doses_of(document), (corrected(documents), *CLINICAL))
        of_first_study = document.first_in_human and document.of_one_study
        found = list(in_first_study(admitted) if of_first_study else quoted(admitted))
        candidates += found
        wanted = set(starting(doses_of(document)))
        rejected += [r for r in refusals if any(r.value == dose.text for dose in wanted)]
        if not found:
            rejected += [
                refused(d, "not identified as first-in-human", "no document calls it so")
                for d in starting(admitted)
            ]
    return sorted(candidates, key=lambda c: c.rank, reverse=True), rejected


def started(documents: Sequence[AnnotatedDocument]) -> list[DoseMention]:
    """All doses called a starting dose."""
    return list(starting(all_doses(documents)))


def starting(doses: Sequence[DoseMention]) -> Iterator[DoseMention]:
    """Doses that their sentence calls starting, initial or first.

    Where a plan was changed, the dose that it was changed to is taken.
    """
    for dose in doses:
        if called(dose, "start_dose"):
            yield dose


def in_first_study(admitted: Sequence[DoseMention]) -> Iterator[FirstDoseCandidate]:
    """The dose called the starting dose, and the lowest dose of the study."""
    for dose in starting(admitted):
        yield FirstDoseCandidate(dose, True, True)
    grouped = [
        dose
        for dose in admitted
        if dose.quantity.frequency in ("", "SINGLE", "QD") or not dose.frequency_words
    ]
    if grouped:
        yield FirstDoseCandidate(min(grouped or list(admitted), key=lambda dose: dose.lower), True, False)


def quoted(admitted: Sequence[DoseMention]) -> Iterator[FirstDoseCandidate]:
    """Doses that a sentence or row of another document calls the first in humans."""
    for dose in admitted:
        if called(dose, "first_in_human") or (called(dose, "start_dose") and names_first_study(dose)):
            yield FirstDoseCandidate(dose, False, True)


def names_first_study(dose: DoseMention) -> bool:
    """Whether the sentence, its heading or its table names the first study in humans."""
    around = " ".join((dose.line.text, *dose.line.passage.section[-1:]))
    if dose.line.row is not None and dose.column is not None:
        around = f"{dose.line.row.header[dose.column]} {around}"
    found = wording("first_in_human").search(around)
    return found is not None and not ELSEWHERE.search(around[: found.start()])


def draft(
    candidates: Sequence[FirstDoseCandidate], planned: Sequence[DoseMention], rejected: Sequence[Rejected]
) -> Draft:
    """The best candidate, with the others that agree as support and those that do not as conflicts.

    A planned first dose is told with the passage that plans it.
    """
    best = candidates[0].dose
    first = best.lower
    agreeing = [c.dose for c in candidates if c.dose.lower == first]
    kind = details(best)
    unit = best.single_text.split(" ", 1)[1]
    value = (
        f"{best.quantity.low:g} {unit}" if best.quantity.is_range else best.text.removesuffix(" single dose")
    )
    fields = [dose_field(best), text_field("study", best.document.doc_id, [best.line])]
    if people := population_of(best.document):
        saying = next((line for line in best.document.lines if people in line.text), best.line)
        fields.append(text_field("population", people, [saying]))
    fields += [text_field("planned_dose", dose.text, [dose.line]) for dose in planned[:1]]
    return Draft(
        True,
        f"{value} ({kind})",
        f"The first-in-human dose was {value} ({kind})."
        if best.document.reported
        else f"The planned first-in-human dose is {value} ({kind}).",
        claims_of([dose.line for dose in agreeing], 4),
        tuple(fields),
        tuple(rejected),
        conflicts(candidates),
    )


def details(dose: DoseMention) -> str:
    """Design, route, status and study of the dose."""
    routes = routes_of_study(dose.document)
    words = [*([dose.design.value] if dose.design else []), *(route.lower() for route in routes[:1])]
    planned = [] if dose.document.reported else ["as planned in the record"]
    return "; ".join(filter(None, [", ".join(words), "first-in-human study", *planned, dose.document.doc_id]))


def conflicts(candidates: Sequence[FirstDoseCandidate]) -> tuple[str, ...]:
    """Documents that call another dose the first in humans."""
    best = candidates[0]
    notes = (
        f"{other.dose.document.doc_id} gives {other.dose.text}; {best.dose.document.doc_id} "
        f"({best.dose.document.kind.value}) was followed."
        for other in candidates[1:]
        if other.said and other.dose.lower != best.dose.lower
    )
    return tuple(dict.fromkeys(notes))
