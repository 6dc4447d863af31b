"""Annotates the documents of a molecule: lines, kind, role of the molecule, subject and phases."""

import re
from collections.abc import Sequence
from functools import lru_cache

from agents.archive.research.documents.document import (
    ONE_STUDY,
    AnnotatedDocument,
    DocumentKind,
    MoleculeRole,
)
from agents.archive.research.documents.lines import (
    DrugMention,
    Line,
    MoleculeNames,
    read_lines,
)
from agents.archive.research.patterns.phases import PHASE, phases_in
from agents.archive.research.vocabulary import terms, wording
from agents.archive.values import ResearchInput
from retrieval.values import DocumentRecord, Passage, StudyStatus

REGISTRY_ID = re.compile(
    r"^(?:NCT\d{8}|EUCTR\S+|ISRCTN\d+|UMIN\d+|JPRN\S+|ACTRN\d+|ChiCTR\S+|\d{4}-\d{6}-\d{2})", re.IGNORECASE
)
STUDIED = re.compile(
    r"\b(?:receiv|administ|evaluat|determin|dos(?:e|es|ed|ing)|random|treat(?!ments? of|ments?,)|giv|study|"
    r"effects?|safety|efficacy|"
    r"compar|test|investigat|assess|combin|pharmacokinetic)",
    re.IGNORECASE,
)  # fmt: skip
PHASE_FIELD = re.compile(r"\bPhase: (Phase [^.]*)")


def annotated_documents(research_input: ResearchInput) -> tuple[AnnotatedDocument, ...]:
    """Every document of a dossier that names the molecule, read for it; of versions the newest alone."""
    names = MoleculeNames(research_input.molecule, research_input.others)
    read = (describe(document.record, document.passages, names) for document in research_input.documents)
    naming = [
        document
        for document in read
        if any(line.names_this for line in document.lines) or document.is_about_this
    ]
    ids = {document.doc_id for document in naming}
    return tuple(document for document in naming if document.record.newest_version not in ids)


@lru_cache(maxsize=256)
def describe(
    record: DocumentRecord, passages: tuple[Passage, ...], names: MoleculeNames
) -> AnnotatedDocument:
    """Read a document as a whole. Kept, because every question type asks for it."""
    lines = read_lines(record, passages, names)
    kind = kind_of(record)
    title = record.title or next((line.text for line in lines if line.is_heading), "")
    drugs = names.drugs_in(title)
    role = role_of(lines, drugs)
    return AnnotatedDocument(
        record,
        lines,
        names,
        kind,
        role,
        subject_of(lines, drugs, role),
        phases_of(record, lines) if kind in ONE_STUDY else frozenset(),
        is_first_in_human(record, lines),
        record.status is StudyStatus.WITHDRAWN,
    )


def kind_of(record: DocumentRecord) -> DocumentKind:
    """The kind of document: by identifier, then by its stated type, then by title and study type."""
    if REGISTRY_ID.match(record.doc_id.rsplit("/", 1)[-1]):
        return DocumentKind.REGISTRY
    for text in (record.document_type, record.title, record.study_type):
        if found := next((term for term in terms("documents") if text and term.words.search(text)), None):
            return DocumentKind(found.name)
    return DocumentKind.OTHER


def phases_of(record: DocumentRecord, lines: Sequence[Line]) -> frozenset[int]:
    """Phases of the study that a document describes; a document on several studies has none.

    They are taken from its title, its type or its status, else from the first sentence that states a phase,
    and else from the record.
    """
    stated = next((found[1] for line in lines if (found := PHASE_FIELD.search(line.text))), "")
    for text in (record.title, record.document_type, stated):
        if told := phases_in(text):
            return told
    for line in lines:
        match = PHASE.search(line.text)
        if match and not wording("exclude_phase").search(
            line.text[max(0, match.start() - 60) : match.start()]
        ):
            return phases_in(line.text)
    return phases_in(record.phase if "phase" in record.phase.lower() else f"phase {record.phase}")


def role_of(lines: Sequence[Line], drugs: Sequence[DrugMention]) -> MoleculeRole:
    """What the molecule is in the document, by the title, or else by the sentences that name it."""
    if any(drug.is_this for drug in drugs):
        return MoleculeRole.SUBJECT
    if any(line.names_this and line.is_heading for line in lines):
        return MoleculeRole.SUBJECT
    studied = any(line.names_this and STUDIED.search(line.text) for line in lines)
    return MoleculeRole.SUBJECT if studied else MoleculeRole.PASSING


def subject_of(lines: Sequence[Line], drugs: Sequence[DrugMention], role: MoleculeRole) -> str:
    """The molecule that sentences without a name are about; "" where several are."""
    if in_title := [drug.name for drug in drugs if drug.is_of_archive]:
        return in_title[0]
    if role is MoleculeRole.PASSING:
        return ""
    mentioned = {drug.name for line in lines for drug in line.drugs if drug.is_of_archive}
    return next(iter(mentioned)) if len(mentioned) == 1 else ""


def is_first_in_human(record: DocumentRecord, lines: Sequence[Line]) -> bool:
    """Whether the document says that its own study, not an earlier one, is the first administration of the
    molecule to humans.
    """
    said = any(names_first_study(line.text) for line in lines if not line.row)
    return said or wording("first_in_human").search(record.title) is not None


def names_first_study(text: str) -> bool:
    """Whether a text calls what it is about the first administration to humans, and not something else."""
    said = wording("first_in_human").search(text)
    ahead = text[max(0, said.start() - 80) : said.start()] if said else ""
    elsewhere = wording("from_elsewhere").search(ahead) or wording("never_in_humans").search(text)
    return said is not None and elsewhere is None
