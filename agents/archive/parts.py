"""Parts of a document that a tool is asked for: a page, a section, a stretch, or its tables."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from rapidfuzz import fuzz, process

from agents.archive.tools import ArchiveTools, LoadedDocument
from agents.errors import ToolRetry
from retrieval.values import Document, DocumentRecord, Filters, Passage, PassageKind

HEADINGS_TOLD = 40
SUFFIX = re.compile(r"\.\w{2,8}$")
NEAR = 70
"""Likeness, of at most 100, from which a heading is taken for the one that was meant."""
NUMBER = re.compile(
    r"\s*(?:section|chapter|part|sect\.|§)?\s*((?:\d{1,2}|[A-Z](?=\.?\d))(?:[.-]\d{1,2}){0,4}\.?)(?=[\s:)]|$)[:)]?",
    re.I,
)
"""The number of a section before its name."""


def part_of(
    opened: LoadedDocument, page: int | None, section: str, start: int, end: int | None
) -> tuple[int, int, str]:
    """Offsets of the part that is asked for, and the heading of a section. Raises `ToolRetry` that says what
    there is.
    """
    document = opened.document
    if page is not None:
        return *page_of(document, page), ""
    if section.strip():
        return section_of(opened, section)
    length = len(document.text)
    last = min(end or length, length)
    if start >= last:
        raise ToolRetry(
            f"{document.record.doc_id} has {length} characters; start must be less than that and than end."
        )
    return start, last, ""


async def open_document(archive: ArchiveTools, doc_id: str) -> LoadedDocument | None:
    """A document, its id in any spelling; None for one that there is not."""
    opened = await archive.documents.open(archive.index, doc_id)
    if opened is None and (meant := near_document(doc_id, await archive.index.records(Filters()))):
        return await archive.documents.open(archive.index, meant)
    return opened


def near_document(asked: str, records: Iterable[DocumentRecord]) -> str:
    """The id of the only document whose id, path, title or study's number is `asked`, but for case, blanks,
    punctuation and a file's suffix; "" where there is none, or several.
    """
    wanted = {_letters(asked), _letters(SUFFIX.sub("", asked))} - {""}
    found = {
        record.doc_id
        for record in records
        if wanted & set(map(_letters, (record.doc_id, record.path, record.title, record.study_id)))
    }
    return found.pop() if len(found) == 1 else ""


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def page_of(document: Document, number: int) -> tuple[int, int]:
    """Offsets of a page. Raises `ToolRetry`."""
    for page in document.pages:
        if page.number == number and page.end > page.start:
            return page.start, page.end
    if not document.pages:
        raise ToolRetry(f"{document.record.doc_id} has no pages; ask for a section or an offset.")
    raise ToolRetry(f"{document.record.doc_id} has no text on page {number} of {len(document.pages)}.")


def pieces_of(text: str, most: int) -> list[tuple[int, int]]:
    """Offsets of the pieces in which a text without pages is read, at most `most` characters each.

    They end with a line where one ends in the latter half; an empty text is one empty piece.
    """
    pieces, start = list[tuple[int, int]](), 0
    while len(text) - start > most:
        line_end = text.rfind("\n", start + most // 2, start + most) + 1
        pieces.append((start, line_end or start + most))
        start = pieces[-1][1]
    return [*pieces, (start, len(text))]


def section_of(opened: LoadedDocument, heading: str) -> tuple[int, int, str]:
    """Offsets of a section with its sub-sections, and its heading.

    The one headed so comes first, whatever the case, numbering and punctuation; then the one with this
    number, the first whose heading has these words, and the one whose heading is nearest. Raises `ToolRetry`
    that names the headings there are.
    """
    paths = list(dict.fromkeys(passage.section for passage in opened.passages if passage.section))
    path = _nearest_section(paths, heading)
    if path is None:
        headings = list(dict.fromkeys(path[-1] for path in paths))[:HEADINGS_TOLD]
        told = "; ".join(headings) or "none; ask for a page or an offset"
        raise ToolRetry(f"{opened.document.record.doc_id} has no section {heading!r}. Headings: {told}.")
    first = next(i for i, passage in enumerate(opened.passages) if passage.section == path)
    last = first
    while last + 1 < len(opened.passages) and opened.passages[last + 1].section[: len(path)] == path:
        last += 1
    return opened.passages[first].start, opened.passages[last].end, path[-1]


def _nearest_section(paths: Sequence[tuple[str, ...]], asked: str) -> tuple[str, ...] | None:
    """The path of headings that was meant; None where nothing is near."""
    wanted, number = bare(asked), _number(asked)
    last = bare(re.split(r"\s[>/›|]\s|[>›|]", asked)[-1])
    headed = {path: bare(path[-1]) for path in paths}
    tests: tuple[Callable[[tuple[str, ...]], bool], ...] = (
        lambda path: path[-1].casefold() == asked.strip().casefold(),
        lambda path: headed[path] == last != "" and bare(" ".join(path)).endswith(wanted),
        lambda path: headed[path] == last != "",
        lambda path: bool(number) and not wanted and _number(path[-1]) == number,
        lambda path: f" {wanted} " in f" {headed[path]} " and wanted != "",
    )
    found = (path for fits in tests for path in paths if fits(path))
    near = process.extractOne(wanted, headed, scorer=fuzz.ratio, score_cutoff=NEAR)
    return next(found, near[2] if near else None)


def bare(heading: str) -> str:
    """The words of a heading in lower case, without its number, marks and punctuation."""
    return " ".join(
        re.findall(r"\w+", NUMBER.sub("", heading.replace("&", " and ").strip("#*_ ")).casefold())
    )


def _number(heading: str) -> str:
    found = NUMBER.match(heading)
    return found[1].rstrip(".") if found else ""


def tables_of(opened: LoadedDocument) -> Iterator[Passage]:
    """The tables of a document, each as one passage: its caption, if that stands above it, heads and rows."""
    for first, rows in _tables(opened.passages):
        above = opened.passages[first - 1] if first else None
        row = rows[-1].row
        captioned = above and above.row is None and row and " ".join(above.text.split()) in row.caption
        start = above.start if above and captioned else rows[0].start
        text = opened.document.text[start : rows[-1].end]
        section, page = rows[0].section, rows[0].page
        yield Passage(rows[0].doc_id, start, rows[-1].end, text, section=section, page=page, row=row)


def _tables(passages: Sequence[Passage]) -> Iterator[tuple[int, list[Passage]]]:
    """The rows of each table with the place of its first one; heads begin a table."""
    rows: list[Passage] = []
    for i, passage in enumerate((*passages, None)):
        if rows and (passage is None or passage.row is None or passage.kind is PassageKind.HEADING):
            yield i - len(rows), rows
            rows = []
        if passage is not None and passage.row is not None:
            rows.append(passage)
