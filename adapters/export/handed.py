"""Files that cards hand out: a report's export, a table as CSV, a picture of the run."""

import asyncio
import csv
import io
import re
from dataclasses import dataclass
from mimetypes import guess_extension
from typing import assert_never

from adapters.export import FORMATS, exported
from adapters.export.pictures import RASTER
from adapters.structures import drawn
from agents.errors import AgentError
from agents.ports import Artefacts, Ledger
from agents.reports.marked import bracketed
from agents.reports.values import Figure, Structure
from bot.values import Attachment, Export, Handed, OutgoingFile, Table
from bot.views import Views

LONGEST_NAME = 60
_SUFFIXES = {"image/png": "png", "image/jpeg": "jpg", "chemical/x-mdl-sdfile": "sdf"}
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would take a cell for a formula by."""


@dataclass(frozen=True, slots=True)
class HandedFiles:
    """Implements `bot.ports.FileMaker` over what runs left behind."""

    views: Views
    ledger: Ledger
    artefacts: Artefacts

    async def made(self, handed: Handed) -> OutgoingFile | None:
        """See the port."""
        if isinstance(handed, Export):
            return await self._export(handed)
        if isinstance(handed, Figure):
            return await self._figure(handed)
        if isinstance(handed, Table):
            return table_file(handed)
        if isinstance(handed, Structure):
            return await _structure(handed)
        if isinstance(handed, Attachment):
            content = await self.artefacts.get(handed.sha256)
            return (content and OutgoingFile(handed.name, handed.media_type, content, handed.name)) or None
        assert_never(handed)

    async def _export(self, wanted: Export) -> OutgoingFile | None:
        """A report as it stands now; None for a run that has none."""
        try:
            view = await self.views.by_id(wanted.run_id)
        except AgentError:
            return None
        if view.report is None or view.history is None:
            return None
        content = await exported(view, wanted.format, self.ledger, self.artefacts)
        title = view.report.title or view.asked
        return OutgoingFile(f"{stem(title)}.{wanted.format}", FORMATS[wanted.format], content, title)

    async def _figure(self, figure: Figure) -> OutgoingFile | None:
        """A picture as the run drew it, on light ground, or another file; None for a picture that no platform
        shows.
        """
        shown = figure.media_type in RASTER or figure.noun == "File"
        content = await self.artefacts.get(figure.sha256) if shown else None
        if content is None:
            return None
        suffix = _SUFFIXES.get(figure.media_type) or (guess_extension(figure.media_type) or ".bin")[1:]
        name = f"{stem(figure.title.removesuffix(f'.{suffix}'))}.{suffix}"
        return OutgoingFile(name, figure.media_type, content, figure.title, figure.text or figure.title)


async def _structure(molecule: Structure) -> OutgoingFile | None:
    """A molecule drawn on light ground; None where its SMILES is not valid."""
    drawing = await asyncio.to_thread(drawn, molecule.smiles)
    if drawing is None:
        return None
    title = molecule.name or "Structure"
    shows = f"The structure of {molecule.name or 'a molecule'}: SMILES {molecule.smiles}"
    return OutgoingFile(f"{stem(title)}.png", "image/png", drawing.png, title, shows)


def table_file(table: Table) -> OutgoingFile:
    """A table as CSV, UTF-8 with its mark, so that spreadsheets read it right.

    A cell that a spreadsheet would take for a formula gets an apostrophe: cells hold text of documents.
    """
    out = io.StringIO()
    rows = csv.writer(out)
    for row in (table.columns, *table.rows):
        rows.writerow([_cell(bracketed(cell)) for cell in row])
    title = bracketed(table.title) or "Table"
    content = out.getvalue().encode("utf-8-sig")
    return OutgoingFile(f"{stem(title)}.csv", "text/csv; charset=utf-8", content, title)


def stem(title: str) -> str:
    """A title as the name of a file: letters, digits and hyphens."""
    words = re.sub(r"[^\w]+", "-", title).strip("-_")
    return words[:LONGEST_NAME].rstrip("-_") or "pestle"


def _cell(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[+-]?[\d.,]+%?", text) is not None
