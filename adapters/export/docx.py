"""DOCX export."""

import io
import re

from docx import Document

from adapters.export.outline import Grid, Heading, outline
from agents.kinds import RunView

STYLES = {"quote": "Intense Quote", "item": "List Bullet", "note": "Quote", "code": "No Spacing"}
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def docx(view: RunView) -> bytes:
    """The report as a Word document."""
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
                    cell.text = clean(text)
        else:
            added = document.add_paragraph(clean(part.text), style=STYLES.get(part.style))
            added.runs[0].bold = True if part.style == "strong" else None
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def clean(text: str) -> str:
    """Text without the control characters that XML does not allow."""
    return UNPRINTABLE.sub("", text) or " "
