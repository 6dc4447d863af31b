"""Parts of a document that a tool is asked for: a page, a section, a stretch, or its tables."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rapidfuzz import fuzz, process

from agents.archive.tools import ArchiveTools, LoadedDocument
from agents.errors import ToolRetry
from retrieval.molecules.codes import code_key
from retrieval.values import Document, DocumentRecord, Filters, Passage

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


async def open_document(archive: ArchiveTools, doc_id: str) -> LoadedDocument:
    """A document, its id in any spelling. Raises `ToolRetry` for one that there is not."""
    opened = await archive.documents.open(archive.index, doc_id)
    if opened is None and (meant := near_document(doc_id, await archive.index.records(Filters()))):
        opened = await archive.documents.open(archive.index, meant)
    if opened is None:
        raise ToolRetry(f"The archive has no document {doc_id!r}. List the documents to see their ids.")
    return opened


def near_document(asked: str, records: Iterable[DocumentRecord]) -> str:
    """The id of the only document whose id, path, title or study's number is `asked`, but for case, blanks,
    punctuation and a file's suffix; "" where there is none, or several.
    """
    wanted = {code_key(asked), code_key(SUFFIX.sub("", asked))} - {""}
    found = {
        record.doc_id
        for record in records
        if wanted & set(map(code_key, (record.doc_id, record.path, record.title, record.study_id)))
    }
    return found.pop() if len(found) == 1 else ""


def page_of(document: Document, number: int) -> tuple[int, int]:
    """Offsets of a page. Raises `ToolRetry`."""
    for page in document.pages:
        if page.number == number and page.end > page.start:
            return page.start, page.end
    if not document.pages:
        raise ToolRetry(f"{document.record.doc_id} has no pages; read on with `start`.")
    raise ToolRetry(f"{document.record.doc_id} has no text on page {number} of {len(document.pages)}.")


def section_of(opened: LoadedDocument, heading: str) -> tuple[int, int, str]:
    """Offsets of a section with its sub-sections, and its heading: the one with this number, or the one whose
    heading is nearest. Raises `ToolRetry` that names the headings there are.
    """
    paths = list(dict.fromkeys(passage.section for passage in opened.passages if passage.section))
    path = _nearest_section(paths, heading)
    if path is None:
        headings = list(dict.fromkeys(path[-1] for path in paths))[:HEADINGS_TOLD]
        told = "; ".join(headings) or "none; ask for a page or read on with `start`"
        raise ToolRetry(f"{opened.document.record.doc_id} has no section {heading!r}. Headings: {told}.")
    first = next(i for i, passage in enumerate(opened.passages) if passage.section == path)
    last = first
    while last + 1 < len(opened.passages) and opened.passages[last + 1].section[: len(path)] == path:
        last += 1
    return opened.passages[first].start, opened.passages[last].end, path[-1]


def _nearest_section(paths: Sequence[tuple[str, ...]], asked: str) -> tuple[str, ...] | None:
    """The path of headings that was meant; None where nothing is near."""
    wanted, number = bare(asked), _number(asked)
    if number and not wanted:
        return next((path for path in paths if _number(path[-1]) == number), None)
    headed = {path: bare(path[-1]) for path in paths}
    near = process.extractOne(wanted, headed, scorer=fuzz.WRatio, score_cutoff=NEAR)
    return near[2] if near else None


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
    above: Passage | None = None
    for _, group in groupby(opened.passages, lambda one: one.row and one.row.caption):
        rows = list(group)
        first, row = rows[0], rows[-1].row
        if row is not None:
            captioned = above and " ".join(above.text.split()) in row.caption
            start, end = above.start if above and captioned else first.start, rows[-1].end
            text = opened.document.text[start:end]
            yield Passage(first.doc_id, start, end, text, section=first.section, page=first.page, row=row)
        above = None if row else rows[-1]
