"""The values of evidence: a verbatim passage with its place, and a citation of it. Fit for the ledger."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Provenance:
    """How a piece of evidence was come by."""

    agent: str
    tool: str
    query: str
    step: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A verbatim passage with its place.

    `key` is what a writer cites ("E3"), unique in the run and given out by the run's memory; `uid` is
    globally unique and depends only on the document's content and the offsets, so the same passage has the
    same uid in every run. `text == document.text[start:end]`. `context` (table header, caption, section)
    helps to read it and is never quoted. `newest_version` is the id of the newest version of the document
    if this is an older one. `subjects` are the names of the molecules that the document is about, which a
    passage need not repeat ("the drug"). `around` is text before and after the passage, or "": it tells
    what the passage speaks of, and carries no value.
    """

    key: str
    uid: str
    doc_id: str
    title: str
    start: int
    end: int
    text: str
    provenance: Provenance
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


@dataclass(frozen=True, slots=True)
class Citation:
    """A quote inside a piece of evidence: `quote == document.text[start:end]`.

    `number` is the one shown, from 1. `caption` and `header` are those of the table that a quoted row stands
    in; `date` and `subjects` are those of the document, `around` is text before and after the quote's
    passage. They help to read the quote, as the title does.
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

    @property
    def place(self) -> str:
        """Where in its document the quote stands, and whether there is a newer version of the document.

        A row of a table is shown with the table's caption and heads, without which no cell can be read.
        """
        page = f"page {self.page}" if self.page is not None else ""
        caption = "" if self.caption in self.section[-1:] else self.caption
        heads = f"heads: {' | '.join(self.header)}" if any(self.header) else ""
        older = f"older version of {self.newest_version}" if self.newest_version else ""
        return ", ".join(filter(None, (page, " › ".join(self.section), caption, heads, older)))
