"""DOCX export."""

import io
import re
from collections.abc import Mapping

from docx import Document
from docx.shared import Inches
from docx.text.paragraph import Paragraph

from adapters.export.outline import Grid, Heading, outline
from agents.kinds import RunView
from agents.reports.marked import CITED

STYLES = {"quote": "Intense Quote", "item": "List Bullet", "note": "Quote", "code": "No Spacing"}
NO_PICTURES: Mapping[str, bytes] = {}
WIDTH = 5.8
"""Inches of a picture: as wide as the text."""
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def docx(view: RunView, pictures: Mapping[str, bytes] = NO_PICTURES) -> bytes:
    """The report as a Word document. `pictures` are the files of its figures, by content hash."""
    document = Document()
    document.core_properties.title = clean(view.asked)[:255]
    for part in outline(view):
        if isinstance(part, Heading):
            document.add_heading(clean(part.text), part.level)
        elif isinstance(part, Grid):
            document.add_paragraph(clean(part.title)).runs[0].bold = True
            table = document.add_table(0, len(part.columns), style="Table Grid")
            for line in (part.columns, *part.rows):
                for cell, text in zip(table.add_row().cells, line, strict=True):
                    _fill(cell.paragraphs[0], text)
        else:
            if data := pictures.get(part.picture):
                document.add_picture(io.BytesIO(data), width=Inches(WIDTH))
            _fill(document.add_paragraph(style=STYLES.get(part.style)), part.text, part.style == "strong")
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _fill(paragraph: Paragraph, text: str, bold: bool = False) -> None:
    """Write a text, the report's own citations raised, so that no "[1]" of a document is taken for one."""
    for place, piece in enumerate(CITED.split(text)):
        if piece:
            run = paragraph.add_run(f"[{piece}]" if place % 2 else clean(piece))
            run.font.superscript = True if place % 2 else None
            run.bold = True if bold else None


def clean(text: str) -> str:
    """Text without the control characters that XML does not allow."""
    return UNPRINTABLE.sub("", text) or " "
