"""The one outline of an exported answer, which each format only typesets."""

from collections.abc import Iterator
from dataclasses import dataclass

from agents.archive.answer import Answer, AnswerTable, Finding
from agents.evidence.values import Citation
from agents.runs.records import RunRecord
from agents.trust.values import Verdict

SHOWN = (Verdict.SUPPORTED, Verdict.PARTLY)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `level` 1 is the title."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Plain text. `style` is "", "quote", "note" or "item"."""

    text: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with a header row; cells are plain text."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


Part = Heading | Paragraph | Grid


def outline(answer: Answer, run: RunRecord) -> Iterator[Part]:
    """Question, answer, findings, tables, what was not found, sources, and how the answer was made."""
    numbers = {citation.key: citation.number for citation in answer.citations}
    yield Heading(1, answer.question)
    yield Paragraph(answer.ask_back or answer.short or "Not stated in the archive.")
    if answer.partial:
        yield Paragraph(f"This answer is partial: {answer.partial}", "note")
    for finding in answer.findings:
        yield from _finding(finding, numbers)
    for table in answer.tables:
        yield _grid(table, numbers)
    yield from _list("Not found", answer.not_found)
    yield from _list("Notes", answer.notes)
    if answer.citations:
        yield Heading(2, "Sources")
    for citation in answer.citations:
        yield Paragraph(f"[{citation.number}] {citation.title} ({place(citation)})")
        yield Paragraph(citation.quote, "quote")
    yield Heading(2, "How this answer was made")
    yield Paragraph(f"Run {run.run_id}, asked {run.created or 'earlier'}, ended {run.ended or 'not yet'}.")
    for searched in answer.searched:
        found = f"{searched.passages} passages of {searched.documents} documents"
        yield Paragraph(f"Searched “{searched.query}”: {found}.", "item")


def _finding(finding: Finding, numbers: dict[str, int]) -> Iterator[Part]:
    """One domain's finding: its headline, then its claims with their citation marks."""
    named = (finding.molecule, finding.question_type.replace("_", " "), finding.domain)
    yield Heading(2, " · ".join(part for part in named if part))
    yield Paragraph(finding.headline)
    for claim in finding.claims:
        if claim.verdict in SHOWN:
            yield Paragraph(f"{claim.text} {marks(claim.keys, numbers)}".strip(), "item")


def _grid(table: AnswerTable, numbers: dict[str, int]) -> Grid:
    """A table with citation marks in its cells."""
    rows = tuple(
        tuple(f"{cell.text} {marks(cell.keys, numbers)}".strip() for cell in row) for row in table.rows
    )
    return Grid(table.title, table.columns, rows)


def _list(title: str, items: tuple[str, ...]) -> Iterator[Part]:
    """A heading and its items; nothing without items."""
    if items:
        yield Heading(2, title)
    for item in items:
        yield Paragraph(item, "item")


def marks(keys: tuple[str, ...], numbers: dict[str, int]) -> str:
    """Citation marks for evidence keys: "[1][3]". A key that is not cited has none."""
    return "".join(f"[{number}]" for number in sorted({numbers[key] for key in keys if key in numbers}))


def place(citation: Citation) -> str:
    """Where a quote stands: document, page, section."""
    return ", ".join(filter(None, (citation.doc_id, citation.place)))
