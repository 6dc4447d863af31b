"""First-in-human dose: the starting dose of the study that is identified as the first administration to
humans.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.archive.answer import Realisation, Rejected
from agents.archive.research.doses import DoseMention, all_doses, doses_of
from agents.archive.research.drafting import (
    absent,
    claims_of,
    dose_field,
    population_of,
    study_label,
    text_field,
)
from agents.archive.research.guards import (
    admit,
    corrected,
    never_dosed,
    not_done,
    other_drug,
    preclinical,
    refused,
    withdrawn,
)
from agents.archive.research.route import routes_of_study
from agents.archive.research.study import Study, studies
from agents.archive.research.vocabulary import wording
from agents.archive.values import Dossier, Draft

GUARDS = (other_drug, preclinical, withdrawn, not_done)
NEAR = 90
"""Characters between "first in human" or "starting dose" and the dose."""
ELSEWHERE = re.compile(
    r"\b(?:based on|from|data|according to|after|following|previous|earlier)\b[^.;]{0,30}$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A dose that may be the first in humans. `said` tells that a sentence calls it so; else it is the
    lowest of the study.
    """

    dose: DoseMention
    in_study: bool
    said: bool

    @property
    def rank(self) -> tuple[bool, bool, bool, int]:
        """What is followed: done before planned, the study itself before what quotes it, stated before
        inferred.
        """
        done = self.dose.realisation is Realisation.ACTUAL
        return done, self.in_study, self.said, self.dose.study.authority


def extract(dossier: Dossier) -> Draft:
    """First-in-human dose of a molecule."""
    read = studies(dossier)
    name = dossier.molecule.name
    if (never := never_dosed(read)) is not None:
        _, rejected = admit(started(read), GUARDS)
        return absent(f"{name} was never given to humans: {never.reason}", [never, *rejected])
    candidates, rejected = find(read)
    if not candidates:
        return absent(
            f"The archive identifies no first administration of {name} to humans with a dose.", rejected
        )
    return draft(candidates, rejected)


def find(read: Sequence[Study]) -> tuple[list[Candidate], list[Rejected]]:
    """Candidates, best first, and what was refused."""
    candidates: list[Candidate] = []
    rejected: list[Rejected] = []
    for study in read:
        admitted, refusals = admit(doses_of(study), (corrected(read), *GUARDS))
        of_first_study = study.first_in_human and study.of_one_study
        found = list(in_first_study(admitted) if of_first_study else quoted(admitted))
        candidates += found
        wanted = set(starting(doses_of(study)))
        rejected += [r for r in refusals if any(r.value == dose.text for dose in wanted)]
        if not found:
            rejected += [
                refused(d, "not identified as first-in-human", "no document calls it so")
                for d in starting(admitted)
            ]
    return sorted(candidates, key=lambda c: c.rank, reverse=True), rejected


def started(read: Sequence[Study]) -> list[DoseMention]:
    """All doses called a starting dose."""
    return list(starting(all_doses(read)))


def starting(doses: Sequence[DoseMention]) -> Iterator[DoseMention]:
    """Doses that their sentence calls starting, initial or first; of a changed plan the one it was changed
    to.
    """
    for dose in doses:
        if called(dose, "start_dose"):
            yield dose


def called(dose: DoseMention, wording_name: str) -> bool:
    """Whether a wording stands shortly before the dose, or heads its row or column."""
    if dose.column is not None and dose.line.row is not None:
        heads = (dose.line.row.cells[0], dose.line.row.header[dose.column])
        return any(wording(wording_name).search(head) for head in heads)
    ahead = dose.line.text[max(0, dose.place - NEAR) : dose.place]
    found = wording(wording_name).search(ahead)
    if found is None:
        return False
    between = ahead[found.end() :]
    return not re.search(r"\d\s?(?:mg|µg|mcg|g)\b|;", between) or bool(wording("changed_to").search(between))


def in_first_study(admitted: Sequence[DoseMention]) -> Iterator[Candidate]:
    """The dose called the starting dose, and the lowest dose of the study."""
    for dose in starting(admitted):
        yield Candidate(dose, True, True)
    grouped = [dose for dose in admitted if dose.quantity.frequency in ("", "SINGLE", "QD") or not dose.often]
    if grouped:
        yield Candidate(min(grouped or list(admitted), key=lambda dose: dose.lower), True, False)


def quoted(admitted: Sequence[DoseMention]) -> Iterator[Candidate]:
    """Doses that a sentence or row of another document calls the first in humans."""
    for dose in admitted:
        if called(dose, "first_in_human") or (called(dose, "start_dose") and names_first_study(dose)):
            yield Candidate(dose, False, True)


def names_first_study(dose: DoseMention) -> bool:
    """Whether the sentence or the heading names the first study in humans, or a table compares first doses
    in man.
    """
    around = " ".join((dose.line.text, *dose.line.passage.section[-1:]))
    if dose.line.row is not None and dose.column is not None:
        around = f"{dose.line.row.header[dose.column]} {around}"
        if re.search(r"\bin (?:hu)?m[ae]n\b", around):
            return True
    found = wording("first_in_human").search(around)
    return found is not None and not ELSEWHERE.search(around[: found.start()])


def draft(candidates: Sequence[Candidate], rejected: Sequence[Rejected]) -> Draft:
    """The best candidate, with the others that agree as support and those that do not as conflicts."""
    best = candidates[0].dose
    first = best.lower
    agreeing = [c.dose for c in candidates if c.dose.lower == first]
    kind = details(best)
    unit = best.single_text.split(" ", 1)[1]
    value = (
        f"{best.quantity.low:g} {unit}" if best.quantity.is_range else best.text.removesuffix(" single dose")
    )
    fields = [dose_field(best), text_field("study", study_label(best.study), [best.line])]
    if people := population_of(best.study):
        fields.append(text_field("population", people, [best.line]))
    fields += [
        text_field("planned_dose", r.value, [best.line], r.reason)
        for r in rejected
        if r.guard == "planned vs actual"
    ][:1]
    return Draft(
        True,
        f"{value} ({kind})",
        f"The first-in-human dose was {value} ({kind})."
        if best.study.reported
        else f"The planned first-in-human dose is {value} ({kind}).",
        claims_of([dose.line for dose in agreeing], 4),
        tuple(fields),
        tuple(rejected),
        conflicts(candidates),
    )


def details(dose: DoseMention) -> str:
    """Design, route, status and study of the dose."""
    routes = routes_of_study(dose.study)
    words = [*([dose.design.value] if dose.design else []), *(route.lower() for route in routes[:1])]
    planned = [] if dose.study.reported else ["as planned in the record"]
    return "; ".join(
        filter(None, [", ".join(words), "first-in-human study", *planned, study_label(dose.study)])
    )


def conflicts(candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """Documents that call another dose the first in humans."""
    best = candidates[0]
    notes = (
        f"{study_label(other.dose.study)} gives {other.dose.text}; {study_label(best.dose.study)} "
        f"({best.dose.study.kind.value}) was followed."
        for other in candidates[1:]
        if other.said and other.dose.lower != best.dose.lower
    )
    return tuple(dict.fromkeys(notes))
