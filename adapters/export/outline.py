"""The one outline of an exported report, which each format only typesets.

Its text may hold what documents say, "[1]" among it. A citation of the report is marked with characters that
no text has, so that a format can tell one from the other.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agents.evidence.values import Citation
from agents.kinds import RunView
from agents.reports.revisions import History
from agents.reports.values import (
    Block,
    Choice,
    Code,
    Figure,
    Points,
    Prose,
    Report,
    Section,
    Statement,
    Structure,
)
from agents.reports.values import Heading as SubHeading
from agents.reports.values import Paragraph as Words
from agents.reports.values import Table as ReportTable


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `level` 1 is the title."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Plain text. `style` is "", "strong", "quote", "note", "item" or "code"."""

    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with a header row; cells are plain text."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Part = Heading | Paragraph | Grid

OPENS, CLOSES = "\ue000", "\ue001"
CITED = re.compile(f"{OPENS}([0-9]+){CLOSES}")
"""A citation in the text of a part."""


def outline(view: RunView) -> Iterator[Part]:
    """Title, short answer, sections, what was not found, sources, and how the report was made.

    Raises `ValueError` for a run without a report.
    """
    report = view.report
    if report is None or view.history is None:
        raise ValueError(f"the run {view.record.run_id} has no report")
    yield Heading(1, own(report.title))
    yield Paragraph(own(report.ask_back or report.short or report.outcome))
    if report.partial:
        yield Paragraph(own(f"This {view.kind.result} is partial: {report.partial}"), "note")
    several = len(report.sections) > 1
    for section in report.sections:
        yield from _section(report, section, several)
    yield from _list("Not found", report.not_found)
    yield from _list("Notes", report.notes)
    yield from _sources(report.citations)
    yield from _making(view, report, view.history)


def _section(report: Report, section: Section, several: bool) -> Iterator[Part]:
    """A section under its title, where there are several; an only section that says no more than the short
    answer is left out.
    """
    if several:
        signed = f" ({section.state}, {section.signed})" if section.signed else f" ({section.state})"
        yield Heading(2, own(section.title + signed))
    for block in section.blocks:
        if several or not isinstance(block, Words) or block.text not in (report.short, report.ask_back):
            yield from _block(block, 3 if several else 2)


def _block(block: Block, top: int) -> Iterator[Part]:
    """A block; `top` is the level of the largest heading inside a section."""
    if isinstance(block, SubHeading):
        yield Heading(block.level - 2 + top, own(block.text))
    elif isinstance(block, Words):
        yield Paragraph(own(block.text), "strong" if block.strong else "")
    elif isinstance(block, Prose):
        yield Paragraph(" ".join(map(stated, block.statements)))
    elif isinstance(block, Points):
        yield from (Paragraph(stated(statement), "item") for statement in block.statements)
    elif isinstance(block, ReportTable):
        yield _grid(block)
    else:
        yield from _other(block)


def _other(block: Figure | Structure | Code | Choice) -> Iterator[Part]:
    """Pictures and programs in words."""
    if isinstance(block, Figure):
        yield Paragraph(cited(f"Figure: {block.title}. {block.text}", block.citations))
    elif isinstance(block, Structure):
        yield Paragraph(cited(f"Structure: {block.name} {block.smiles}", block.citations))
    elif isinstance(block, Code):
        yield Paragraph(own(block.text), "code")
        if block.output:
            yield Paragraph(own(block.output), "code")
    else:
        yield Paragraph(own(block.question))
        yield from (Paragraph(own(option), "item") for option in block.options)


def _grid(table: ReportTable) -> Grid:
    """A table with citation marks in its cells."""
    rows = tuple(tuple(cited(cell.text, cell.citations) for cell in row) for row in table.rows)
    return Grid(own(table.title), tuple(map(own, table.columns)), rows)


def _list(title: str, items: Sequence[str]) -> Iterator[Part]:
    """A heading and its items; nothing without items."""
    if items:
        yield Heading(2, title)
    for item in items:
        yield Paragraph(own(item), "item")


def _sources(citations: Sequence[Citation]) -> Iterator[Part]:
    """Every citation with its verbatim quote."""
    if citations:
        yield Heading(2, "Sources")
    for citation in citations:
        yield Paragraph(f"{marks((citation.number,))} {own(citation.title)} ({own(place(citation))})")
        yield Paragraph(own(citation.quote), "quote")


def _making(view: RunView, report: Report, history: History) -> Iterator[Part]:
    """When it was asked and made, what was searched, and what was done to it since."""
    run = view.record
    yield Heading(2, f"How this {view.kind.result} was made")
    yield Paragraph(f"Run {run.run_id}, asked {run.created or 'earlier'}, ended {run.ended or 'not yet'}.")
    for line in report.searched:
        yield Paragraph(own(line), "item")
    for done in history.lines:
        why = f" ({done.why})" if done.why else ""
        yield Paragraph(own(f"{done.section.title} {done.action} by {done.by}, {done.at[:16]}{why}"), "item")


def marks(numbers: Iterable[int]) -> str:
    """Citations, as `CITED` finds them."""
    return "".join(f"{OPENS}{number}{CLOSES}" for number in numbers)


def stated(statement: Statement) -> str:
    """A statement with its citations."""
    return cited(statement.text, statement.citations)


def cited(text: str, numbers: Iterable[int]) -> str:
    """A text with the citations that follow it. It cannot hold one itself."""
    return f"{own(text)} {marks(numbers)}".strip()


def own(text: str) -> str:
    """A text without the characters that mark a citation."""
    return text.replace(OPENS, "").replace(CLOSES, "")


def place(citation: Citation) -> str:
    """Where a quote stands: document, page, section."""
    return ", ".join(filter(None, (citation.doc_id, citation.place)))
