"""A stated margin of safety, and which of several statements is followed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agents.archive.answer import Rejected
from agents.archive.research.documents.document import AUTHORITY, AnnotatedDocument, DocumentKind
from agents.archive.research.documents.lines import Line
from agents.archive.research.guards.corrections import is_correction
from agents.archive.research.vocabulary import wording
from retrieval.text.dates import covers, parse_dates

WRITTEN_ANEW = (DocumentKind.MEMORANDUM, DocumentKind.MINUTES, DocumentKind.OTHER)
"""Kinds of documents that replace a calculation, and whose calculations are replaced, as a whole."""
NOUNS = re.compile(r"\b(?:draft|minutes|memo(?:randum)?|presentation|e-?mail|letter)\b", re.IGNORECASE)
"""What a statement calls the document that it replaces."""
REPLACED = "replaced later"
HEAD = 6
"""Lines at the beginning of a document in which it says what it is."""


@dataclass(frozen=True, slots=True)
class Margin:
    """A stated ratio with the species that it refers to, "" where none is named.

    `calculated` is set where it comes from a table or a sentence with the values behind it.
    """

    value: str
    species: str
    document: AnnotatedDocument
    line: Line
    calculated: bool

    @property
    def rank(self) -> tuple[bool, bool, int, str]:
        """An express replacement outranks all; the document with the calculation outranks what quotes it."""
        return (
            self.replaces,
            self.calculated,
            AUTHORITY[self.document.kind],
            self.document.record.date,
        )

    @property
    def replaces(self) -> bool:
        """Whether its sentence, or its memorandum or minutes as a whole, say that it replaces another."""
        if self.document.kind in WRITTEN_ANEW:
            return is_correction(self.document)
        return bool(wording("replaces").search(self.line.text))

    @property
    def amount(self) -> float:
        """The lower bound as a number, for sorting."""
        found = re.match(r"[\d.]*\d", self.value)
        return float(found[0]) if found else 0.0

    @property
    def text(self) -> str:
        """ "3-fold (dog)"."""
        return f"{self.value}-fold ({self.species})" if self.species else f"{self.value}-fold"


def follow_replacements(found: Sequence[Margin]) -> tuple[list[Margin], list[Rejected]]:
    """Leave out the margins of documents that another one, which states a margin itself, says to replace."""
    documents = list(dict.fromkeys(margin.document for margin in found))
    by = {
        old.doc_id: new.doc_id
        for old in documents
        for new in documents
        if new is not old and replaces(new, old)
    }
    rejected = [
        Rejected(m.text, REPLACED, f"{by[m.document.doc_id]} replaces it ({m.document.doc_id})")
        for m in found
        if m.document.doc_id in by
    ]
    return [margin for margin in found if margin.document.doc_id not in by], rejected


def is_replaced(rejected: Rejected) -> bool:
    """Whether a margin was left out for a later one."""
    return rejected.guard == REPLACED


def replaces(new: AnnotatedDocument, old: AnnotatedDocument) -> bool:
    """Whether a sentence of a document says that it replaces the other one, by date, id or what it is."""
    if old.kind not in WRITTEN_ANEW or (new.record.date and new.record.date < old.record.date):
        return False
    said = [line.text for line in new.lines if wording("replaces").search(line.text)]
    return any(names_document(text, old) for text in said)


def names_document(text: str, document: AnnotatedDocument) -> bool:
    """Whether a sentence names a document: by its date or id, or without any date by what it is."""
    if re.search(rf"(?<![\w-]){re.escape(document.doc_id)}(?![\w-])", text, re.IGNORECASE):
        return True
    if dates := parse_dates(text):
        own = parse_dates(document.record.date)
        return any(covers(date, one) or covers(one, date) for date in dates for one in own)
    head = " ".join((document.title, document.record.document_type, *(x.text for x in document.lines[:HEAD])))
    called = {found[0].casefold() for found in NOUNS.finditer(text)}
    return bool(called & {found[0].casefold() for found in NOUNS.finditer(head)})
