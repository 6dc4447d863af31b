"""A report as a file to keep or send on: Markdown, HTML, DOCX, PDF, or JSON with ledger and evidence."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from adapters.export.bundle import bundle, report_json
from adapters.export.html import html
from adapters.export.markdown import markdown
from adapters.export.pictures import pictures_of
from agents.kinds import RunView
from agents.runs.records import Event, StepRecord

NO_PICTURES: Mapping[str, bytes] = {}


class Writer(Protocol):
    """Writes a report with the steps and events of its run. `pictures` are those of `pictures_of`."""

    def __call__(
        self,
        view: RunView,
        steps: Sequence[StepRecord],
        events: Sequence[Event],
        pictures: Mapping[str, bytes] = NO_PICTURES,
    ) -> bytes:
        """The file."""
        ...


def _docx(
    view: RunView,
    steps: Sequence[StepRecord],
    events: Sequence[Event],
    pictures: Mapping[str, bytes] = NO_PICTURES,
) -> bytes:
    from adapters.export.docx import (
        docx,  # python-docx and reportlab take long to load, and few exports need them
    )

    return docx(view, pictures)


def _pdf(
    view: RunView,
    steps: Sequence[StepRecord],
    events: Sequence[Event],
    pictures: Mapping[str, bytes] = NO_PICTURES,
) -> bytes:
    from adapters.export.pdf import pdf

    return pdf(view, pictures)


def _html(
    view: RunView,
    steps: Sequence[StepRecord],
    events: Sequence[Event],
    pictures: Mapping[str, bytes] = NO_PICTURES,
) -> bytes:
    return html(view, pictures)


def _markdown(
    view: RunView,
    steps: Sequence[StepRecord],
    events: Sequence[Event],
    pictures: Mapping[str, bytes] = NO_PICTURES,
) -> bytes:
    return markdown(view).encode()


def _bundle(
    view: RunView,
    steps: Sequence[StepRecord],
    events: Sequence[Event],
    pictures: Mapping[str, bytes] = NO_PICTURES,
) -> bytes:
    return bundle(view, steps, events)


FORMATS: Mapping[str, tuple[str, Writer]] = {
    "md": ("text/markdown; charset=utf-8", _markdown),
    "html": ("text/html; charset=utf-8", _html),
    "docx": ("application/vnd.openxmlformats-officedocument.wordprocessingml.document", _docx),
    "pdf": ("application/pdf", _pdf),
    "json": ("application/json", _bundle),
}
"""Format: its media type, and what writes it."""

__all__ = ["FORMATS", "Writer", "bundle", "html", "markdown", "pictures_of", "report_json"]
