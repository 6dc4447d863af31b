"""Which drug the words of a line belong to: the nearest one that applies, or else what the text is about."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from agents.archive.research.documents.document import AnnotatedDocument
from agents.archive.research.documents.lines import DrugMention, Line, Referent


def attributed_drug(document: AnnotatedDocument, line: Line, start: int, end: int) -> DrugMention | None:
    """The drug that the words from `start` to `end` of a line belong to; None where nothing tells.

    In order: the nearest before in the sentence, the molecule or "the drug" after, and what the sentence is
    about. Placebo never owns a dose.
    """
    drugs = [drug for drug in line.drugs if drug.referent is not Referent.PLACEBO]
    earlier = [drug for drug in drugs if drug.end <= start]
    later = [drug for drug in drugs if drug.start >= end]
    if earlier:
        return resolved(document, earlier[-1])
    if later and later[0].may_be_this:
        return resolved(document, later[0])
    return topic(document, line)


def resolved(document: AnnotatedDocument, drug: DrugMention) -> DrugMention | None:
    """The agent itself; "the study drug" stands for the study's subject."""
    if drug.referent is Referent.STUDY_DRUG:
        return subject_drug(document)
    return drug


def topic(document: AnnotatedDocument, line: Line) -> DrugMention | None:
    """What a sentence without a name is about: the molecule of the heading, or else that of the document."""
    own = [drug for drug in line.drugs if drug.is_of_archive]
    return own[0] if own else section_drug(document, line) or subject_drug(document)


def section_drug(document: AnnotatedDocument, line: Line) -> DrugMention | None:
    """The first molecule of the nearest heading above that names any, or of the caption of a table."""
    caption = [line.row.caption] if line.row else []
    named = (document.names.drugs_in(heading) for heading in (*caption, *reversed(line.passage.section)))
    return next((drug for drugs in named for drug in drugs if drug.is_of_archive), None)


def subject_drug(document: AnnotatedDocument) -> DrugMention | None:
    """The document's subject as an agent."""
    if not document.subject:
        return None
    return DrugMention(0, 0, document.subject, Referent.THIS if document.is_about_this else Referent.MOLECULE)


def guard_of_drug(document: AnnotatedDocument, line: Line, drug: DrugMention) -> str:
    """Under which guard a value of another drug is refused."""
    if drug.referent is Referent.MOLECULE:
        return "other molecule"
    around = f"{line.text} {document.title}".lower()
    if any(
        word in around
        for word in ("versus", " vs", "compar", "control", "reference", "than", drug.name + " group")
    ):
        return "comparator"
    return "partner"


def table_drug(document: AnnotatedDocument, line: Line) -> DrugMention | None:
    """What a table is about, whatever its cells name."""
    return topic(document, replace(line, drugs=()))


def said_of_this(
    documents: Iterable[AnnotatedDocument], wanted: re.Pattern[str], unless: re.Pattern[str] | None = None
) -> Iterator[tuple[AnnotatedDocument, Line]]:
    """The lines about the molecule that have one wording and not another, with their documents."""
    for document in documents:
        for line in document.lines:
            said = not line.is_heading and wanted.search(line.text)
            if said and not (unless and unless.search(line.text)) and about_this(document, line):
                yield document, line


def about_this(document: AnnotatedDocument, line: Line) -> bool:
    """Whether a sentence is about the molecule asked about."""
    found = topic(document, line)
    return found is not None and found.is_this
