"""A document annotated for one molecule: its kind, what the molecule is in it, and its weight."""

import re
from dataclasses import dataclass
from enum import StrEnum

from agents.archive.research.documents.lines import Line, MoleculeNames
from retrieval.values import DocumentRecord, StudyStatus


class DocumentKind(StrEnum):
    """Kinds of documents, as far as their weight and tense differ."""

    REGISTRY = "registry record"
    PROTOCOL = "protocol or plan"
    CLINICAL = "clinical study report"
    NONCLINICAL = "nonclinical report"
    BROCHURE = "investigator's brochure"
    MINUTES = "minutes or decision"
    MEMORANDUM = "memorandum"
    OVERVIEW = "overview"
    OTHER = "document"


ONE_STUDY = (DocumentKind.REGISTRY, DocumentKind.CLINICAL, DocumentKind.PROTOCOL)
"""Kinds of documents that describe one study in humans; others have no phase of their own."""


AUTHORITY = {
    DocumentKind.CLINICAL: 5,
    DocumentKind.NONCLINICAL: 5,
    DocumentKind.REGISTRY: 4,
    DocumentKind.BROCHURE: 3,
    DocumentKind.MEMORANDUM: 3,
    DocumentKind.MINUTES: 3,
    DocumentKind.PROTOCOL: 2,
    DocumentKind.OTHER: 2,
    DocumentKind.OVERVIEW: 1,
}
"""Weight for what was done in a study: the signed report outranks what quotes it."""


class MoleculeRole(StrEnum):
    """What the molecule is in a document."""

    SUBJECT = "subject"
    PASSING = "mentioned in passing"


@dataclass(frozen=True, slots=True, eq=False)
class AnnotatedDocument:
    """A document annotated for one molecule. It is compared by identity, because annotations are kept.

    `lines` are all of it. `subject` is the name of the molecule that sentences without a name are about (""
    where it changes), `phases` what the document says of itself, `withdrawn` that nobody was dosed,
    `reported` that it tells what was done.
    """

    record: DocumentRecord
    lines: tuple[Line, ...]
    names: MoleculeNames
    kind: DocumentKind
    role: MoleculeRole
    subject: str
    phases: frozenset[int]
    first_in_human: bool
    withdrawn: bool

    @property
    def authority(self) -> int:
        """Weight of the document for what was done; drafts weigh one less."""
        draft = re.search(
            r"\bdraft\b|\bpreliminary\b|\binterim\b",
            f"{self.record.title} {self.record.document_type}",
            re.IGNORECASE,
        )
        return AUTHORITY[self.kind] - bool(draft)

    @property
    def reported(self) -> bool:
        """Whether the document tells what was done, and not what is planned."""
        return self.kind not in (DocumentKind.REGISTRY, DocumentKind.PROTOCOL)

    @property
    def carried_out(self) -> bool:
        """Whether what the document describes has begun: it reports, or its record says so."""
        begun = (StudyStatus.COMPLETED, StudyStatus.TERMINATED, StudyStatus.ONGOING)
        return self.reported or self.record.status in begun

    @property
    def of_one_study(self) -> bool:
        """Whether the document describes one study in humans."""
        return self.kind in (DocumentKind.REGISTRY, DocumentKind.CLINICAL) or (
            self.kind is DocumentKind.PROTOCOL and bool(self.phases)
        )

    @property
    def is_about_this(self) -> bool:
        """Whether sentences without a name are about the molecule."""
        return self.subject == self.names.molecule.name

    @property
    def doc_id(self) -> str:
        """The identifier, by which answers name the document."""
        return self.record.doc_id

    @property
    def title(self) -> str:
        """The title, or the identifier where there is none."""
        return self.record.title or self.record.doc_id
