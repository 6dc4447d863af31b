"""Reading one file for the index: whether it is new, its record, its chunks, and what is encoded for them."""

import errno
import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from retrieval.chunk import chunk, embedding_head
from retrieval.errors import DocumentError, StorageFull
from retrieval.models import Chunk, Document, DocumentRecord, IngestReport, Molecule, ParsedFile, SkippedFile
from retrieval.molecules import build_registry, canonical
from retrieval.ports import Encoder
from retrieval.record import assign, describe

Parse = Callable[[Path], ParsedFile]


@dataclass(slots=True)
class Tally:
    """The report as it grows."""

    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    skipped: list[SkippedFile] = field(default_factory=list)
    warnings: list[SkippedFile] = field(default_factory=list)
    unchanged: int = 0
    chunks: int = 0
    began: float = field(default_factory=time.monotonic)

    def stored(self, ready: "Ready") -> None:
        """Count a document that is in the index now."""
        self.chunks += len(ready.chunks)
        (self.updated if ready.replaces else self.added).append(ready.document.record.doc_id)

    def report(self) -> IngestReport:
        """The report so far."""
        return IngestReport(
            tuple(self.added), tuple(self.updated), self.unchanged, tuple(self.deleted), self.chunks,
            tuple(self.skipped), tuple(self.warnings), time.monotonic() - self.began,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ready:
    """A parsed document on its way to the encoder.

    `texts` are what is encoded for its chunks, `parts` how many of them each chunk has (see
    `retrieval.embed.chunks`); `replaces` is the older version of the document.
    """

    document: Document
    chunks: tuple[Chunk, ...]
    texts: list[str]
    parts: list[int]
    replaces: DocumentRecord | None


def relative_path(path: Path, root: Path) -> str:
    """A path below `root`, with forward slashes."""
    return path.relative_to(root).as_posix()


class Reader:
    """Decides which files are new, reads them, and gives each its id. For one thread at a time."""

    def __init__(
        self,
        root: Path,
        parse: Parse,
        encoder: Encoder,
        records: Sequence[DocumentRecord],
        registry: Sequence[Molecule],
        tally: Tally,
    ) -> None:
        self._root = root
        self._parse = parse
        self._encoder = encoder
        self._registry = registry
        self._tally = tally
        self._by_id = {record.doc_id: record for record in records}
        self._by_path = {record.path: record for record in records}

    def read(self, path: Path) -> Ready | None:
        """The document in a file; None if it is known already or cannot be read, which goes to the report."""
        relative = relative_path(path, self._root)
        try:
            with path.open("rb") as file:
                sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            known = self._by_path.get(str(path))
            if known is not None and known.sha256 == sha256:
                self._tally.unchanged += 1
                return None
            parsed = self._parse(path)
        except DocumentError as error:
            self._tally.skipped.append(SkippedFile(relative, str(error)))
            return None
        except OSError as error:
            if error.errno == errno.ENOSPC:
                raise StorageFull("The disk is full. Free some space, then ingest again.") from error
            reason = f"The file cannot be opened ({error.strerror}). Check its permissions."
            self._tally.skipped.append(SkippedFile(relative, reason))
            return None
        except Exception as error:  # one file that a parser stumbles over must not stop the others
            reason = f"The file could not be read ({type(error).__name__}). Save it in another format."
            self._tally.skipped.append(SkippedFile(relative, reason))
            return None
        return self._ready(path, relative, parsed, sha256)

    def _ready(self, path: Path, relative: str, parsed: ParsedFile, sha256: str) -> Ready | None:
        own = replace(describe(parsed, relative, sha256), path=str(path))
        replaces = self._by_path.get(own.path) or self._moved(own)
        doc_id = self._free_id(own, replaces)
        if doc_id != own.doc_id and self._by_id[own.doc_id].sha256 == sha256:
            original = self._by_id[own.doc_id].path
            self._tally.skipped.append(
                SkippedFile(relative, f"The same document as {original}. Delete one of them.")
            )
            return None
        self._warn(relative, own, doc_id)
        own = replace(own, doc_id=doc_id)
        chunks = chunk(Document(own, parsed.text, parsed.pages))
        # Vectors depend on the document alone: an archive gives the same ones in whatever order it is read.
        windows = [self._encoder.windows(part.text, embedding_head(part, own)) for part in chunks]
        texts = [text for parts in windows for text in parts]
        record = assign(own, parsed.text, self._with_registry(own))
        self._by_id[doc_id] = self._by_path[record.path] = record
        return Ready(
            Document(record, parsed.text, parsed.pages), chunks, texts, list(map(len, windows)), replaces
        )

    def _moved(self, own: DocumentRecord) -> DocumentRecord | None:
        """The record of this document at a path where it is no more."""
        taken = self._by_id.get(own.doc_id)
        return taken if taken is not None and not Path(taken.path).is_file() else None

    def _free_id(self, own: DocumentRecord, replaces: DocumentRecord | None) -> str:
        """The document's id, with "~2", "~3" if another file has it."""
        known = {own.doc_id} if replaces is None else {own.doc_id, replaces.doc_id}
        candidates = (own.doc_id, *(f"{own.doc_id}~{n}" for n in range(2, len(self._by_id) + 3)))
        free = (c for c in candidates if c not in self._by_id or (c in known and self._by_id[c] is replaces))
        return next(free)

    def _warn(self, relative: str, own: DocumentRecord, doc_id: str) -> None:
        reasons = list(own.warnings)
        if doc_id != own.doc_id:
            other = self._by_id[own.doc_id].path
            reasons.append(f"The id {own.doc_id} is also that of {other}; this file is kept as {doc_id}.")
        self._tally.warnings += [SkippedFile(relative, reason) for reason in reasons]

    def _with_registry(self, own: DocumentRecord) -> list[Molecule]:
        """The archive's registry and the molecules that only this document names."""
        news = (m for m in build_registry([own]) if canonical(m.name, self._registry) is None)
        return [*self._registry, *news]
