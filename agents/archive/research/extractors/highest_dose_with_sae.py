"""Highest clinical dose with serious or severe adverse events that the archive ties to the dose."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agents.archive.answer import Rejected
from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.document import AnnotatedDocument
from agents.archive.research.documents.dose_mentions import DoseMention, comparable
from agents.archive.research.documents.doses import column_doses, doses_in
from agents.archive.research.documents.lines import Line, before
from agents.archive.research.drafting import absent, dose_field, never_given, stated, text_fields
from agents.archive.research.guards.doses import CLINICAL, admit
from agents.archive.research.guards.humans import never_dosed
from agents.archive.research.patterns.findings import HAD
from agents.archive.research.vocabulary import wording
from agents.archive.values import Draft, ResearchInput

LOOK_BACK = 4
COUNT = re.compile(r"\s*(?P<n>\d+)\s*(?:$|[(/]|of\b)|\s*(?P<yes>yes|present|\+)", re.IGNORECASE)
EVENT = re.compile(
    r"\b((?:orthostatic |pericardial |pleural |myocardial |atrial |retinal |febrile |acute |renal |"
    r"hepatic |cardiac |liver )*"
    r"(?:collapse[ds]?|syncope|fibrillation|\w+itis|\w*encephalopathy|shock|cytokine release syndrome|"
    r"infusion(?:-related)? reactions?|effusion|"
    r"infarction|neutrop\w+|thrombocytop\w+|failure|seizures?|convulsions?|arrhythmia|bleeding|"
    r"ha?emorrhage|anaphyla\w+|pneumon\w+|sepsis|diarrho?ea|rash|fatigue|hypotension|hypoglyc\w+|toxicity|"
    r"injury|"
    r"elevations?|neuropathy|mucositis|infections?|stroke|thrombosis|QTc? prolongation|dehydration|"
    r"vomiting|hyperglyc\w+|death))\b",
    re.IGNORECASE,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SevereEvent:
    """A serious or severe event and the dose it is tied to; `told` are the lines that say so."""

    dose: DoseMention
    told: tuple[Line, ...]


def extract(research_input: ResearchInput) -> Draft:
    """Highest dose of a molecule at which a serious or severe event occurred in humans."""
    documents = annotated_documents(research_input)
    name = research_input.molecule.name
    events = [event for document in documents for event in events_in(document)]
    admitted, rejected = admit((event.dose for event in events), CLINICAL)
    if (never := never_dosed(documents)) is not None:
        return never_given(name, never, rejected)
    taken = {id(dose) for dose in admitted}
    tied = [event for event in events if id(event.dose) in taken]
    if not tied:
        return absent(
            f"The archive ties no serious or severe adverse event to a dose of {name} in humans.",
            rejected,
        )
    return draft(name, tied, rejected)


def events_in(document: AnnotatedDocument) -> Iterator[SevereEvent]:
    """Events of a document, from its sentences, items and tables."""
    for line in document.lines:
        if line.is_heading:
            continue
        if line.row is not None:
            yield from events_in_row(document, line)
        elif tells_serious(document, line.text):
            yield from events_in_sentence(document, line)


def tells_serious(document: AnnotatedDocument, text: str) -> bool:
    """Whether a text says that a serious or severe event happened: no denial, no definition, no hypothesis.

    Records of planned studies tell results only of other studies, so they must say plainly that something
    occurred.
    """
    if not is_serious(text):
        return False
    if not document.reported:
        return not wording("hypothetical").search(text) and bool(
            HAD.search(text) or re.search(r"\b(?:occurred|observed|experienced|reported|seen)\b", text)
        )
    return not re.search(
        r"\b(?:will|would|defined as|is defined|whether|if|objective|must be)\b", text, re.IGNORECASE
    )


def is_serious(text: str) -> bool:
    """Whether a text names something serious or severe, and does not deny it."""
    return wording("serious").search(text) is not None and wording("not_serious").search(text) is None


def events_in_sentence(document: AnnotatedDocument, line: Line) -> Iterator[SevereEvent]:
    """The event's dose stands in the sentence, or in the sentences before it in the paragraph."""
    own = list(doses_in(document, line))
    yield from (SevereEvent(dose, (line,)) for dose in own)
    if own or line.names_others:
        return
    for earlier in before(document.lines, line, LOOK_BACK):
        if found := list(doses_in(document, earlier)):
            yield from (SevereEvent(dose, (line, earlier)) for dose in found)
            return


def events_in_row(document: AnnotatedDocument, line: Line) -> Iterator[SevereEvent]:
    """A row of serious events with a count under a dose, or a dose's row that calls its events serious."""
    assert line.row is not None
    label, *cells = line.row.cells
    doses: Iterable[DoseMention] = ()
    if is_serious(label):
        doses = (one for one in column_doses(document, line) if counted(line.row.cells[one.column or 0]))
    elif any(map(is_serious, cells)):
        doses = doses_in(document, line)
    yield from (SevereEvent(dose, (line,)) for dose in doses)


def counted(cell: str) -> bool:
    """Whether a cell counts at least one event."""
    found = COUNT.match(cell)
    return found is not None and (bool(found["yes"]) or int(found["n"]) > 0)


def event_near(dose: DoseMention) -> str:
    """The event named last before the dose in its line, or else first behind it."""
    found = [
        (match.end() > dose.place, abs(match.end() - dose.place), match[1])
        for match in EVENT.finditer(dose.line.text)
    ]
    return min(found)[2].lower() if found else ""


def draft(name: str, tied: Sequence[SevereEvent], rejected: Sequence[Rejected]) -> Draft:
    """The highest dose among the events."""
    pool = comparable([event.dose for event in tied])
    top = max(dose.amount for dose in pool)
    at_top = [event for event in tied if event.dose in pool and event.dose.amount == top]
    at_top.sort(key=lambda event: (-event.dose.document.authority, event.dose.line.row is not None))
    best = at_top[0].dose
    told = [line for event in at_top for line in event.told]
    event = event_near(best) or next(
        (found[1].lower() for line in reversed(told) if (found := EVENT.search(line.text))),
        "serious or severe event",
    )
    study = best.document.doc_id
    fields = [dose_field(best), *text_fields(told[:2], event=event), *text_fields([best.line], study=study)]
    return stated(
        f"The highest clinical dose of {name} with a serious or severe adverse event is",
        best.highest_text,
        (event, study),
        told,
        fields,
        rejected,
    )
