"""Efficacious dose in patients: efficacy stated at the dose, as a result or as an approved dose."""

import re
from collections.abc import Iterator, Sequence

from agents.archive.answer import Rejected
from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.attribution import said_of_this
from agents.archive.research.documents.document import AnnotatedDocument
from agents.archive.research.documents.dose_mentions import DoseMention
from agents.archive.research.documents.doses import doses_in
from agents.archive.research.documents.lines import Line
from agents.archive.research.drafting import (
    absent,
    dose_field,
    never_given,
    stated,
    text_fields,
)
from agents.archive.research.guards.doses import CLINICAL, admit, refused
from agents.archive.research.guards.humans import never_dosed
from agents.archive.research.vocabulary import any_of, wording
from agents.archive.values import Draft, ResearchInput
from agents.counts import listed

P_VALUE = re.compile(r"\bp\s?[<=≤]\s?0?\.0[0-4]\d*|^\s*significant\b", re.IGNORECASE)
VOLUNTEERS = any_of(
    ["volunteers?", r"healthy (?:\w+ ){0,3}(?:men|women|subjects?|participants?|males?|adults?)"]
)
PATIENTS = any_of(["patients?", "outpatients?", "approved", "marketed", "licensed"])
STRETCH_END = re.compile(r";|,\s(?:and|but|while|whereas|although|so)\b", re.IGNORECASE)
INDICATION = re.compile(
    r"\bin (?:patients with )?((?:mild |moderate |severe |to |essential |acute |chronic |major |advanced |"
    r"metastatic )*"
    r"[a-z]{4,}(?: [a-z]{4,}){0,3}?)(?= over| for| at| \(|,|\.|:|;| with| in | dose| on | after|$)"
)


def extract(research_input: ResearchInput) -> Draft:
    """Doses of a molecule that were efficacious in patients."""
    documents = annotated_documents(research_input)
    name = research_input.molecule.name
    effective = [
        dose
        for document in documents
        for line in document.lines
        if not line.is_heading
        for dose in (effective_in_row if line.row is not None else effective_in_sentence)(document, line)
    ]
    shown, rejected = admit(effective, (*CLINICAL, in_volunteers))
    if (never := never_dosed(documents)) is not None:
        return never_given(name, never, rejected)
    none = next(said_of_this(documents, wording("no_dose_effective"), wording("hypothetical")), None)
    if none is not None:
        return absent(f"The archive says that no dose of {name} was effective: {none[1].text}", rejected)
    if not shown:
        return absent(f"The archive states no dose of {name} with efficacy in patients.", rejected)
    return draft(name, shown, rejected)


def effective_in_sentence(document: AnnotatedDocument, line: Line) -> Iterator[DoseMention]:
    """Doses that a sentence calls effective."""
    if not wording("effective").search(line.text) or wording("hypothetical").search(line.text):
        return
    doses = list(doses_in(document, line))
    for group in grouped(line, doses):
        if is_effective(line.text, group, doses):
            yield from group


def grouped(line: Line, doses: Sequence[DoseMention]) -> Iterator[list[DoseMention]]:
    """Doses that one statement covers: "5 mg b.i.d. and 10 mg b.i.d."."""
    group: list[DoseMention] = []
    for dose in doses:
        if group and not re.fullmatch(
            r"[\s,()]*(?:(?:b\.?i\.?d\.?|daily|once|twice|and|or|to|at|/|day)[\s,()]*)*",
            line.text[end_of(group[-1]) : dose.place],
        ):
            yield group
            group = []
        group.append(dose)
    if group:
        yield group


def end_of(dose: DoseMention) -> int:
    """Where a dose ends in its line."""
    return dose.place + len(dose.quantity.text)


def is_effective(text: str, group: Sequence[DoseMention], doses: Sequence[DoseMention]) -> bool:
    """Whether a sentence calls a group of doses effective, in the words next behind or next before them."""
    start, end = group[0].place, end_of(group[-1])
    earlier = max((end_of(dose) for dose in doses if dose.place < start), default=0)
    later = min((dose.place for dose in doses if dose.place > end), default=len(text))
    behind = STRETCH_END.split(text[end:later])[0]
    ahead = STRETCH_END.split(text[earlier:start])[-1]
    return says_effective(ahead) or says_effective(behind)


def says_effective(text: str) -> bool:
    """Whether a text says that something was effective."""
    return wording("effective").search(text) is not None and wording("ineffective").search(text) is None


def effective_in_row(document: AnnotatedDocument, line: Line) -> list[DoseMention]:
    """Doses of a row that a cell calls effective, or that a p value is given for."""
    assert line.row is not None
    doses = list(doses_in(document, line))
    if told := [dose for dose in doses if dose.column and says_effective(line.row.cells[dose.column])]:
        return told
    if any(map(P_VALUE.search, line.row.cells[1:])):
        return [dose for dose in doses if dose.column == 0]
    return []


def in_volunteers(dose: DoseMention) -> Rejected | None:
    """Not in patients: the effect was seen in healthy volunteers."""
    around = " ".join((dose.line.text, *dose.line.passage.section, dose.document.title))
    if VOLUNTEERS.search(dose.line.text) or (VOLUNTEERS.search(around) and not PATIENTS.search(around)):
        return refused(dose, "not in patients", "the effect was seen in healthy volunteers")
    return None


def draft(name: str, shown: Sequence[DoseMention], rejected: Sequence[Rejected]) -> Draft:
    """The effective doses of the weightiest documents, lowest first."""
    weight = max(dose.document.authority for dose in shown)
    chosen = {
        dose.amount: dose
        for dose in sorted(shown, key=lambda d: bool(d.frequency_words))
        if dose.document.authority == weight and not dose.quantity.is_range
    }
    doses = sorted(chosen.values(), key=lambda dose: dose.amount) or [shown[0]]
    lines = [dose.line for dose in shown if dose.document.authority == weight]
    where = next((found[1].strip() for line in lines if (found := INDICATION.search(line.text))), "")
    return stated(
        f"{name} was efficacious in patients at",
        listed([dose.text for dose in doses]),
        (where, listed(list(dict.fromkeys(dose.document.doc_id for dose in doses)))),
        [*lines, *(dose.line for dose in shown)],
        [*map(dose_field, doses), *text_fields(lines[:1], indication=where)],
        rejected,
    )
