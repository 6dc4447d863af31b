"""HTML: headings, paragraphs, lists and tables; scripts, styles and navigation are dropped."""

from collections.abc import Iterator
from pathlib import Path

from bs4 import BeautifulSoup
from bs4.element import Comment, NavigableString, Tag

from retrieval.models import ParsedFile
from retrieval.parse.guard import damaged
from retrieval.parse.limits import Limits
from retrieval.parse.tables import cell, pipe_table
from retrieval.parse.text import decoded

DROPPED = ("script", "style", "nav", "noscript", "template", "iframe", "object", "svg", "form")
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
BLOCKS = (*HEADINGS, "p", "table", "ul", "ol", "pre", "blockquote", "div", "section", "article", "main", "dl")


def parse_html(path: Path, limits: Limits) -> ParsedFile:
    """A page. Nothing is fetched or run."""
    with damaged():
        soup = BeautifulSoup(decoded(path.read_bytes()), "lxml")
        title = cell(soup.title.get_text()) if soup.title else ""
        for tag in soup(DROPPED):
            tag.decompose()
        parts = [part for part in _parts(soup.body or soup) if part]
    return ParsedFile("\n\n".join(parts) + "\n", metadata={"title": title} if title else {})


def _parts(parent: Tag) -> Iterator[str]:
    """Blocks in order; loose text between them is a paragraph."""
    loose: list[str] = []
    for child in parent.children:
        if isinstance(child, Tag) and (child.name in BLOCKS or child.find(BLOCKS)):
            yield cell(" ".join(loose))
            loose = []
            yield from _block(child)
        elif isinstance(child, Tag):
            loose.append(child.get_text(" "))
        elif isinstance(child, NavigableString) and not isinstance(child, Comment):
            loose.append(str(child))
    yield cell(" ".join(loose))


def _block(tag: Tag) -> Iterator[str]:
    """One block."""
    if tag.name in HEADINGS:
        yield f"{'#' * int(tag.name[1])} {cell(tag.get_text(' '))}"
    elif tag.name == "table":
        if tag.caption:
            yield cell(tag.caption.get_text(" "))
        rows = [[c.get_text(" ") for c in row.find_all(["th", "td"])] for row in tag.find_all("tr")]
        yield pipe_table(rows)
    elif tag.name in ("ul", "ol"):
        yield "\n".join(f"- {cell(item.get_text(' '))}" for item in tag.find_all("li", recursive=False))
    elif tag.name in ("p", "pre"):
        yield cell(tag.get_text(" "))
    else:
        yield from _parts(tag)
