"""Word and PowerPoint: headings, paragraphs, lists and tables in reading order."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import docx
import pptx
from docx.table import Table as WordTable
from docx.text.paragraph import Paragraph as WordParagraph

from retrieval.models import Page, ParsedFile
from retrieval.parse.guard import damaged
from retrieval.parse.limits import Limits, check_package
from retrieval.parse.tables import cell, pipe_table


def parse_docx(path: Path, limits: Limits) -> ParsedFile:
    """A Word document."""
    check_package(path, limits)
    with damaged():
        document = docx.Document(str(path))
        text = "\n\n".join(part for part in _word_parts(document) if part)
        return ParsedFile(text + "\n", metadata=_properties(document.core_properties))


def _word_parts(document: Any) -> Iterator[str]:
    """Blocks in order; consecutive list items stay together."""
    items: list[str] = []
    for block in document.iter_inner_content():
        item = _item(block)
        if item:
            items.append(item)
            continue
        if items:
            yield "\n".join(items)
            items = []
        yield _table(block) if isinstance(block, WordTable) else _paragraph(block)
    yield "\n".join(items)


def _item(block: Any) -> str:
    """A list item, or ""."""
    if not isinstance(block, WordParagraph) or not block.text.strip():
        return ""
    name = (block.style.name or "").lower() if block.style else ""
    numbered = block._p.pPr is not None and block._p.pPr.numPr is not None
    listed = name.startswith("list") or numbered
    return f"- {cell(block.text)}" if listed and not name.startswith(("heading", "title")) else ""


def _paragraph(block: WordParagraph) -> str:
    """A paragraph, or a heading of its level."""
    text = " ".join(block.text.split())
    name = (block.style.name or "").lower() if block.style else ""
    if not text or not name.startswith(("heading", "title")):
        return text
    digits = "".join(filter(str.isdigit, name))
    return f"{'#' * min(6, int(digits or 1))} {text}"


def _table(block: WordTable) -> str:
    """A table; a merged cell is read once, where it begins."""
    rows = []
    for row in block.rows:
        seen: set[int] = set()
        cells = []
        for found in row.cells:
            cells.append("" if id(found._tc) in seen else found.text)
            seen.add(id(found._tc))
        rows.append(cells)
    return pipe_table(rows)


def parse_pptx(path: Path, limits: Limits) -> ParsedFile:
    """A presentation: each slide is a page, its title a heading, its notes at its end."""
    check_package(path, limits)
    with damaged():
        deck = pptx.Presentation(str(path))
        texts = ["\n\n".join(part for part in _slide_parts(slide) if part) + "\n\n" for slide in deck.slides]
        return paged(texts, _properties(deck.core_properties))


def _slide_parts(slide: Any) -> Iterator[str]:
    """Title, shapes top to bottom, notes."""
    title = slide.shapes.title
    if title is not None and title.has_text_frame and title.text_frame.text.strip():
        yield f"## {cell(title.text_frame.text)}"
    shapes = [shape for shape in slide.shapes if title is None or shape.shape_id != title.shape_id]
    for shape in sorted(shapes, key=lambda shape: (shape.top or 0, shape.left or 0)):
        yield from _shape(shape)
    if slide.has_notes_slide and (notes := slide.notes_slide.notes_text_frame) and notes.text.strip():
        yield f"Notes: {cell(notes.text)}"


def _shape(shape: Any) -> Iterator[str]:
    """The text of a shape: a table, a group, or paragraphs as items."""
    if shape.has_table if hasattr(shape, "has_table") else False:
        yield pipe_table([[found.text for found in row.cells] for row in shape.table.rows])
    elif hasattr(shape, "shapes"):
        for inner in shape.shapes:
            yield from _shape(inner)
    elif shape.has_text_frame:
        lines = [cell(paragraph.text) for paragraph in shape.text_frame.paragraphs if paragraph.text.strip()]
        yield lines[0] if len(lines) == 1 else "\n".join(f"- {line}" for line in lines)


def paged(texts: Sequence[str], metadata: Mapping[str, object], warnings: tuple[str, ...] = ()) -> ParsedFile:
    """Pages joined to one text with its page map."""
    pages, start = [], 0
    for number, text in enumerate(texts, 1):
        pages.append(Page(number, start, start + len(text)))
        start += len(text)
    return ParsedFile("".join(texts), tuple(pages), metadata, warnings)


def _properties(found: Any) -> dict[str, object]:
    """Title and author. Dates of creation are those of a template as often as not, and are left out."""
    named = {"title": found.title, "author": found.author}
    return {key: value for key, value in named.items() if value}
