"""PPTX: each slide is a page with its title, texts, tables, chart data and notes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE

from retrieval.parse.blocks import Block, Heading, Item, PageBreak, Paragraph, Table, render
from retrieval.parse.container import check_container, properties
from retrieval.parse.limits import Limits, check
from retrieval.parse.raised import raised
from retrieval.parse.spans import flatten, header_depth
from retrieval.ports import OcrEngine
from retrieval.values import ParsedFile


def parse_pptx(path: Path, ocr: OcrEngine | None, limits: Limits) -> ParsedFile:
    """Canonical text of a PPTX file. A slide that holds only pictures is reported."""
    check_container(path, "presentationml", limits)
    deck = Presentation(str(path))
    check(len(deck.slides), limits.pages, path.name, "slides")
    blocks: list[Block] = []
    warnings = []
    for number, slide in enumerate(deck.slides, 1):
        content = list(_slide(slide))
        if not content and any(shape.shape_type == MSO_SHAPE_TYPE.PICTURE for shape in _shapes(slide.shapes)):
            warnings.append(f"Slide {number} holds only pictures and was not read; add its text as notes.")
        blocks += [PageBreak(number), *content]
    text, pages = render(blocks)
    return ParsedFile(text, pages, properties(deck.core_properties), tuple(warnings))


def _slide(slide: Any) -> Iterator[Block]:
    title = slide.shapes.title
    if title is not None and title.has_text_frame and title.text_frame.text.strip():
        yield Heading(2, title.text_frame.text)
    for shape in _shapes(slide.shapes):
        if title is None or shape.shape_id != title.shape_id:
            yield from _shape(shape)
    notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    if notes is not None and notes.text.strip():
        yield Paragraph(f"Notes: {notes.text.strip()}")


def _shapes(shapes: Any) -> Iterator[Any]:
    """Shapes from top to bottom and left to right, those of groups included."""
    for shape in sorted(shapes, key=lambda shape: (shape.top or 0, shape.left or 0)):
        if shape.shape_type == MSO_SHAPE_TYPE.GROUP:
            yield from _shapes(shape.shapes)
        else:
            yield shape


def _shape(shape: Any) -> Iterator[Block]:
    if shape.has_text_frame:
        yield from _texts(shape)
    elif getattr(shape, "has_table", False):
        yield _table(shape.table)
    elif getattr(shape, "has_chart", False):
        yield from _chart(shape.chart)


def _texts(shape: Any) -> Iterator[Block]:
    """Paragraphs of a text; items where the shape is a body placeholder, which is shown with bullets."""
    paragraphs = [paragraph for paragraph in shape.text_frame.paragraphs if paragraph.text.strip()]
    bulleted = shape.is_placeholder and len(paragraphs) > 1
    for paragraph in paragraphs:
        text = _text(paragraph)
        yield Item(text, paragraph.level) if bulleted or paragraph.level else Paragraph(text)


def _text(paragraph: Any) -> str:
    """Characters of a paragraph with its line breaks; powers and notes raised."""
    text = ""
    for run in paragraph._p.content_children:
        properties = getattr(run, "rPr", None)
        high = properties is not None and properties.get("baseline", "0")[:1] not in "-0"
        text += raised(run.text, text) if high else run.text
    return text.replace("\v", "\n")


def _table(table: Any) -> Table:
    texts: list[list[str]] = []
    numbers: list[list[int]] = []
    for i, row in enumerate(table.rows):
        texts.append([])
        numbers.append([])
        for j, cell in enumerate(row.cells):
            across, down = _origin(table, i, j) if cell.is_spanned else (i, j)
            paragraphs = table.cell(across, down).text_frame.paragraphs
            texts[-1].append("\n".join(map(_text, paragraphs)))
            numbers[-1].append(across * 1000 + down)
    return flatten(texts, header_depth(numbers))


def _origin(table: Any, row: int, column: int) -> tuple[int, int]:
    """Where the merged cell begins that covers this place."""
    for i in range(row, -1, -1):
        for j in range(column, -1, -1):
            cell = table.cell(i, j)
            if cell.is_merge_origin and i + cell.span_height > row and j + cell.span_width > column:
                return i, j
    return row, column


def _chart(chart: Any) -> Iterator[Block]:
    """The numbers behind a chart, a row per category."""
    if chart.has_title and chart.chart_title.has_text_frame:
        yield Paragraph(chart.chart_title.text_frame.text)
    for plot in chart.plots:
        series = list(plot.series)
        categories = [str(category) for category in plot.categories]
        rows = [
            (category, *(_number(one.values, i) for one in series)) for i, category in enumerate(categories)
        ]
        yield Table(("", *(one.name or "" for one in series)), tuple(rows))


def _number(values: Any, i: int) -> str:
    value = values[i] if i < len(values) else None
    return "" if value is None else f"{value:.15g}"
