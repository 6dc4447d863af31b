"""A report as a file to keep or send on: Markdown, HTML, DOCX, PDF, or JSON with ledger and evidence."""

import asyncio
from collections.abc import Mapping

from adapters.export.bundle import bundle, report_json
from adapters.export.html import html
from adapters.export.markdown import markdown
from adapters.export.pictures import pictures_of
from agents.kinds import RunView
from agents.ports import Artefacts, Ledger
from agents.reports.values import Figure
from agents.runs.hashing import canonical_json
from bot.errors import BadRequest
from bot.values import EXPORTED

NO_PICTURES: Mapping[str, bytes] = {}
FORMATS: Mapping[str, str] = {
    "md": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "pdf": "application/pdf",
    "json": "application/json",
    "sdf": "chemical/x-mdl-sdfile",
    "csv": "text/csv",
    "smi": "text/plain",
}
"""Each format with its media type. The last three are files of molecules, which a report may carry."""


def left(view: RunView, name: str) -> dict[str, str]:
    """The files of this name that a run left: hashes by name. Where sections left several, each name has its
    section's id before it ("task-survival-results.csv").
    """
    found = {
        section.id: block.sha256
        for section in (view.report.sections if view.report else ())
        for block in section.blocks
        if isinstance(block, Figure) and block.title == name
    }
    return {f"{where}-{name}" if len(found) > 1 else name: sha256 for where, sha256 in found.items()}


async def exported(
    view: RunView, form: str, ledger: Ledger, artefacts: Artefacts, by: str = "", file: str = ""
) -> bytes:
    """The file of a run with a report, typeset beside the event loop; the `file` with this hash that the run
    left, or that of molecules of this form. Its trail says `by` whom it was taken, unless that was told as
    they asked. Raises `BadRequest` for a file of molecules where it has none.
    """
    run_id = view.record.run_id
    if by:
        await ledger.append(run_id, EXPORTED, canonical_json({"by": by, "format": form}))
    if form == "json":
        return bundle(view, await ledger.steps(run_id), await ledger.events(run_id))
    for sha256 in (file, *left(view, f"candidates.{form}").values()):
        if data := await artefacts.get(sha256):
            return data
    return await asyncio.to_thread(typeset, form, view, await pictures_of(view, artefacts))


def typeset(form: str, view: RunView, pictures: Mapping[str, bytes] = NO_PICTURES) -> bytes:
    """The report in a format for people. `pictures` are those of `pictures_of`.

    Raises `BadRequest` for another format.
    """
    if form == "md":
        return markdown(view).encode()
    if form == "html":
        return html(view, pictures)
    if form == "docx":  # python-docx and reportlab take long to load, and few exports need them
        from adapters.export.docx import docx

        return docx(view, pictures)
    if form == "pdf":
        from adapters.export.pdf import pdf

        return pdf(view, pictures)
    raise BadRequest(f"This report has no molecules to write as {form}.")


__all__ = ["FORMATS", "bundle", "exported", "left", "pictures_of", "report_json", "typeset"]
