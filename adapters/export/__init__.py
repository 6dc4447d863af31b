"""A report as a file to keep or send on: Markdown, DOCX, PDF, or a JSON bundle with ledger and evidence."""

from collections.abc import Callable, Mapping, Sequence

from adapters.export.bundle import bundle, report_json
from adapters.export.markdown import markdown
from agents.kinds import RunView
from agents.runs.records import Event, StepRecord

Writer = Callable[[RunView, Sequence[StepRecord], Sequence[Event]], bytes]


def _docx(view: RunView, steps: Sequence[StepRecord], events: Sequence[Event]) -> bytes:
    from adapters.export.docx import (
        docx,  # python-docx and reportlab take long to load, and few exports need them
    )

    return docx(view)


def _pdf(view: RunView, steps: Sequence[StepRecord], events: Sequence[Event]) -> bytes:
    from adapters.export.pdf import pdf

    return pdf(view)


FORMATS: Mapping[str, tuple[str, Writer]] = {
    "md": ("text/markdown; charset=utf-8", lambda view, steps, events: markdown(view).encode()),
    "docx": ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", _docx),
    "pdf": ("application/pdf", _pdf),
    "json": ("application/json", bundle),
}
"""Format: its media type, and what writes it."""

__all__ = ["FORMATS", "Writer", "bundle", "markdown", "report_json"]
