"""What people of a channel dispute: ranked below what nobody disputes, and marked wherever it is cited.

A dispute is of a place, document and offsets, as the citation had it that was disputed. Each kind of run
ranks by `doubters`, and marks what it shows by `marked` or `with_disputes`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from agents.evidence.values import Citation
from agents.reports.values import Report

DOUBTED = 0.25
"""Share of its weight that disputed evidence keeps: it falls behind the next few."""


@dataclass(frozen=True, slots=True)
class Disputed:
    """A passage that people of a channel do not believe: its document, its offsets, who said so, and the
    whole dispute in one line.
    """

    doc_id: str
    start: int
    end: int
    told: str
    by: str = ""


def doubters(disputed: Iterable[Disputed], doc_id: str, start: int, end: int) -> str:
    """Who disputes something of a span of a document ("ada and bob"); "" for what nobody disputes."""
    return " and ".join(dict.fromkeys(one.by or "somebody" for one in _meeting(disputed, doc_id, start, end)))


def marked(citations: Sequence[Citation], disputed: Sequence[Disputed]) -> tuple[Citation, ...]:
    """The citations, each with who disputes it."""
    return tuple(
        replace(one, disputed=doubters(disputed, one.doc_id, one.start, one.end)) for one in citations
    )


def notes_on(citations: Iterable[Citation], disputed: Sequence[Disputed]) -> tuple[str, ...]:
    """A note for each citation of what is disputed."""
    notes = (
        f"Source {cited.number} is disputed here by {one.by or 'somebody'}, and ranked below what nobody "
        f"disputes: {one.told}."
        for cited in citations
        for one in _meeting(disputed, cited.doc_id, cited.start, cited.end)
    )
    return tuple(dict.fromkeys(notes))


def with_disputes(report: Report, disputed: Sequence[Disputed]) -> Report:
    """The report with its citations marked, and a note for each that is disputed."""
    if not disputed:
        return report
    sections = tuple(replace(one, citations=marked(one.citations, disputed)) for one in report.sections)
    return replace(report, sections=sections, notes=(*report.notes, *notes_on(report.citations, disputed)))


def _meeting(disputed: Iterable[Disputed], doc_id: str, start: int, end: int) -> list[Disputed]:
    """The disputes that a span of a document overlaps."""
    return [one for one in disputed if one.doc_id == doc_id and one.start < end and start < one.end]
