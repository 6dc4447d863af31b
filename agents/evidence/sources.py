"""Where evidence comes from: a document of the archive, a tool's reply, or a text that a person gave.

A reply becomes **canonical text** (Markdown) with its source, query, release, date and link, and is kept. A
citation names the source's id and two offsets in that text, as it does for a document. The id depends on
the content alone, so the same reply is the same source, whoever asked for it and when.
"""

import hashlib
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from retrieval.values import Document, DocumentRecord

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_TRAILING = re.compile(r"[ \t]+$", re.MULTILINE)


class Origin(StrEnum):
    """Where a source comes from."""

    DOCUMENT = "document"
    TOOL = "tool"
    UPLOAD = "upload"


@dataclass(frozen=True, slots=True)
class Source:
    """One text that can be cited. `sha256` identifies the content.

    `name` says whose data it is ("openFDA drug labels"); `query` is what was asked there, `release` the state
    of that data ("2026-06"), `date` the day of the fetch in ISO 8601, `link` the address for people. A source
    of origin DOCUMENT has a document's id and no text of its own: the archive holds it.
    """

    id: str
    origin: Origin
    title: str
    text: str = ""
    name: str = ""
    query: str = ""
    release: str = ""
    date: str = ""
    link: str = ""
    sha256: str = ""
    newest_version: str = ""

    @property
    def document(self) -> Document:
        """The text as a document, so that its passages are read as those of any document.

        Raises `ValueError` for a source that is a document: ask the archive for it.
        """
        if self.origin is Origin.DOCUMENT:
            raise ValueError(f"{self.id} is a document: the archive holds its text")
        record = DocumentRecord(
            self.id, path="", sha256=self.sha256, format="markdown", title=self.title, date=self.date
        )
        return Document(record, self.text)


class Sources(Protocol):
    """Keeps the sources that are no documents.

    Contract: `tests/adapters/storage/test_sources_contract.py`.
    """

    async def put(self, source: Source) -> None:
        """Keep a source. One with this id stays as it was first kept.

        Raises `ValueError` for a document: the archive holds it.
        """

    async def get(self, source_id: str) -> Source | None:
        """The source with this id, or None."""


def tool_source(
    name: str, title: str, text: str, *, query: str = "", release: str = "", date: str = "", link: str = ""
) -> Source:
    """A source made of a tool's reply."""
    return _source(Origin.TOOL, name, title, text, query=query, release=release, date=date, link=link)


def upload_source(name: str, title: str, text: str, *, date: str = "") -> Source:
    """A source made of a text that a person gave; `name` says who gave it or in which file."""
    return _source(Origin.UPLOAD, name, title, text, date=date)


def document_source(record: DocumentRecord) -> Source:
    """A document of the archive as a source. Its text stays in the archive."""
    return Source(
        id=record.doc_id,
        origin=Origin.DOCUMENT,
        title=record.title,
        name="archive",
        date=record.date,
        sha256=record.sha256,
        newest_version=record.newest_version,
    )


def canonical(text: str) -> str:
    """The text as it is kept and cited: Unix line ends, no blanks at line ends, nothing that no database
    takes.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _TRAILING.sub("", _UNSTORABLE.sub("�", text)).strip("\n")


def refuse_document(source: Source) -> None:
    """Raises `ValueError` for a source that the archive holds."""
    if source.origin is Origin.DOCUMENT:
        raise ValueError(f"{source.id} is a document of the archive and is not kept a second time")


def _source(
    origin: Origin,
    name: str,
    title: str,
    text: str,
    *,
    query: str = "",
    release: str = "",
    date: str = "",
    link: str = "",
) -> Source:
    text = canonical(text)
    if not text.strip():
        raise ValueError(f"the source {title!r} of {name!r} has no text: there is nothing to cite")
    title, name, link = canonical(title), canonical(name), canonical(link)
    query, release = canonical(query), canonical(release)
    content = "\x00".join((origin, name, title, release, link, text))
    key = hashlib.sha256(content.encode()).hexdigest()[:32]
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    return Source(f"{origin}-{key}", origin, title, text, name, query, release, date, link, sha256)
