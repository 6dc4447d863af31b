"""The values of evidence: a verbatim passage with its place, and a citation of it. Fit for the ledger."""

from dataclasses import dataclass, fields
from typing import Any

LEFT_OUT = "\n…\n"
"""Stands in `around` for the passage itself, between the text before and after it."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """A verbatim passage with its place.

    `key` is what a writer cites ("E3"), unique in the run and given out by the run's memory; `uid` is
    globally unique and depends only on the document's content and the offsets, so the same passage has the
    same uid in every run. `text == document.text[start:end]`. `context` (section, lead, caption and heads)
    helps to read it and is never quoted.

    Of the document are `title`, `date`, `document_type`, `study` (its number), `species`, `subjects` (the
    names of the molecules that it is about, which a passage need not repeat: "the drug") and
    `newest_version` (its id, if this is an older version). Of the place are `section`, `page`, `lead` (the
    line that introduces the list which an item is of) and, for a row, those of its table: `caption`,
    `header`, `group` (the sub-heads above the row: "Males", "Week 4") and `notes` (what stands under it).
    `around` is text before and after the passage, or "": it tells what the passage speaks of, and carries no
    value. Of a source that is no document are `release`, the state of its data ("2026-06"), and `link`, the
    address for people. `shown_to` is the agent whose task shows the passage whole.
    """

    key: str
    uid: str
    doc_id: str
    title: str
    start: int
    end: int
    text: str
    section: tuple[str, ...] = ()
    page: int | None = None
    context: str = ""
    caption: str = ""
    header: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    date: str = ""
    document_type: str = ""
    newest_version: str = ""
    subjects: tuple[str, ...] = ()
    around: str = ""
    study: str = ""
    species: tuple[str, ...] = ()
    lead: str = ""
    group: tuple[str, ...] = ()
    notes: str = ""
    release: str = ""
    link: str = ""
    shown_to: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """A quote inside a piece of evidence: `quote == document.text[start:end]`.

    `number` is the one shown, from 1. The other fields are those of the evidence; they help to read the
    quote, as the title does: of what document it is, and what stands over a quoted row and under its table.
    """

    number: int
    key: str
    doc_id: str
    title: str
    quote: str
    start: int
    end: int
    section: tuple[str, ...] = ()
    page: int | None = None
    newest_version: str = ""
    caption: str = ""
    header: tuple[str, ...] = ()
    date: str = ""
    subjects: tuple[str, ...] = ()
    around: str = ""
    document_type: str = ""
    study: str = ""
    species: tuple[str, ...] = ()
    lead: str = ""
    group: tuple[str, ...] = ()
    notes: str = ""
    release: str = ""
    link: str = ""
    corrected: str = ""
    disputed: str = ""

    @classmethod
    def of(cls, number: int, evidence: Evidence, start: int, end: int) -> "Citation":
        """A part of a piece of evidence as the citation of this number; offsets are those in the document."""
        shared = {f.name for f in fields(cls)} & {f.name for f in fields(Evidence)} - {"start", "end"}
        values: dict[str, Any] = {name: getattr(evidence, name) for name in shared}
        quote = evidence.text[start - evidence.start : end - evidence.start]
        return cls(number=number, quote=quote, start=start, end=end, **values)

    @property
    def place(self) -> str:
        """Where in its document the quote stands, whether there is a newer version of the document or a
        correction, and who disputes it.

        A row of a table is shown with the table's caption and heads, without which no cell can be read.
        """
        page = f"page {self.page}" if self.page is not None else ""
        caption = "" if self.caption in self.section[-1:] else self.caption
        heads = f"heads: {' | '.join(self.header)}" if any(self.header) else ""
        older = f"older version of {self.newest_version}" if self.newest_version else ""
        replaced = f"corrected by {self.corrected}" if self.corrected else ""
        doubted = f"disputed here by {self.disputed}" if self.disputed else ""
        return ", ".join(
            filter(None, (page, " › ".join(self.section), older, replaced, doubted, caption, heads))
        )
