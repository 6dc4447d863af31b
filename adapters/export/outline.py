"""The one outline of an exported report, which each format only typesets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.evidence.values import Citation
from agents.kinds import RunView
from agents.reports.markdown import marks, stated
from agents.reports.revisions import History
from agents.reports.values import Block, Choice, Code, Figure, Points, Prose, Report, Section, Structure
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


def outline(view: RunView) -> Iterator[Part]:
    """Title, short answer, sections, what was not found, sources, and how the report was made.

    Raises `ValueError` for a run without a report.
    """
    report = view.report
    if report is None or view.history is None:
        raise ValueError(f"the run {view.record.run_id} has no report")
    yield Heading(1, report.title)
    yield Paragraph(report.ask_back or report.short or report.outcome)
    if report.partial:
        yield Paragraph(f"This {view.kind.result} is partial: {report.partial}", "note")
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
        yield Heading(2, section.title + signed)
    for block in section.blocks:
        if several or not isinstance(block, Words) or block.text not in (report.short, report.ask_back):
            yield from _block(block, 3 if several else 2)


def _block(block: Block, top: int) -> Iterator[Part]:
    """A block; `top` is the level of the largest heading inside a section."""
    if isinstance(block, SubHeading):
        yield Heading(block.level - 2 + top, block.text)
    elif isinstance(block, Words):
        yield Paragraph(block.text, "strong" if block.strong else "")
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
        yield Paragraph(f"Figure: {block.title}. {block.text} {marks(block.citations)}".rstrip())
    elif isinstance(block, Structure):
        yield Paragraph(f"Structure: {block.name} {block.smiles} {marks(block.citations)}".rstrip())
    elif isinstance(block, Code):
        yield Paragraph(block.text, "code")
        if block.output:
            yield Paragraph(block.output, "code")
    else:
        yield Paragraph(block.question)
        yield from (Paragraph(option, "item") for option in block.options)


def _grid(table: ReportTable) -> Grid:
    """A table with citation marks in its cells."""
    rows = tuple(tuple(f"{cell.text} {marks(cell.citations)}".strip() for cell in row) for row in table.rows)
    return Grid(table.title, table.columns, rows)


def _list(title: str, items: Sequence[str]) -> Iterator[Part]:
    """A heading and its items; nothing without items."""
    if items:
        yield Heading(2, title)
    for item in items:
        yield Paragraph(item, "item")


def _sources(citations: Sequence[Citation]) -> Iterator[Part]:
    """Every citation with its verbatim quote."""
    if citations:
        yield Heading(2, "Sources")
    for citation in citations:
        yield Paragraph(f"[{citation.number}] {citation.title} ({place(citation)})")
        yield Paragraph(citation.quote, "quote")


def _making(view: RunView, report: Report, history: History) -> Iterator[Part]:
    """When it was asked and made, what was searched, and what was done to it since."""
    run = view.record
    yield Heading(2, f"How this {view.kind.result} was made")
    yield Paragraph(f"Run {run.run_id}, asked {run.created or 'earlier'}, ended {run.ended or 'not yet'}.")
    for line in report.searched:
        yield Paragraph(line, "item")
    for done in history.lines:
        why = f" ({done.why})" if done.why else ""
        yield Paragraph(f"{done.section.title} {done.action} by {done.by}, {done.at[:16]}{why}", "item")


def place(citation: Citation) -> str:
    """Where a quote stands: document, page, section."""
    return ", ".join(filter(None, (citation.doc_id, citation.place)))
