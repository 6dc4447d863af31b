"""The studies of a molecule in the archive, counted from records and registers and not from digits."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.context import is_human, population_of
from agents.archive.research.documents.document import (
    ONE_STUDY,
    AnnotatedDocument,
    DocumentKind,
    MoleculeRole,
)
from agents.archive.research.documents.doses import cell_drug
from agents.archive.research.documents.lines import Line
from agents.archive.research.drafting import absent
from agents.archive.research.patterns.phases import phase_label, phases_in
from agents.archive.research.patterns.species import HUMAN
from agents.archive.values import Draft, DraftClaim, DraftField, ResearchInput
from agents.trust.values import COUNT, Derivation
from retrieval.molecules.codes import code_key
from retrieval.values import Passage

KINDS = (*ONE_STUDY, DocumentKind.NONCLINICAL)
MOST = 12
NUMBER_HEAD = re.compile(r"\s*(?:study|trial)(?:[ _](?:no\.?|nr\.?|number|id|code))?\s*", re.IGNORECASE)
NUMBER = re.compile(r"(?=\S*\d)[A-Z][\w/.-]{4,}(?: [\w/-]*\d[\w/-]*)?")
HEADS = {
    "type": re.compile(r"type|design|content|title", re.IGNORECASE),
    "phase": re.compile(r"phase", re.IGNORECASE),
    "species": re.compile(r"species|population|patients", re.IGNORECASE),
    "status": re.compile(r"status|state", re.IGNORECASE),
}
"""Columns of a register of studies, by the field that they fill."""
FIELDS = ("study", "title", "type", "phase", "species", "status", "date")
MANY = 3
"""Studies in the tables of a document that make it a register of them."""


@dataclass(frozen=True, slots=True)
class ListedStudy:
    """A study with what is known of it, and the passage that stands for it."""

    number: str
    clinical: bool
    facts: Mapping[str, str]
    passage: Passage | None

    @property
    def text(self) -> str:
        """ "NCT01234567 (Phase II; patients with asthma; completed)"."""
        phases = phases_in(f"Phase {self.facts.get('phase', '').removeprefix('Phase ')}")
        kind = phase_label(phases) or self.facts.get("type")
        people = self.facts.get("population") or self.facts.get("species")
        shown = "; ".join(filter(None, (kind, people, self.facts.get("status"))))
        return f"{self.number} ({shown})" if shown else self.number


def extract(research_input: ResearchInput) -> Draft:
    """Studies of the molecule: documents that describe one, and rows of the registers that list them."""
    documents = annotated_documents(research_input)
    name = research_input.molecule.name
    rows = [study for document in documents for study in registered(document)]
    found = [
        document
        for document in documents
        if document.kind in KINDS and document.role is not MoleculeRole.PASSING and not is_register(document)
    ]
    found.sort(key=lambda document: -document.authority)
    studies = merged([of_document(document, rows) for document in found], rows)
    if not studies:
        return absent(f"The archive holds no study of {name}.")
    return draft(studies)


def is_register(document: AnnotatedDocument) -> bool:
    """Whether a document lists studies in a table and describes none of its own."""
    listed = {line.row.cells[0] for line in document.lines if line.row is not None and number_of(line)}
    return len(listed) >= MANY


def number_of(line: Line) -> str:
    """The number of the study that a row of a register is about; "" for other rows."""
    if line.row is None or not NUMBER_HEAD.fullmatch(line.row.header[0]):
        return ""
    cell = line.row.cells[0].strip()
    return cell if NUMBER.fullmatch(cell) else ""


def registered(document: AnnotatedDocument) -> Iterator[ListedStudy]:
    """The molecule's studies in the tables of a document."""
    for line in document.lines:
        if not (number := number_of(line)):
            continue
        assert line.row is not None
        drug = next((drug for drug in line.drugs if drug.is_of_archive), None) or cell_drug(document, line, 1)
        if drug is None or not drug.is_this:
            continue
        facts = {
            field: cell.strip()
            for field, pattern in HEADS.items()
            for head, cell in zip(line.row.header, line.row.cells, strict=True)
            if pattern.fullmatch(head.strip()) and re.search(r"\w", cell)
        }
        clinical = "phase" in facts or bool(is_human(document, line))
        yield ListedStudy(number, clinical, {"study": number, **facts}, line.passage)


def of_document(document: AnnotatedDocument, rows: Sequence[ListedStudy]) -> ListedStudy:
    """The study that a document describes, under the number of the register where it is listed."""
    own, study = code_key(document.doc_id), code_key(document.record.study_id)
    listed = next(
        (row for row in rows if own.startswith(code_key(row.number)) or code_key(row.number) == study), None
    )
    number = listed.number if listed else document.record.study_id or document.doc_id
    facts = {**(listed.facts if listed else {}), **facts_of(document), "study": number}
    first = document.lines[0].passage if document.lines else None
    in_humans = not document.record.species or HUMAN in document.record.species
    return ListedStudy(number, document.kind in ONE_STUDY and in_humans, facts, first)


def merged(described: Sequence[ListedStudy], rows: Sequence[ListedStudy]) -> list[ListedStudy]:
    """Each study once, by its number; what a document describes stands before what a register lists."""
    studies = (*described, *rows)
    return list({code_key(study.number): study for study in (*studies, *reversed(studies))}.values())


def draft(studies: Sequence[ListedStudy]) -> Draft:
    """One line a study, and how many there are of each kind."""
    clinical = sum(study.clinical for study in studies)
    count = f"{len(studies)} stud{'y' if len(studies) == 1 else 'ies'}"
    if 0 < clinical < len(studies):
        count += f" ({clinical} clinical, {len(studies) - clinical} nonclinical)"
    items = "; ".join(study.text for study in studies[:MOST])
    more = f"; {len(studies) - MOST} more" if len(studies) > MOST else ""
    claims = tuple(DraftClaim(claim_of(at), (at,)) for study in studies if (at := study.passage))
    fields = tuple(field for study in studies for field in fields_of(study))
    short = f"{count}: {items}{more}"
    kinds = [[one.number for one in studies if one.clinical is kind] for kind in (True, False)]
    derived = tuple(Derivation(str(len(names)), COUNT, tuple(names), ()) for names in kinds if names)
    return Draft(True, short, f"The archive holds {short}.", claims, fields, derived=derived)


def claim_of(passage: Passage) -> str:
    """The heading or row that stands for a study, as a statement."""
    return " | ".join(passage.row.cells) if passage.row else passage.text.lstrip("# ")


def facts_of(document: AnnotatedDocument) -> dict[str, str]:
    """What the record of a document tells of its study."""
    values = {
        "title": document.title,
        "type": document.record.study_type or document.record.document_type or document.kind.value,
        "phase": phase_label(document.phases or phases_in(document.record.phase)),
        "species": ", ".join(document.record.species),
        "population": population_of(document),
        "status": document.record.status.value if document.record.status else "",
        "date": document.record.date,
    }
    return {field: value for field, value in values.items() if value}


def fields_of(study: ListedStudy) -> list[DraftField]:
    """What the study list shows of a study."""
    at = (study.passage,) if study.passage else ()
    told = [(field, study.facts.get(field)) for field in FIELDS]
    return [DraftField(field, value, passages=at) for field, value in told if value]
