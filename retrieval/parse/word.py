"""DOCX: headings by style, paragraphs, lists, tables, running headers and footnotes, in reading order."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docx
from docx.oxml import parse_xml
from docx.oxml.ns import qn

from retrieval.parse.blocks import Block, Heading, Item, Paragraph, Table, render
from retrieval.parse.container import check_container, properties
from retrieval.parse.limits import Limits, check
from retrieval.parse.raised import raised
from retrieval.parse.spans import flatten, header_depth
from retrieval.ports import OcrEngine
from retrieval.values import ParsedFile

HEADING_STYLE = re.compile(r"(?:heading|überschrift|titre|título)\s*(\d)", re.IGNORECASE)
BREAKS = {qn("w:tab"): "\t", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-"}
SKIPPED = (
    qn("w:del"),
    qn("w:moveFrom"),
    "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback",
)
FOOTNOTES = "/footnotes"


def parse_docx(path: Path, ocr: OcrEngine | None, limits: Limits) -> ParsedFile:
    """Canonical text of a DOCX file. Deleted text of tracked changes is left out, inserted text kept."""
    check_container(path, "wordprocessingml", limits)
    document = docx.Document(str(path))
    reader = _WordReader(document, limits)
    text, _ = render([*reader.running_headers(), *reader.body(), *reader.footnotes()])
    return ParsedFile(text=text, metadata=properties(document.core_properties))


class _WordReader:
    """Walks the XML of one document; python-docx itself passes over content controls and insertions."""

    def __init__(self, document: Any, limits: Limits) -> None:
        self.document = document
        self.limits = limits
        self.rows = 0
        self.styles = {style.style_id: str(style.name or "") for style in document.styles}
        opening = document.element.body.findall(qn("w:p"))[:30]
        self.has_title = any(self._style(element) == "Title" for element in opening)

    def running_headers(self) -> Iterator[Block]:
        """The text of running headers and footers, once each, without page numbers."""
        seen = set()
        for section in self.document.sections:
            for part in (section.header, section.footer):
                for paragraph in () if part.is_linked_to_previous else part._element.iter(qn("w:p")):
                    line = text_of(paragraph)
                    if re.search(r"[^\W\d_]{4}", line) and line not in seen:
                        seen.add(line)
                        yield Paragraph(line)

    def body(self) -> Iterator[Block]:
        yield from self._blocks(self.document.element.body)

    def footnotes(self) -> Iterator[Block]:
        for relation in self.document.part.rels.values():
            if relation.reltype.endswith(FOOTNOTES) and not relation.is_external:
                for note in parse_xml(relation.target_part.blob).iter(qn("w:footnote")):
                    yield Paragraph("\n".join(text_of(paragraph) for paragraph in note.iter(qn("w:p"))))

    def _blocks(self, parent: Any) -> Iterator[Block]:
        for element in parent:
            if element.tag == qn("w:p"):
                yield self._paragraph(element)
            elif element.tag == qn("w:tbl"):
                yield self._table(element)
            elif element.tag == qn("w:sdt"):
                for content in element.findall(qn("w:sdtContent")):
                    yield from self._blocks(content)
            elif element.tag == qn("w:ins"):
                yield from self._blocks(element)

    def _paragraph(self, element: Any) -> Block:
        text = text_of(element)
        style = self._style(element)
        if level := self._heading_level(element, style):
            return Heading(level, text)
        numbering = element.find(f"{qn('w:pPr')}/{qn('w:numPr')}")
        if numbering is not None or style.lower().startswith("list "):
            depth = numbering.find(qn("w:ilvl")) if numbering is not None else None
            return Item(text, int(depth.get(qn("w:val"), 0)) if depth is not None else 0)
        return Paragraph(text)

    def _style(self, element: Any) -> str:
        found = element.find(f"{qn('w:pPr')}/{qn('w:pStyle')}")
        return self.styles.get(found.get(qn("w:val")), "") if found is not None else ""

    def _heading_level(self, element: Any, style: str) -> int:
        """1 to 6 for headings (Word's Heading 1 lies under the title), 0 for other paragraphs."""
        if style == "Title":
            return 1
        if found := HEADING_STYLE.match(style):
            return min(int(found[1]) + self.has_title, 6)
        outline = element.find(f"{qn('w:pPr')}/{qn('w:outlineLvl')}")
        level = int(outline.get(qn("w:val"), 9)) if outline is not None else 9
        return min(level + 1 + self.has_title, 6) if level < 9 else 0

    def _table(self, element: Any) -> Table:
        texts: list[list[str]] = []
        spans: list[list[int]] = []
        marked = 0
        for row in element.iter(qn("w:tr")):
            if next(row.iterancestors(qn("w:tbl"))) is not element:
                continue
            self.rows += 1
            check(self.rows, self.limits.table_rows, "The document's tables", "rows")
            self._row(row, texts, spans)
            repeated = row.find(f"{qn('w:trPr')}/{qn('w:tblHeader')}") is not None
            marked += repeated and marked == len(texts) - 1
        depth = marked if 0 < marked < len(texts) else header_depth(spans)
        return flatten(texts, depth)

    def _row(self, row: Any, texts: list[list[str]], spans: list[list[int]]) -> None:
        """Add a row in which a spanning cell stands in each of its columns, and in the rows it reaches to."""
        line: list[str] = []
        numbers: list[int] = []
        for cell in row.findall(qn("w:tc")):
            width = _span(cell)
            merge = cell.find(f"{qn('w:tcPr')}/{qn('w:vMerge')}")
            down = merge is not None and merge.get(qn("w:val")) != "restart" and bool(texts)
            at = len(line)
            if down and at < len(texts[-1]):
                text, number = texts[-1][at], spans[-1][at]
            else:
                paragraphs = (text_of(paragraph) for paragraph in cell.iter(qn("w:p")))
                text, number = " ".join(filter(None, paragraphs)), len(texts) * 1000 + at
            line += [text] * width
            numbers += [number] * width
        texts.append(line)
        spans.append(numbers)


def _span(cell: Any) -> int:
    found = cell.find(f"{qn('w:tcPr')}/{qn('w:gridSpan')}")
    return min(max(int(found.get(qn("w:val"), 1)), 1), 100) if found is not None else 1


def text_of(paragraph: Any) -> str:
    """Characters of a paragraph with its tabs and line breaks; nested paragraphs of text boxes included."""
    text = ""
    for part, high in _runs(paragraph):
        text += raised(part, text) if high else part
    return text.strip()


def _runs(element: Any, high: bool = False) -> Iterator[tuple[str, bool]]:
    """(characters, whether they are raised) in order."""
    for child in element:
        if child.tag in SKIPPED or child.tag == qn("w:pPr"):
            continue
        if child.tag == qn("w:t"):
            yield child.text or "", high
        elif child.tag in BREAKS:
            yield BREAKS[child.tag], False
        elif child.tag == qn("w:p"):
            yield "\n", False
            yield from _runs(child)
        elif child.tag == qn("w:r"):
            yield from _runs(child, _is_raised(child))
        else:
            yield from _runs(child, high)


def _is_raised(run: Any) -> bool:
    """Whether a run is set as superscript."""
    found = run.find(f"{qn('w:rPr')}/{qn('w:vertAlign')}")
    return found is not None and found.get(qn("w:val")) == "superscript"
