"""What a document is: its kind, the study it describes, the molecule it is about, and how far it is to be
believed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from agents.archive.research.phases import phases_of
from agents.archive.research.reading import Agent, Line, Names, Role, read_lines
from agents.archive.research.vocabulary import terms, wording
from agents.archive.values import Dossier, OpenDocument
from retrieval.values import DocumentRecord, Passage, PassageKind, StudyStatus


class Kind(StrEnum):
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


ONE_STUDY = (Kind.REGISTRY, Kind.CLINICAL, Kind.PROTOCOL)
"""Kinds of documents that describe one study in humans; others have no phase of their own."""


class Part(StrEnum):
    """What the molecule is in a document."""

    SUBJECT = "subject"
    PARTNER = "partner"
    COMPARATOR = "comparator"
    PASSING = "mentioned in passing"


REGISTRY_ID = re.compile(
    r"^(?:NCT\d{8}|EUCTR\S+|ISRCTN\d+|UMIN\d+|JPRN\S+|ACTRN\d+|ChiCTR\S+|\d{4}-\d{6}-\d{2})", re.IGNORECASE
)


AUTHORITY = {
    Kind.CLINICAL: 5,
    Kind.NONCLINICAL: 5,
    Kind.REGISTRY: 4,
    Kind.BROCHURE: 3,
    Kind.MEMORANDUM: 3,
    Kind.MINUTES: 3,
    Kind.PROTOCOL: 2,
    Kind.OTHER: 2,
    Kind.OVERVIEW: 1,
}
"""Weight for what was done in a study: the signed report outranks what quotes it."""


AGAINST = re.compile(
    r"\b(?:versus|vs\.?|compar(?:ed|ing|ison) (?:to|with|of .{3,60} (?:to|with|and))|relative to|against|"
    r"or)\s*$",
    re.IGNORECASE,
)


BESIDE = re.compile(
    r"\b(?:in combination with|combined with|added to|add-on to|plus|interaction(?: study)? (?:with|of)|"
    r"with)\s*$",
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


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """A document read as a whole for one molecule. Compared by identity: readings are kept.

    `lines` are all of it. `subject` is the name of the molecule that sentences without a name are about (""
    where it changes), `phases` what the document says of itself, `withdrawn` that nobody was dosed,
    `reported` that it tells what was done.
    """

    record: DocumentRecord
    lines: tuple[Line, ...]
    names: Names
    kind: Kind
    part: Part
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
        return self.kind not in (Kind.REGISTRY, Kind.PROTOCOL)

    @property
    def of_one_study(self) -> bool:
        """Whether the document describes one study in humans."""
        return self.kind in (Kind.REGISTRY, Kind.CLINICAL) or (
            self.kind is Kind.PROTOCOL and bool(self.phases)
        )

    @property
    def is_about_this(self) -> bool:
        """Whether sentences without a name are about the molecule."""
        return self.subject == self.names.molecule.name

    @property
    def title(self) -> str:
        """The title, or the identifier where there is none."""
        return self.record.title or self.record.doc_id


def studies(dossier: Dossier) -> tuple[Study, ...]:
    """Every document of a dossier that names the molecule, read for it."""
    names = Names(dossier.molecule, dossier.others)
    read = (describe(document.record, document.passages, names) for document in dossier.documents)
    return tuple(
        study for study in read if any(line.names_this for line in study.lines) or study.is_about_this
    )


def study_of(document: OpenDocument, names: Names) -> Study:
    """One document read for a molecule."""
    return describe(document.record, document.passages, names)


@lru_cache(maxsize=256)
def describe(record: DocumentRecord, passages: tuple[Passage, ...], names: Names) -> Study:
    """Read a document as a whole. Kept, because every question type asks for it."""
    lines = read_lines(record, passages, names)
    kind = kind_of(record, lines)
    part = part_of(record, lines, names)
    return Study(
        record,
        lines,
        names,
        kind,
        part,
        subject_of(record, lines, names, part),
        phases_of(record, lines) if kind in ONE_STUDY else frozenset(),
        is_first_in_human(record, lines, names),
        nobody_dosed(record, lines, kind),
    )


def kind_of(record: DocumentRecord, lines: Sequence[Line]) -> Kind:
    """The kind of document: by identifier, then by its stated type, then by title and study type."""
    headings = {line.text.lower() for line in lines if line.is_heading}
    if (
        REGISTRY_ID.match(record.doc_id.rsplit("/", 1)[-1])
        or {"brief summary", "detailed description"} <= headings
    ):
        return Kind.REGISTRY
    for text in (record.document_type, record.title, record.study_type):
        if found := next((term for term in terms("documents") if text and term.words.search(text)), None):
            return Kind(found.name)
    return Kind.OTHER


def title_agents(
    record: DocumentRecord, lines: Sequence[Line], names: Names
) -> tuple[str, tuple[Agent, ...]]:
    """The title, and the drugs it names; the first heading stands in for a missing title."""
    first = next((line.text for line in lines if line.is_heading), "")
    title = record.title or first
    return title, names.agents(title)


def part_of(record: DocumentRecord, lines: Sequence[Line], names: Names) -> Part:
    """What the molecule is in the document, by the title, or else by the sentences that name it."""
    title, agents = title_agents(record, lines, names)
    for agent in agents:
        if agent.role is Role.THIS:
            return part_in_title(title, agent, agents)
    if any(line.names_this and line.is_heading for line in lines):
        return Part.SUBJECT
    naming = [line for line in lines if line.names_this]
    studied = [line for line in naming if STUDIED.search(line.text) and not in_passing(line)]
    return Part.SUBJECT if studied else Part.PASSING


def part_in_title(title: str, agent: Agent, agents: Sequence[Agent]) -> Part:
    """Comparator after "versus", partner after "in combination with" another molecule of the archive, else
    subject.
    """
    ahead = title[: agent.start]
    earlier = [
        other for other in agents if other.start < agent.start and other.role in (Role.MOLECULE, Role.DRUG)
    ]
    if earlier and AGAINST.search(ahead):
        return Part.COMPARATOR
    if any(other.role is Role.MOLECULE for other in earlier) and BESIDE.search(ahead):
        return Part.PARTNER
    return Part.SUBJECT


def in_passing(line: Line) -> bool:
    """Whether the molecule is named only as an example or as somebody else's result."""
    return all(PASSING.search(line.text[: agent.start]) for agent in line.agents if agent.role is Role.THIS)


def subject_of(record: DocumentRecord, lines: Sequence[Line], names: Names, part: Part) -> str:
    """The molecule that sentences without a name are about; "" where several are."""
    _, agents = title_agents(record, lines, names)
    in_title = list(dict.fromkeys(a.name for a in agents if a.role in (Role.THIS, Role.MOLECULE)))
    if part is Part.COMPARATOR:
        return next((a.name for a in agents if a.role in (Role.MOLECULE, Role.DRUG)), "")
    if in_title:
        return in_title[0]
    if part is Part.PASSING:
        return ""
    mentioned = {a.name for line in lines for a in line.agents if a.role in (Role.THIS, Role.MOLECULE)}
    return next(iter(mentioned)) if len(mentioned) == 1 else ""


def is_first_in_human(record: DocumentRecord, lines: Sequence[Line], names: Names) -> bool:
    """Whether the document says that its own study is the first administration of the molecule to humans."""
    said = wording("first_in_human")
    if said.search(record.title):
        return True
    return any(says_of_itself(line) for line in lines if said.search(line.text) and not line.row)


def says_of_itself(line: Line) -> bool:
    """Whether "first in human" is said of the document's study and not of an earlier one."""
    match = wording("first_in_human").search(line.text)
    if match is None:
        return False
    ahead = line.text[max(0, match.start() - 80) : match.start()]
    return not wording("from_elsewhere").search(ahead) and not wording("never_in_humans").search(line.text)


def nobody_dosed(record: DocumentRecord, lines: Sequence[Line], kind: Kind) -> bool:
    """Whether the study was withdrawn before anyone was dosed; a plan may say so of itself anywhere."""
    if record.status is StudyStatus.WITHDRAWN or wording("nobody_dosed").search(record.stop_reason):
        return True
    if kind is Kind.PROTOCOL and any(wording("nobody_dosed").search(line.text) for line in lines):
        return True
    status = [line for line in lines if any("status" in heading.lower() for heading in line.passage.section)]
    return any(
        re.search(r"status: withdrawn", line.text, re.IGNORECASE) or wording("nobody_dosed").search(line.text)
        for line in status
    )


def is_table_header(line: Line) -> bool:
    """Whether the line is the header of a table."""
    return line.passage.kind is PassageKind.HEADING and line.passage.row is not None
