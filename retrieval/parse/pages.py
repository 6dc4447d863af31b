"""Pages joined to one text with its page map."""

from collections.abc import Mapping, Sequence

from retrieval.models import Page, ParsedFile


def paged(texts: Sequence[str], metadata: Mapping[str, object], warnings: tuple[str, ...] = ()) -> ParsedFile:
    """A document of pages, numbered from 1; together they cover the text."""
    pages, start = [], 0
    for number, text in enumerate(texts, 1):
        pages.append(Page(number, start, start + len(text)))
        start += len(text)
    return ParsedFile("".join(texts), tuple(pages), metadata, warnings)
