"""A stated margin of safety, and which of several statements is followed."""

import re
from dataclasses import dataclass

from agents.archive.research.documents.document import AUTHORITY, AnnotatedDocument, DocumentKind
from agents.archive.research.documents.lines import Line
from agents.archive.research.guards.corrections import is_correction
from agents.archive.research.vocabulary import wording

WRITTEN_ANEW = (DocumentKind.MEMORANDUM, DocumentKind.MINUTES, DocumentKind.OTHER)
"""Kinds of documents that replace a calculation as a whole."""


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
