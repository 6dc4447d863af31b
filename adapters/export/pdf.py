"""PDF export."""

import io
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from xml.sax.saxutils import escape

import reportlab
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import CondPageBreak, Flowable, Image, Paragraph, SimpleDocTemplate, Spacer, Table

from adapters.export.docx import clean
from adapters.export.outline import outline
from adapters.export.parts import Grid, Heading, Part, widths
from adapters.export.parts import Paragraph as Words
from agents.kinds import RunView
from agents.reports.marked import CITED

TEXT, WIDEST = 451.0, 290.0
"""Points between the margins, and of a picture at most."""
HEADING, ROWS = 90.0, 55.0
"""Points that must be left on a page for a heading with what it heads, and for a table's title with rows."""
FONT = "Vera"
"""Bitstream Vera comes with ReportLab and has µ, ², · and dashes, which the standard PDF fonts lack in
part.
"""


def pdf(view: RunView, pictures: Mapping[str, bytes]) -> bytes:
    """The report as an A4 document. `pictures` are the files of its figures, by content hash."""
    _register()
    out = io.BytesIO()
    template = SimpleDocTemplate(out, pagesize=A4, title=view.asked[:200], author="Pestle", invariant=1)
    template.build(
        [
            flowable
            for part in outline(view)
            for picture in (_picture(part, pictures),)
            for flowable in (*picture, *_part(_captioned(part) if picture else part))
        ],
        onFirstPage=_foot,
        onLaterPages=_foot,
    )
    return out.getvalue()


def _picture(part: Part, pictures: Mapping[str, bytes]) -> list[Flowable]:
    """The picture that a text tells in words, as wide as the page at most."""
    data = pictures.get(part.picture) if isinstance(part, Words) else None
    if data is None:
        return []
    wide, high = ImageReader(io.BytesIO(data)).getSize()
    scale = min(WIDEST / wide, 1.0)
    return [Image(io.BytesIO(data), wide * scale, high * scale, hAlign="LEFT")]


def _captioned(part: Part) -> Part:
    """The short text of a picture that is shown."""
    return replace(part, text=part.alone or part.text) if isinstance(part, Words) else part


def _foot(canvas: Canvas, template: SimpleDocTemplate) -> None:
    """The number of the page."""
    canvas.setFont(FONT, 7.5)
    canvas.drawCentredString(template.pagesize[0] / 2, 28, str(canvas.getPageNumber()))


def _register() -> None:
    """Make the font known, once in a process."""
    if FONT in pdfmetrics.getRegisteredFontNames():
        return
    fonts = Path(reportlab.__file__).parent / "fonts"
    for name, file in ((FONT, "Vera.ttf"), (f"{FONT}-Bold", "VeraBd.ttf")):
        pdfmetrics.registerFont(TTFont(name, fonts / file))
    pdfmetrics.registerFontFamily(
        FONT, normal=FONT, bold=f"{FONT}-Bold", italic=FONT, boldItalic=f"{FONT}-Bold"
    )


def _style(name: str) -> ParagraphStyle:
    """A style of the sample sheet, in our font."""
    base = getSampleStyleSheet()[
        {"": "BodyText", "item": "Bullet", "quote": "BodyText"}.get(name, "BodyText")
    ]
    indent = {"quote": 18, "item": 12}.get(name, 0)
    colour = colors.HexColor("#444444") if name in ("quote", "caption") else colors.black
    size = 7.5 if name == "caption" else 9
    return ParagraphStyle(
        name or "body", base, fontName=FONT, fontSize=size, leftIndent=indent, textColor=colour
    )


def _part(part: Part) -> list[Flowable]:
    """One part of the outline."""
    if isinstance(part, Heading):
        size = {1: 15, 2: 11}.get(part.level, 10)
        bold = f"{FONT}-Bold"
        style = ParagraphStyle(
            "heading",
            _style(""),
            fontName=bold,
            fontSize=size,
            leading=size * 1.3,
            spaceBefore=8,
            keepWithNext=1,
        )
        return [CondPageBreak(HEADING), Paragraph(_text(part.text), style)]
    if isinstance(part, Grid):
        cell = ParagraphStyle("cell", _style(""), fontSize=7.5, leading=9)
        heads = [Paragraph(f"<b>{_text(text)}</b>", cell) for text in part.columns]
        rows = [heads, *([Paragraph(_text(text), cell) for text in line] for line in part.rows)]
        style = [
            ("GRID", (0, 0), (-1, -1), 0.4, colors.grey),
            ("BACKGROUND", (0, 0), (-1, 0), colors.HexColor("#e8eef5")),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ]
        wide = [TEXT * share for share in widths(part)]
        grid = Table(rows, colWidths=wide, repeatRows=1, hAlign="LEFT", style=style)
        title: list[Flowable] = []
        if part.title:
            title = [CondPageBreak(ROWS), Paragraph(f"<b>{_text(part.title)}</b>", _style(""))]
        return [*title, Spacer(1, 3), grid, Spacer(1, 6)]
    text = f"<b>{_text(part.text)}</b>" if part.style == "strong" else _text(part.text)
    return [Paragraph(text, _style(part.style), bulletText="•" if part.style == "item" else None)]


def _text(text: str) -> str:
    """Text with its markup characters escaped, the report's own citations raised."""
    escaped = escape(clean(text)).replace("\n", "<br/>")
    return CITED.sub(r'<super rise="2.5" size="5.5">[\1]</super>', escaped)
