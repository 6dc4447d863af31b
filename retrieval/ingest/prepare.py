"""One file on its way to the index: whether it is new, its record, its chunks, and the texts to encode."""

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePath

from retrieval.chunk import chunk
from retrieval.errors import FULL, DocumentError, StorageFull
from retrieval.ingest.edit import carried
from retrieval.ingest.folder import sha256_of
from retrieval.ingest.meaning import FIRST, WAS_PARTLY, noted, texts_of
from retrieval.ingest.record import assign
from retrieval.molecules.lookup import canonical
from retrieval.molecules.registry import build_registry
from retrieval.ports import DocumentSource, Encoder, Parser
from retrieval.values import (
    Chunk,
    Document,
    DocumentRecord,
    IngestReport,
    Listing,
    Molecule,
    SkippedFile,
    SourceFile,
)

MOST_CHUNKS = 5_000
"""Chunks of one document that are searched: over two million words."""
CUT = (
    "Only its first {:,} chunks can be found, {:.0%} of it. Split it, or allow more "
    "(PESTLE_INGEST_FILE_CHUNKS) and ingest again."
)
WAS_CUT = re.compile(r"Only its first ([\d,]+) chunks can be found")


@dataclass(slots=True)
class Tally:
    """The report as it grows."""

    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    skipped: list[SkippedFile] = field(default_factory=list)
    warnings: list[SkippedFile] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    unchanged: int = 0
    chunks: int = 0
    waiting: int = 0
    began: float = field(default_factory=time.monotonic)

    def stored(self, ready: "Prepared") -> None:
        """Count a document that is in the index now."""
        self.chunks += len(ready.chunks)
        (self.updated if ready.replaces else self.added).append(ready.document.record.doc_id)

    def report(self) -> IngestReport:
        """The report so far."""
        return IngestReport(
            tuple(self.added), tuple(self.updated), self.unchanged, tuple(self.deleted), self.chunks,
            tuple(self.skipped), tuple(self.warnings), time.monotonic() - self.began,
            tuple(self.kept), self.waiting,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Prepared:
    """A parsed document on its way to the encoder.

    `texts` are what is encoded for its chunks at once, `parts` how many of them each chunk has (see
    `retrieval.ingest.meaning`); `replaces` is the older version of the document. `registry` are the archive's
    molecules with which its own were named.
    """

    document: Document
    chunks: tuple[Chunk, ...]
    texts: list[str]
    parts: list[int]
    replaces: DocumentRecord | None
    registry: Sequence[Molecule] = ()

    def by_words(self) -> "Prepared":
        """The document with nothing encoded yet."""
        parts = [0] * len(self.parts)
        document = replace(self.document, record=noted(self.document.record, parts, 0))
        return replace(self, document=document, texts=[], parts=parts)

    def renamed(self, doc_id: str) -> "Prepared":
        """The same document under another id."""
        record = replace(self.document.record, doc_id=doc_id)
        chunks = (replace(c, doc_id=doc_id, chunk_id=f"{doc_id}#{c.ordinal}") for c in self.chunks)
        return replace(self, document=replace(self.document, record=record), chunks=tuple(chunks))

    def named_by(self, registry: Sequence[Molecule]) -> "Prepared":
        """The document with its molecules as this registry of the archive names them."""
        record, text = self.document.record, self.document.text
        news = (m for m in build_registry([record]) if canonical(m.name, registry) is None)
        named = assign(record, text, [*registry, *news])
        return replace(self, document=replace(self.document, record=named), registry=registry)


def prepare(
    document: Document,
    encoder: Encoder,
    replaces: DocumentRecord | None = None,
    most_chunks: int = MOST_CHUNKS,
    first: int = FIRST,
) -> Prepared:
    """The document in chunks, of one with too many the first ones, and the `first` texts encoded for them."""
    chunks = chunk(document, most_chunks + 1)
    if len(chunks) > most_chunks:
        chunks, record = chunks[:most_chunks], document.record
        share = chunks[-1].end / len(document.text) if chunks else 0
        told = CUT.format(most_chunks, share)
        document = replace(document, record=replace(record, warnings=(*record.warnings, told)))
    texts, parts = texts_of(chunks, document.record, encoder, first)
    document = replace(document, record=noted(document.record, parts, first))
    return Prepared(document, chunks, texts, parts, replaces)


def copy_of(original: DocumentRecord) -> str:
    """Why a copy of a document is skipped. Also chats are told so: no more of a path than the file's name."""
    name = PurePath(original.path).name
    return f"The same document as {original.doc_id} ({name}). Delete one of them."


class FileReader:
    """Decides which files of a source are new, reads them, and gives each document its id.

    `read` may run for several files at once, `ready` only for one after the other. `paged` is called with a
    file's name, the page of it that is read, and how many there are.
    """

    def __init__(
        self,
        source: DocumentSource,
        listing: Listing,
        parser: Parser,
        encoder: Encoder,
        records: Sequence[DocumentRecord],
        registry: Sequence[Molecule],
        tally: Tally,
        most_chunks: int = MOST_CHUNKS,
        most_texts: int = FIRST,
        paged: Callable[[str, int, int], None] = lambda *_: None,
    ) -> None:
        self._source = source
        self._listing = listing
        self._there = listing.locations
        self._parser = parser
        self._encoder = encoder
        self._registry = registry
        self._tally = tally
        self._paged = paged
        self._most_chunks, self._first = most_chunks, min(FIRST, most_texts)
        self._by_id = {record.doc_id: record for record in records}
        self._by_path = {record.path: record for record in records}

    async def read(self, file: SourceFile) -> Document | DocumentRecord | None:
        """What is in a file; None if it is known already or cannot be read, which goes to the report.

        Only the record if the content is known, but its source has another version for it. Raises
        `StorageFull`, `SourceDown`.
        """
        known = self._by_path.get(file.location)
        if known is not None and _cut_shorter(known, self._most_chunks):
            known = None
        if known is not None and file.version and known.source_version == file.version:
            self._tally.unchanged += 1
            return None
        try:
            async with self._source.opened(file) as path:
                sha256 = await asyncio.to_thread(sha256_of, path)
                if known is not None and known.sha256 == sha256:
                    self._tally.unchanged += 1
                    return replace(known, source_version=file.version) if file.version else None
                paged = partial(self._paged, file.name)
                document = await self._parser.parse(path, file.name, sha256, paged)
        except DocumentError as error:
            self._tally.skipped.append(SkippedFile(file.name, str(error)))
            return None
        except OSError as error:
            if error.errno in FULL:
                raise StorageFull("The disk is full. Free some space, then ingest again.") from error
            reason = f"The file cannot be opened ({error.strerror}). Check its permissions."
            self._tally.skipped.append(SkippedFile(file.name, reason))
            return None
        record = replace(document.record, path=file.location, source_version=file.version)
        return replace(document, record=record)

    def ready(self, file: SourceFile, read: Document) -> Prepared | None:
        """The document with its id and chunks; None for a copy of another one, which goes to the report."""
        own = read.record
        replaces = self._by_path.get(own.path) or self._moved(own)
        doc_id = self._free_id(own, replaces)
        if doc_id != own.doc_id and self._by_id[own.doc_id].sha256 == own.sha256:
            self._tally.skipped.append(SkippedFile(file.name, copy_of(self._by_id[own.doc_id])))
            return None
        # Vectors depend on the document alone: an archive gives the same ones in whatever order it is read.
        own = replace(own, doc_id=doc_id)
        own = carried(own, replaces.edits) if replaces else own
        made = prepare(replace(read, record=own), self._encoder, replaces, self._most_chunks, self._first)
        self._warn(file.name, read.record, made.document.record)
        made = made.named_by(self._registry)
        self._by_id[doc_id] = self._by_path[own.path] = made.document.record
        return made

    def _moved(self, own: DocumentRecord) -> DocumentRecord | None:
        """The record of this document at a path where it is no more."""
        taken = self._by_id.get(own.doc_id)
        return taken if taken is not None and self._is_gone(taken, own.sha256) else None

    def _is_gone(self, taken: DocumentRecord, sha256: str) -> bool:
        """Whether a document's file is gone, so that another one may take its id.

        A place that is not in this look, or is an empty folder, may only be out of reach: then the same
        content has to be here. Of a bucket that is not this source, nothing is known.
        """
        root, path = self._listing.root, taken.path
        if root and path.startswith(root):
            missing = path not in self._there and not self._listing.hides(path)
            return missing and (taken.sha256 == sha256 or not self._listing.emptied(path))
        return "://" not in path and taken.sha256 == sha256 and not Path(path).is_file()

    def _free_id(self, own: DocumentRecord, replaces: DocumentRecord | None) -> str:
        """The document's id, with "~2", "~3" if another file has it."""
        known = {own.doc_id} if replaces is None else {own.doc_id, replaces.doc_id}
        candidates = (own.doc_id, *(f"{own.doc_id}~{n}" for n in range(2, len(self._by_id) + 3)))
        free = (c for c in candidates if c not in self._by_id or (c in known and self._by_id[c] is replaces))
        return next(free)

    def _warn(self, relative: str, own: DocumentRecord, kept: DocumentRecord) -> None:
        reasons = [told for told in kept.warnings if not WAS_PARTLY.match(told)]  # it may not stay so
        if kept.doc_id != own.doc_id:
            other = self._by_id[own.doc_id].path
            reasons.append(
                f"The id {own.doc_id} is also that of {other}; this file is kept as {kept.doc_id}."
            )
        self._tally.warnings += [SkippedFile(relative, reason) for reason in reasons]


def _cut_shorter(record: DocumentRecord, most_chunks: int) -> bool:
    """Whether a document was cut at fewer chunks than are allowed now."""
    found = (WAS_CUT.match(warning) for warning in record.warnings)
    return any(int(cut[1].replace(",", "")) < most_chunks for cut in found if cut)
