"""Studies and documents as records: one study has its reports, protocols and registry entries as one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.archive.overview.narrowed import Narrowed, has_words
from agents.archive.tools import ArchiveTools
from retrieval.ingest.record_rules import SEVERAL_STUDIES
from retrieval.passages import plain
from retrieval.values import DocumentRecord, Passage

OF_A_STUDY = re.compile(
    r"\b(?:stud(?:y|ies)|trial|report|protocol|synopsis|registry|toxic\w+|pharmacolog\w+)\b", re.I
)
TITLED_STUDY = re.compile(r"(?<![-–])\b(?:study|trial)\b(?![-–])", re.I)
"""A title that says to be of a study; "small-study bias" says it of no study."""
TESTED = re.compile(r"\b(?:tests?|assays?|report|protocol|synopsis)\b", re.I)
"""A title of one experiment, or of what is written on it."""
OF_NO_STUDY = re.compile(
    r"minutes|memo|brochure|nomination|notice|overview|\blabel\b|\breview|\barticle|\be-?mail\b|presentation",
    re.I,
)
"""Document types that report no study of their own, whatever their text speaks of."""
OVER_STUDIES = re.compile(r"\b(?:systematic|literature) review\b|meta-?analys", re.I)
"""Titles of what is written about the studies of others."""
OF_VALUES = re.compile(
    r"\b(?:parameters?|tables?|data|values|summar(?:y|ies)|comparisons?|compilations?|overview|across)\b",
    re.I,
)
"""Titles of what gathers the values of studies."""
SUMS_UP = re.compile(r"\W*(?:(?:tabulated|written|brief) )?(?:summar(?:y|ies)|notes?|minutes)\b", re.I)
"""How the title begins of what tells of studies or of a meeting, and reports none itself."""
SERIES = re.compile(r"[A-Z]+(?:-[A-Z]+)+(?=-?\d)")
STATED = 60
"""Passages at the beginning of a document in which its facts are looked for."""


@dataclass(frozen=True, slots=True)
class RegisterRow:
    """A study as a register lists it: its row, what the row says in the form of a record, and the status in
    the register's own word. The record's `study_id` is the study's number, its `doc_id` the register.
    """

    record: DocumentRecord
    passage: Passage
    status: str = ""


@dataclass(frozen=True, slots=True)
class Study:
    """A study, or a document that is counted by itself: the records of its documents and its rows in
    registers. A study that only a register lists has no `records`.
    """

    name: str
    records: tuple[DocumentRecord, ...]
    rows: tuple[RegisterRow, ...] = ()

    @property
    def record(self) -> DocumentRecord:
        """What stands for the study."""
        return self.told[0]

    @property
    def told(self) -> tuple[DocumentRecord, ...]:
        """All that is on record: what its documents tell, then what registers tell."""
        return (*self.records, *(row.record for row in self.rows))


def standing(records: Sequence[DocumentRecord]) -> list[DocumentRecord]:
    """Records without copies and older versions."""
    return [record for record in records if not (record.copy_of or record.newest_version)]


def documents_of(records: Sequence[DocumentRecord]) -> list[Study]:
    """Each document by itself."""
    return [Study(record.doc_id, (record,)) for record in records]


def studies_of(records: Sequence[DocumentRecord]) -> list[Study]:
    """The studies that documents describe; several documents of one study are one."""
    described = [record for record in records if describes_study(record)]
    series = {found[0] for record in described if (found := SERIES.match(record.doc_id.rpartition("/")[2]))}
    named: dict[str, list[DocumentRecord]] = {}
    for record in records:
        found = SERIES.match(record.doc_id.rpartition("/")[2])
        untyped = not record.document_type and found is not None and found[0] in series
        if record in described or untyped:
            named.setdefault(study_key(record), []).append(record)
    return [
        Study(group[0].study_id or group[0].doc_id, tuple(sorted(group, key=_rank)))
        for group in named.values()
    ]


def study_key(record: DocumentRecord) -> str:
    """What all documents of one study share."""
    return (record.study_id or record.doc_id).casefold()


def describes_study(record: DocumentRecord) -> bool:
    """Whether a document describes one study."""
    if SEVERAL_STUDIES.search(f"{record.document_type}\n{record.title}") and not record.study_id:
        return False
    if OF_NO_STUDY.search(record.document_type):
        return False
    if OVER_STUDIES.search(record.title) and not record.study_id:
        return False
    if TITLED_STUDY.search(record.title):
        return True
    if SUMS_UP.match(record.title):
        return False
    gathers = OF_VALUES.search(record.title) or len(record.main_molecules) > 1
    if gathers and not record.study_id and not TESTED.search(record.title):
        return False
    return bool(OF_A_STUDY.search(record.document_type))


def _rank(record: DocumentRecord) -> tuple[bool, bool, str]:
    """Reports before protocols and guides to data."""
    kind = f"{record.document_type} {record.title}".lower()
    return "guide" in kind, "protocol" in kind, record.doc_id


def with_status(study: Study) -> str:
    """A study with the status that a register gives it in its own word ("on hold")."""
    status = next((row.status for row in study.rows if row.status), "")
    return f"{study.name} ({status})" if status else study.name


def is_about(study: Study, narrowed: Narrowed, molecules: Sequence[str]) -> bool:
    """Whether a study meets all conditions; one of a molecule has it as its main one."""
    if molecules and not any(name in record.main_molecules for record in study.told for name in molecules):
        return False
    return all(any(condition.holds(record) for record in study.told) for condition in narrowed.conditions)


async def with_words(tools: ArchiveTools, studies: Sequence[Study], words: Sequence[str]) -> list[Study]:
    """The studies whose title has all the words, or if there is none, those whose text has them."""
    if not words:
        return list(studies)
    titled = [study for study in studies if any(has_words(record.title, words) for record in study.told)]
    if titled:
        return titled
    kept = []
    for study in studies:
        read = await tools.documents.open_all(tools.index, [record.doc_id for record in study.records])
        texts = [*(one.document.text for one in read), *(row.passage.text for row in study.rows)]
        if any(has_words(text, words) for text in texts):
            kept.append(study)
    return kept


async def title_passage(tools: ArchiveTools, record: DocumentRecord) -> Passage | None:
    """The passage that stands for a document: the one with its title, or the first."""
    read = await tools.documents.open(tools.index, record.doc_id)
    if read is None or not read.passages:
        return None
    title = record.title.casefold()
    for passage in read.passages[:STATED]:
        text = plain(passage.text).casefold()
        if len(text) > LEAST_TITLE and (title in text or text in title):
            return passage
    return read.passages[0]


LEAST_TITLE = 8
