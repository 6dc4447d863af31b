"""DOCX export."""

import io
import re

from docx import Document

from adapters.export.outline import Grid, Heading, outline
from agents.archive.answer import Answer
from agents.runs.records import RunRecord

STYLES = {"quote": "Intense Quote", "item": "List Bullet", "note": "Quote"}
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")


def docx(answer: Answer, run: RunRecord) -> bytes:
    """The answer as a Word document."""
    document = Document()
    document.core_properties.title = clean(answer.question)[:255]
    for part in outline(answer, run):
        if isinstance(part, Heading):
            document.add_heading(clean(part.text), part.level)
        elif isinstance(part, Grid):
            document.add_paragraph(clean(part.title)).runs[0].bold = True
            table = document.add_table(0, len(part.columns), style="Table Grid")
            for line in (part.columns, *part.rows):
                for cell, text in zip(table.add_row().cells, line, strict=True):
                    cell.text = clean(text)
        else:
            document.add_paragraph(clean(part.text), style=STYLES.get(part.style))
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def clean(text: str) -> str:
    """Text without the control characters that XML does not allow."""
    return UNPRINTABLE.sub("", text) or " "
