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
    Referent,
    read_lines,
)
from agents.archive.research.patterns.phases import PHASE, phases_in
from agents.archive.research.vocabulary import terms, wording
from agents.archive.values import ResearchInput
from retrieval.ingest.self_description import PROTOCOL_NUMBER, tells_results
from retrieval.molecules.beside import is_partner
from retrieval.values import DocumentRecord, Passage, StudyStatus

REGISTRY_ID = re.compile(
    r"^(?:NCT\d{8}|EUCTR\S+|ISRCTN\d+|UMIN\d+|JPRN\S+|ACTRN\d+|ChiCTR\S+|\d{4}-\d{6}-\d{2})", re.IGNORECASE
)
PROTOCOL = re.compile(
    r"(?:clinical )?(?:study |trial )?protocol\b(?!.*\b(?:report|minutes|deviation)s?\b)", re.IGNORECASE
)
"""The first words of a plan, whatever its title."""
AGAINST = re.compile(
    r"\b(?:versus|vs\.?|compar(?:ed|ing|ison) (?:to|with|of .{3,60} (?:to|with|and))|relative to|against|"
    r"or)\s*$",
    re.IGNORECASE,
)
PASSING = re.compile(
    r"\b(?:such as|e\.g\.|like|including|published|other|related compounds?|as well as)\b[^.]{0,80}$",
    re.IGNORECASE,
)
STUDIED = re.compile(
    r"\b(?:receiv|administ|evaluat|determin|dos(?:e|es|ed|ing)|random|treat(?!ments? of|ments?,)|giv|study|"
    r"effects?|safety|efficacy|"
    r"compar|test|investigat|assess|combin|pharmacokinetic)",
    re.IGNORECASE,
)  # fmt: skip
OTHERS = (Referent.MOLECULE, Referent.DRUG)
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
    kind = kind_of(record, lines)
    title = record.title or next((line.text for line in lines if line.is_heading), "")
    drugs = names.drugs_in(title)
    role = role_of(lines, title, drugs)
    return AnnotatedDocument(
        record,
        lines,
        names,
        kind,
        role,
        subject_of(lines, title, drugs, role),
        phases_of(record, lines) if kind in ONE_STUDY else frozenset(),
        is_first_in_human(record, lines),
        nobody_dosed(record, lines, kind),
    )


def kind_of(record: DocumentRecord, lines: Sequence[Line]) -> DocumentKind:
    """The kind of document: by identifier, then by its stated type, then by title and study type."""
    headings = {line.text.lower() for line in lines if line.is_heading}
    if (
        REGISTRY_ID.match(record.doc_id.rsplit("/", 1)[-1])
        or {"brief summary", "detailed description"} <= headings
    ):
        return DocumentKind.REGISTRY
    if any(PROTOCOL.match(line.text) for line in lines[:2] if not is_number_on_report(line, lines)):
        return DocumentKind.PROTOCOL
    for text in (record.document_type, record.title, record.study_type):
        if found := next((term for term in terms("documents") if text and term.words.search(text)), None):
            return DocumentKind(found.name)
    return DocumentKind.OTHER


def is_number_on_report(line: Line, lines: Sequence[Line]) -> bool:
    """Whether a line gives only the number of the protocol that a report of what was done followed."""
    return bool(PROTOCOL_NUMBER.fullmatch(line.text)) and tells_results(one.text for one in lines)


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


def role_of(lines: Sequence[Line], title: str, drugs: Sequence[DrugMention]) -> MoleculeRole:
    """What the molecule is in the document, by the title, or else by the sentences that name it.

    In a title that names another drug before it, it is a comparator behind "versus".
    """
    if own := next((drug for drug in drugs if drug.is_this), None):
        other = any(drug.referent in OTHERS for drug in drugs if drug.start < own.start)
        against = other and AGAINST.search(title[: own.start])
        return MoleculeRole.COMPARATOR if against else MoleculeRole.SUBJECT
    if any(line.names_this and line.is_heading for line in lines):
        return MoleculeRole.SUBJECT
    naming = [line for line in lines if line.names_this]
    studied = [line for line in naming if STUDIED.search(line.text) and not in_passing(line)]
    return MoleculeRole.SUBJECT if studied else MoleculeRole.PASSING


def in_passing(line: Line) -> bool:
    """Whether the molecule is named only as an example or as somebody else's result."""
    return all(PASSING.search(line.text[: drug.start]) for drug in line.drugs if drug.is_this)


def subject_of(lines: Sequence[Line], title: str, drugs: Sequence[DrugMention], role: MoleculeRole) -> str:
    """The molecule that sentences without a name are about; "" where several are.

    That is never what another one was given with, so that their interaction is seen.
    """
    own = [drug for drug in drugs if drug.is_of_archive]
    partners = {drug.name for drug in own if is_partner(title, drug.start, drug.end)}
    in_title = list(dict.fromkeys(drug.name for drug in own if drug.name not in partners))
    if role is MoleculeRole.COMPARATOR:
        return next((drug.name for drug in drugs if drug.referent in OTHERS), "")
    if in_title:
        return in_title[0]
    if role is MoleculeRole.PASSING:
        return ""
    mentioned = {a.name for line in lines for a in line.drugs if a.is_of_archive} - partners
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


def nobody_dosed(record: DocumentRecord, lines: Sequence[Line], kind: DocumentKind) -> bool:
    """Whether the study was withdrawn before anyone was dosed; a plan may say so of itself anywhere."""
    if record.status is StudyStatus.WITHDRAWN or wording("nobody_dosed").search(record.stop_reason):
        return True
    plan = kind is DocumentKind.PROTOCOL
    return plan and any(wording("nobody_dosed").search(line.text) for line in lines)
