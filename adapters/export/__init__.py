"""A report as a file to keep or send on: Markdown, DOCX, PDF, or a JSON bundle with ledger and evidence."""

from collections.abc import Callable, Mapping, Sequence

from adapters.export.bundle import bundle, report_json
from adapters.export.docx import docx
from adapters.export.markdown import markdown
from adapters.export.pdf import pdf
from agents.kinds import RunView
from agents.runs.records import Event, StepRecord

Writer = Callable[[RunView, Sequence[StepRecord], Sequence[Event]], bytes]

FORMATS: Mapping[str, tuple[str, Writer]] = {
    "md": ("text/markdown; charset=utf-8", lambda view, steps, events: markdown(view).encode()),
    "docx": (
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        lambda view, steps, events: docx(view),
    ),
    "pdf": ("application/pdf", lambda view, steps, events: pdf(view)),
    "json": ("application/json", bundle),
}
"""Format: its media type, and what writes it."""

__all__ = ["FORMATS", "Writer", "bundle", "docx", "markdown", "pdf", "report_json"]
