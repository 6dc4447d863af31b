"""DOCX export."""

import io
import re
from collections.abc import Mapping, Sequence
from textwrap import shorten
from typing import Any

from docx import Document
from docx.document import Document as OpenDocument
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Inches, Pt, RGBColor
from docx.table import Table, _Row
from docx.text.paragraph import Paragraph

from adapters.export.outline import outline
from adapters.export.parts import Grid, Heading, widths
from adapters.export.parts import Paragraph as Words
from agents.kinds import RunView
from agents.reports.marked import CITED

STYLES = {"quote": "Intense Quote", "item": "List Bullet", "note": "Quote", "code": "No Spacing"}
WIDTH = 6.5
"""Inches of text between the margins."""
PICTURE = 4.0
"""Inches of a picture, at most."""
MARGIN, CELL, CAPTION, GROUND = Inches(1), Pt(8.5), Pt(8.5), "E8EEF5"
FONT, EDGE = "Calibri", "A6AFBA"
PADDING = {"top": 40, "left": 80, "bottom": 40, "right": 80}
"""Twentieths of a point around the text of a cell."""
LONGEST = 90
"""Characters of the title at the foot of each page."""
UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def docx(view: RunView, pictures: Mapping[str, bytes]) -> bytes:
    """The report as a Word document. `pictures` are the files of its figures, by content hash."""
    document = Document()
    document.core_properties.title = clean(view.asked)[:255]
    parts = list(outline(view))
    _set_page(document, next((part.text for part in parts if isinstance(part, Heading)), view.asked))
    for part in parts:
        if isinstance(part, Heading):
            document.add_heading(clean(part.text), part.level)
        elif isinstance(part, Grid):
            _table(document, part)
        else:
            _paragraph(document, part, pictures.get(part.picture))
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _set_page(document: OpenDocument, title: str) -> None:
    """Margins of an inch, body text of ten points, and at the foot of each page the title and its number."""
    for section in document.sections:
        section.left_margin = section.right_margin = section.top_margin = section.bottom_margin = MARGIN
        foot = section.footer.paragraphs[0]
        foot.alignment = WD_ALIGN_PARAGRAPH.CENTER
        foot.add_run(f"{shorten(clean(title), LONGEST, placeholder=' …')} · page ")
        _field(foot, "PAGE")
        foot.add_run(" of ")
        _field(foot, "NUMPAGES")
        foot.style.font.size = CAPTION
    _set_font(document.styles["Normal"], "w:ascii", "w:hAnsi", "w:cs")
    document.styles["Normal"].font.size = Pt(10)
    document.styles["Heading 4"].font.italic = False


def _set_font(style: Any, *scripts: str) -> None:
    """One font for these scripts; the template's own would be another on each machine."""
    style.font.name = FONT
    for script in scripts:
        style.element.rPr.rFonts.set(qn(script), FONT)


def _field(paragraph: Paragraph, instruction: str) -> None:
    """A number that Word fills in."""
    paragraph._p.append(_element("w:fldSimple", instr=instruction))


def _paragraph(document: OpenDocument, part: Words, picture: bytes | None) -> None:
    """A text; of a picture its caption, and the whole description as its alternative text."""
    text = part.text
    if picture:
        shape = document.add_picture(io.BytesIO(picture), width=Inches(PICTURE))
        shape._inline.docPr.set("descr", clean(CITED.sub("", part.text)))
        document.paragraphs[-1].paragraph_format.keep_with_next = True
        text = part.alone or part.text
    paragraph = document.add_paragraph(style=STYLES.get(part.style))
    _fill(paragraph, text, part.style == "strong")
    if part.style == "caption":
        for run in paragraph.runs:
            run.font.size, run.font.color.rgb = CAPTION, RGBColor(0x55, 0x5F, 0x6B)


def _table(document: OpenDocument, grid: Grid) -> None:
    """A table: columns as wide as their texts need, heads repeated on each page, rows never torn."""
    if grid.title:
        title = document.add_paragraph()
        title.add_run(clean(grid.title)).bold = True
        title.paragraph_format.keep_with_next = True
    table = document.add_table(0, len(grid.columns), style="Table Grid")
    table.autofit = False
    shares = widths(grid)
    _trim(table, shares)
    for place, line in enumerate((grid.columns, *grid.rows)):
        row = table.add_row()
        _whole(row, head=place == 0)
        for cell, text, share in zip(row.cells, line, shares, strict=True):
            cell.width = Inches(WIDTH * share)
            _fill(cell.paragraphs[0], text, bold=place == 0)
            _shade(cell._tc, place == 0)
            cell.paragraphs[0].paragraph_format.space_after = Pt(0)
            for run in cell.paragraphs[0].runs:
                run.font.size = CELL
    document.add_paragraph().paragraph_format.space_after = Pt(0)


def _trim(table: Table, shares: Sequence[float]) -> None:
    """Columns, air around the text, and fine lines, in line with the text above. LibreOffice goes by the
    width of a column, Word by that of each cell.
    """
    for column, share in zip(table.columns, shares, strict=True):
        column.width = Inches(WIDTH * share)
    layout = table._tbl.tblPr.find(qn("w:tblLayout"))  # Word wants them in this order
    layout.addprevious(_element("w:tblInd", w=str(PADDING["left"]), type="dxa"))
    lines, air = OxmlElement("w:tblBorders"), OxmlElement("w:tblCellMar")
    for side in ("top", "left", "bottom", "right", "insideH", "insideV"):
        lines.append(_element(f"w:{side}", val="single", sz="4", color=EDGE))
    for side, twips in PADDING.items():
        air.append(_element(f"w:{side}", w=str(twips), type="dxa"))
    layout.addprevious(lines)
    layout.addnext(air)


def _element(name: str, **attributes: str) -> Any:
    made = OxmlElement(name)
    for key, value in attributes.items():
        made.set(qn(f"w:{key}"), value)
    return made


def _whole(row: _Row, *, head: bool) -> None:
    """Keep a row on one page; a head is repeated on each."""
    kept = row._tr.get_or_add_trPr()
    kept.append(OxmlElement("w:cantSplit"))
    if head:
        kept.append(OxmlElement("w:tblHeader"))


def _shade(cell: Any, head: bool) -> None:
    if head:
        cell.get_or_add_tcPr().append(_element("w:shd", val="clear", fill=GROUND))


def _fill(paragraph: Paragraph, text: str, bold: bool = False) -> None:
    """Write a text, the report's own citations raised, so that no "[1]" of a document is taken for one; a
    citation alone is the head of a line, and stands on it.
    """
    alone = CITED.fullmatch(text)
    for place, piece in enumerate(CITED.split(text)):
        if piece:
            run = paragraph.add_run(f"[{piece}]" if place % 2 else clean(piece))
            run.font.superscript = True if place % 2 and not alone else None
            run.bold = True if bold else None


def clean(text: str) -> str:
    """Text without the control characters that XML does not allow."""
    return UNPRINTABLE.sub("", text) or " "
