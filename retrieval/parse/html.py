"""HTML: headings, paragraphs, lists and tables; nothing is fetched or run."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, Comment, Tag
from bs4.element import NavigableString

from retrieval.errors import CorruptDocument
from retrieval.parse.blocks import Block, Heading, Item, Paragraph, Table, render
from retrieval.parse.limits import Limits, check
from retrieval.parse.plain import check_text
from retrieval.parse.raised import raised
from retrieval.parse.spans import flatten, header_depth
from retrieval.ports import OcrEngine
from retrieval.text.listed import words
from retrieval.values import ParsedFile

DROPPED = tuple(words("script style noscript template nav svg iframe object button input select"))
HEADINGS = {f"h{level}": level for level in range(1, 7)}
BLOCKS = words("""
    address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer form
    h1 h2 h3 h4 h5 h6 header hr html li main ol p pre section summary table ul
""")
APART = BLOCKS | {"td", "th", "tr"}
METADATA = ("author", "date", "dc.date", "dcterms.created", "keywords", "description")
WIDEST_SPAN = 100


def parse_html(path: Path, ocr: OcrEngine | None, limits: Limits) -> ParsedFile:
    """Canonical text of an HTML file; its title and meta tags become metadata."""
    data = path.read_bytes()
    check_text(data, path.name)
    check(data.count(b"<"), limits.html_tags, path.name, "tags")
    soup = BeautifulSoup(data, "lxml")
    metadata = _metadata(soup)
    text = _text(soup, limits)
    if not text:
        raise CorruptDocument(f"{path.name} holds no text. Save the page with its content and try again.")
    return ParsedFile(text=text, metadata=metadata)


def html_text(data: bytes, name: str, limits: Limits) -> str:
    """Canonical text of HTML that stands in another file, such as a mail; "" where there is none."""
    check_text(data, name)
    check(data.count(b"<"), limits.html_tags, name, "tags")
    return _text(BeautifulSoup(data, "lxml"), limits)


def _text(soup: BeautifulSoup, limits: Limits) -> str:
    for tag in soup(DROPPED):
        tag.decompose()
    for comment in soup.find_all(string=lambda string: isinstance(string, Comment)):
        comment.extract()
    text, _ = render(_blocks(soup.body or soup, limits))
    return text


def _metadata(soup: BeautifulSoup) -> dict[str, object]:
    found: dict[str, object] = {}
    if soup.title and (title := soup.title.get_text(" ", strip=True)):
        found["title"] = title
    for tag in soup.find_all("meta"):
        name, content = str(tag.get("name", "")).lower(), str(tag.get("content", "")).strip()
        if name in METADATA and content:
            found[name] = content
    return found


def _blocks(parent: Any, limits: Limits, depth: int = -1) -> Iterator[Block]:
    """Blocks of an element; loose text between block elements becomes paragraphs."""
    loose: list[str] = []
    for child in parent.children:
        if isinstance(child, Tag) and (child.name in BLOCKS or child.find(BLOCKS) is not None):
            yield Paragraph("".join(loose))
            loose = []
            yield from _element(child, limits, depth)
        else:
            loose.append(_part(child, "".join(loose[-1:])))
    yield Paragraph("".join(loose))


def _element(tag: Tag, limits: Limits, depth: int) -> Iterator[Block]:
    if tag.name in HEADINGS:
        yield Heading(HEADINGS[tag.name], _line(tag))
    elif tag.name == "table":
        yield from _table(tag, limits)
    elif tag.name in ("ul", "ol"):
        yield from _blocks(tag, limits, depth + 1)
    elif tag.name == "li":
        yield from _item(tag, limits, max(depth, 0))
    elif tag.name == "pre":
        yield Paragraph(tag.get_text())
    else:
        yield from _blocks(tag, limits, depth)


def _item(tag: Tag, limits: Limits, depth: int) -> Iterator[Block]:
    """A list item: its first paragraph, then what is nested in it."""
    first, *rest = [block for block in _blocks(tag, limits, depth) if block != Paragraph("")] or [
        Paragraph("")
    ]
    yield Item(first.text, depth) if isinstance(first, Paragraph) else first
    yield from rest


def _inline(node: Any) -> str:
    """Text of inline content: white space as HTML shows it, `<br>` as a line break, powers and notes raised.

    Blocks within it, as cells have them, are set apart by blanks.
    """
    if isinstance(node, NavigableString):
        return " ".join(("x" + str(node) + "x").split())[1:-1]
    if node.name == "br":
        return "\n"
    text = ""
    for child in node.children:
        text += _part(child, text)
    return f" {text} " if node.name in APART else text


def _part(node: Any, before: str) -> str:
    """Text of inline content behind other text of its line."""
    return raised(_inline(node), before) if node.name == "sup" else _inline(node)


def _line(tag: Tag) -> str:
    """Text of an element in one line."""
    return " ".join(_inline(tag).split())


def _table(tag: Tag, limits: Limits) -> Iterator[Block]:
    """A table with its caption; spanning cells stand at each place that they cover."""
    if tag.caption:
        yield Paragraph(_line(tag.caption))
    rows = [row for row in tag.find_all("tr") if row.find_parent("table") is tag]
    check(len(rows), limits.table_rows, "The page's table", "rows")
    texts: list[list[str]] = []
    numbers: list[list[int]] = []
    reaching: dict[tuple[int, int], tuple[str, int]] = {}
    for i, row in enumerate(rows):
        _place(row, i, reaching)
        width = max((column for line, column in reaching if line == i), default=-1) + 1
        cells = [reaching.pop((i, column), ("", -1)) for column in range(width)]
        texts.append([text for text, _ in cells])
        numbers.append([number for _, number in cells])
    if texts:
        yield flatten(texts, _header_rows(rows, numbers)) if _has_header(rows) else _bare(texts)


def _place(row: Tag, i: int, places: dict[tuple[int, int], tuple[str, int]]) -> None:
    """Put the cells of row `i` at their places, in this row and the rows that they reach down to."""
    column = 0
    for cell in row.find_all(("td", "th"), recursive=False):
        while (i, column) in places:
            column += 1
        content = _line(cell)
        for down in range(_span(cell, "rowspan")):
            for across in range(_span(cell, "colspan")):
                places.setdefault((i + down, column + across), (content, i * 1000 + column))
        column += _span(cell, "colspan")


def _span(cell: Tag, name: str) -> int:
    value = str(cell.get(name, "1"))
    return min(max(int(value), 1), WIDEST_SPAN) if value.isdecimal() else 1


def _has_header(rows: list[Tag]) -> bool:
    """Whether the first row is one of column names: not where only its first cell is a heading cell."""
    cells = rows[0].find_all(("td", "th"), recursive=False)
    return [cell.name for cell in cells] != ["th", *["td"] * (len(cells) - 1)]


def _header_rows(rows: list[Tag], numbers: list[list[int]]) -> int:
    """Rows of `<thead>`, or of heading cells alone, or as the spans show."""
    marked = 0
    for row in rows:
        only_names = row.find("td", recursive=False) is None and row.find("th", recursive=False) is not None
        if row.find_parent("thead") is None and not only_names:
            break
        marked += 1
    return marked if 0 < marked < len(rows) else header_depth(numbers)


def _bare(texts: list[list[str]]) -> Table:
    return Table(("",) * max(map(len, texts)), tuple(map(tuple, texts)))
