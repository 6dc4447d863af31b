"""An answer as a file to keep or send on: Markdown, DOCX, PDF, or a JSON bundle with ledger and evidence."""

from collections.abc import Callable, Mapping, Sequence

from adapters.export.bundle import bundle
from adapters.export.docx import docx
from adapters.export.markdown import markdown
from adapters.export.pdf import pdf
from agents.archive.answer import Answer
from agents.runs.records import Event, RunRecord, StepRecord

Writer = Callable[[Answer, RunRecord, Sequence[StepRecord], Sequence[Event]], bytes]

FORMATS: Mapping[str, tuple[str, Writer]] = {
    "md": ("text/markdown; charset=utf-8", lambda answer, run, steps, events: markdown(answer, run).encode()),
    "docx": (
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        lambda answer, run, steps, events: docx(answer, run),
    ),
    "pdf": ("application/pdf", lambda answer, run, steps, events: pdf(answer, run)),
    "json": ("application/json", bundle),
}
"""Format: its media type, and what writes it."""

__all__ = ["FORMATS", "Writer", "bundle", "docx", "markdown", "pdf"]
