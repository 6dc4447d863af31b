"""PDF export."""

import io
from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import escape

import reportlab
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Flowable, Image, Paragraph, SimpleDocTemplate, Spacer, Table

from adapters.export.docx import NO_PICTURES, clean
from adapters.export.outline import Grid, Heading, Part, outline
from adapters.export.outline import Paragraph as Words
from agents.kinds import RunView
from agents.reports.marked import CITED

WIDEST = 440.0
"""Points of a picture: as wide as the text."""
FONT = "Vera"
"""Bitstream Vera comes with ReportLab and has µ, ², · and dashes, which the standard PDF fonts lack in
part.
"""


def pdf(view: RunView, pictures: Mapping[str, bytes] = NO_PICTURES) -> bytes:
    """The report as an A4 document. `pictures` are the files of its figures, by content hash."""
    _register()
    out = io.BytesIO()
    template = SimpleDocTemplate(out, pagesize=A4, title=view.asked[:200], author="Pestle", invariant=1)
    template.build(
        [flowable for part in outline(view) for flowable in (*_picture(part, pictures), *_part(part))]
    )
    return out.getvalue()


def _picture(part: Part, pictures: Mapping[str, bytes]) -> list[Flowable]:
    """The picture that a text tells in words, as wide as the page at most."""
    data = pictures.get(part.picture) if isinstance(part, Words) else None
    if data is None:
        return []
    wide, high = ImageReader(io.BytesIO(data)).getSize()
    scale = min(WIDEST / wide, 1.0)
    return [Image(io.BytesIO(data), wide * scale, high * scale)]


def _register() -> None:
    """Make the font known, once in a process."""
    if FONT in pdfmetrics.getRegisteredFontNames():
        return
    fonts = Path(reportlab.__file__).parent / "fonts"
    for name, file in ((FONT, "Vera.ttf"), (f"{FONT}-Bold", "VeraBd.ttf")):
        pdfmetrics.registerFont(TTFont(name, fonts / file))


def _style(name: str) -> ParagraphStyle:
    """A style of the sample sheet, in our font."""
    base = getSampleStyleSheet()[
        {"": "BodyText", "item": "Bullet", "quote": "BodyText"}.get(name, "BodyText")
    ]
    indent = {"quote": 18, "item": 9}.get(name, 0)
    colour = colors.HexColor("#444444") if name == "quote" else colors.black
    return ParagraphStyle(
        name or "body", base, fontName=FONT, fontSize=9, leftIndent=indent, textColor=colour
    )


def _part(part: Part) -> list[Flowable]:
    """One part of the outline."""
    if isinstance(part, Heading):
        size = {1: 15, 2: 11}.get(part.level, 10)
        style = ParagraphStyle(
            "heading", _style(""), fontName=f"{FONT}-Bold", fontSize=size, leading=size * 1.3, spaceBefore=8
        )
        return [Paragraph(_text(part.text), style)]
    if isinstance(part, Grid):
        cell = ParagraphStyle("cell", _style(""), fontSize=7.5, leading=9)
        rows = [[Paragraph(_text(text), cell) for text in line] for line in (part.columns, *part.rows)]
        grid = Table(rows, repeatRows=1, hAlign="LEFT", style=[("GRID", (0, 0), (-1, -1), 0.4, colors.grey)])
        return [Paragraph(_text(part.title), _style("")), grid, Spacer(1, 6)]
    text = f"<b>{_text(part.text)}</b>" if part.style == "strong" else _text(part.text)
    return [Paragraph(text, _style(part.style))]


def _text(text: str) -> str:
    """Text with its markup characters escaped, the report's own citations raised."""
    escaped = escape(clean(text)).replace("\n", "<br/>")
    return CITED.sub(r"<super>[\1]</super>", escaped)
