"""Parts of a document that a tool is asked for: a page, a section, a stretch, or its tables."""

from collections.abc import Iterator
from itertools import groupby

from agents.archive.tools import LoadedDocument
from agents.errors import ToolRetry
from retrieval.values import Document, Passage

HEADINGS_TOLD = 40


def part_of(
    opened: LoadedDocument, page: int | None, section: str, start: int, end: int | None
) -> tuple[int, int]:
    """Offsets of the part that is asked for. Raises `ToolRetry` that says what there is."""
    document = opened.document
    if page is not None:
        return page_of(document, page)
    if section:
        return section_of(opened, section)
    length = len(document.text)
    last = min(end or length, length)
    if start >= last:
        raise ToolRetry(
            f"{document.record.doc_id} has {length} characters; start must be less than that and than end."
        )
    return start, last


def page_of(document: Document, number: int) -> tuple[int, int]:
    """Offsets of a page. Raises `ToolRetry`."""
    for page in document.pages:
        if page.number == number and page.end > page.start:
            return page.start, page.end
    if not document.pages:
        raise ToolRetry(f"{document.record.doc_id} has no pages; ask for a section or an offset.")
    raise ToolRetry(f"{document.record.doc_id} has no text on page {number} of {len(document.pages)}.")


def section_of(opened: LoadedDocument, heading: str) -> tuple[int, int]:
    """Offsets of a section with its sub-sections: one headed so, or else the first whose heading has these
    words.

    Raises `ToolRetry` that names the headings there are.
    """
    wanted = " ".join(heading.lower().split())
    sections = [passage.section for passage in opened.passages if passage.section]
    named = [path for path in sections if path[-1].lower() == wanted]
    holding = [path for path in sections if wanted in path[-1].lower()]
    if not (chosen := [*named, *holding][:1]):
        headings = list(dict.fromkeys(path[-1] for path in sections))[:HEADINGS_TOLD]
        raise ToolRetry(
            f"{opened.document.record.doc_id} has no section {heading!r}. Headings: {'; '.join(headings)}."
        )
    path = chosen[0]
    first = next(i for i, passage in enumerate(opened.passages) if passage.section == path)
    last = first
    while last + 1 < len(opened.passages) and opened.passages[last + 1].section[: len(path)] == path:
        last += 1
    return opened.passages[first].start, opened.passages[last].end


def tables_of(opened: LoadedDocument) -> Iterator[Passage]:
    """The tables of a document, each as one passage: its caption, if that stands above it, heads and rows."""
    numbered = enumerate(opened.passages)
    for heads, run in groupby(numbered, key=lambda pair: pair[1].row and pair[1].row.header):
        rows = list(run)
        if heads is None:
            continue
        above = opened.passages[rows[0][0] - 1] if rows[0][0] else None
        first, last = rows[0][1], rows[-1][1]
        captioned = above and first.row and " ".join(above.text.split()) in first.row.caption
        start = above.start if above and captioned else first.start
        text = opened.document.text[start : last.end]
        yield Passage(
            first.doc_id, start, last.end, text, section=first.section, page=first.page, row=first.row
        )
