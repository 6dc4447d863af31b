"""Documents made by the tests, with the libraries that write such files."""

import io
from collections.abc import Sequence
from pathlib import Path

import docx
import openpyxl
import pptx
from PIL import Image, ImageDraw, ImageFont
from pptx.util import Inches
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Table

Rows = Sequence[Sequence[str]]
LEFT, TOP = 72, 770
DOSES = (("Group", "Dose (mg/kg)", "Animals"), ("1", "0", "6"), ("2", "30", "6"), ("3", "100", "5"))


def sheet(path: Path) -> Canvas:
    """A canvas of A4 pages, uncompressed dates and ids left out so that a file is always the same."""
    return Canvas(str(path), pagesize=A4, invariant=1)


def write(canvas: Canvas, text: str, y: float, x: float = LEFT, size: float = 10, bold: bool = False) -> None:
    canvas.setFont("Helvetica-Bold" if bold else "Helvetica", size)
    canvas.drawString(x, y, text)


def ruled(canvas: Canvas, rows: Rows, y: float, style: Sequence[tuple[object, ...]] = ()) -> None:
    """A table with rules whose upper edge is at `y`."""
    table = Table([list(row) for row in rows], style=[("GRID", (0, 0), (-1, -1), 0.5, colors.black), *style])
    _, height = table.wrapOn(canvas, 450, 700)
    table.drawOn(canvas, LEFT, y - height)


def unruled(canvas: Canvas, rows: Rows, y: float, columns: Sequence[float], pitch: float = 14) -> None:
    """Text aligned at `columns`, without rules."""
    for number, row in enumerate(rows):
        for x, text in zip(columns, row, strict=True):
            if text:
                write(canvas, text, y - number * pitch, x)


def prose(canvas: Canvas, y: float, count: int = 3, words: str = "The animals were observed daily") -> None:
    for number in range(count):
        write(canvas, f"{words} and nothing unusual was seen in line {number + 1} of it.", y - 13 * number)


def report(path: Path) -> Path:
    """A one-page report: title, heading, prose, items and a ruled table under its caption."""
    canvas = sheet(path)
    write(canvas, "Toxicity of the Test Article in Rats", TOP, size=18, bold=True)
    write(canvas, "1. Study Design", TOP - 50, size=13, bold=True)
    prose(canvas, TOP - 80)
    write(canvas, "• Species: Rat", TOP - 140)
    write(canvas, "• Route: oral gavage", TOP - 155)
    write(canvas, "Table 1. Doses and animals.", TOP - 190)
    ruled(canvas, DOSES, TOP - 200)
    canvas.save()
    return path


def picture(text: str, size: tuple[int, int] = (1240, 1754)) -> Image.Image:
    """A page as a scanner sees it."""
    image = Image.new("L", size, 255)
    draw = ImageDraw.Draw(image)
    for number, line in enumerate(text.splitlines()):
        draw.text((120, 160 + 70 * number), line, fill=0, font=ImageFont.load_default(40))
    return image


def scan(path: Path, pages: Sequence[str], written: int = 0) -> Path:
    """A PDF of `written` pages with a text layer, then one scanned page for each text."""
    canvas = sheet(path)
    for number in range(written):
        prose(canvas, TOP, words=f"On page {number + 1} it is told that the animals were observed")
        canvas.showPage()
    for text in pages:
        out = io.BytesIO()
        picture(text).save(out, "PNG")
        out.seek(0)
        canvas.drawImage(ImageReader(out), 0, 0, *A4)
        canvas.showPage()
    canvas.save()
    return path


def word(path: Path) -> Path:
    """A Word report."""
    document = docx.Document()
    document.core_properties.title = "Toxicity in Rats"
    document.add_heading("Toxicity in Rats", 0)
    document.add_heading("Study Design", 1)
    document.add_paragraph("Rats were dosed once | daily for 28 days.")
    document.add_paragraph("Species: Rat", style="List Bullet")
    document.add_paragraph("Route: oral", style="List Number")
    document.add_paragraph("Table 1. Doses and animals.")
    table = document.add_table(rows=0, cols=3)
    for row in DOSES:
        for cell, text in zip(table.add_row().cells, row, strict=True):
            cell.text = text
    document.add_paragraph("All animals survived.")
    document.save(str(path))
    return path


def book(path: Path) -> Path:
    """A workbook of two sheets; the first has a title line."""
    made = openpyxl.Workbook()
    first = made.active
    first.title = "Doses"
    first.append(["Table 1. Doses and animals."])
    first.append(["Group", "Dose (mg/kg)", "Animals"])
    for row in ((1, 0, 6), (2, 30.0, 6), (3, 0.5, 5)):
        first.append(row)
    made.create_sheet("Dates").append(["Dosing", "2016-12-07"])
    made.save(path)
    return path


def deck(path: Path) -> Path:
    """Two slides: items and notes, then a table."""
    made = pptx.Presentation()
    slide = made.slides.add_slide(made.slide_layouts[1])
    slide.shapes.title.text = "Portfolio"
    slide.placeholders[1].text = "First in human in 2020\nPhase 2 planned"
    slide.notes_slide.notes_text_frame.text = "Ask the team."
    slide = made.slides.add_slide(made.slide_layouts[5])
    slide.shapes.title.text = "Doses"
    table = slide.shapes.add_table(len(DOSES), 3, Inches(1), Inches(2), Inches(6), Inches(2)).table
    for number, row in enumerate(DOSES):
        for place, text in enumerate(row):
            table.cell(number, place).text = text
    made.save(str(path))
    return path
