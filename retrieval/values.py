"""The values of the retrieval floor: a document, its record, its chunks and passages, a search and its hits.

One representation carries a document through the house: its **canonical text**, Markdown with headings and
pipe tables (DiscoVerse, Appendix A.1), plus a page map. Everything that is ever cited is a slice of that
text, so "verbatim" is a string comparison and a citation is two offsets.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Domain(StrEnum):
    """Part of the drug development life cycle that a document speaks about (DiscoVerse, section 2.1)."""

    PRECLINICAL = "preclinical"
    CLINICAL = "clinical"
    STRATEGIC = "strategic"


class StudyStatus(StrEnum):
    """What the document says about the study it describes."""

    PLANNED = "planned"
    ONGOING = "ongoing"
    COMPLETED = "completed"
    TERMINATED = "terminated"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Page:
    """Where a page begins and ends in the canonical text (offsets in characters, end exclusive)."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """What a parser makes of a file: canonical text, page map, the file's own metadata, and what went wrong.

    `pages` is empty for formats without pages. `metadata` holds front matter or document properties as found.
    `warnings` are sentences for the ingest report ("page 7 is a scan and no OCR engine is installed").
    """

    text: str
    pages: tuple[Page, ...] = ()
    metadata: Mapping[str, object] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """What is known about a document as a whole (DiscoVerse, Appendix A.2); filters work on these fields.

    `doc_id` is the front matter's `doc_id` or the path relative to the archive's root without suffix.
    `molecules` are canonical names as the archive's registry writes them; a document that names several
    belongs to all of them (section 3.2). `date` is ISO 8601, as exact as the document states it. `language`
    is an ISO 639-1 code, "" where that cannot be told. `names` are the document's own words for its
    molecules, a group of names that it says are one molecule each, the current one first; the registry is
    built from them, so that a later document can tell that two names are one. `source_version` is what its
    source called this state of the file (an ETag), where it does. `signature` tells how alike two texts are,
    `newest_version` is the id of the newest version of this document where this is an older one (both:
    `retrieval.ingest.versions`). `copy_of` is the id of the document of which this is an exact copy.
    `study_id`
    is the number of the study that it is about, where it is about one. `unsupported` are words in the shape
    of a code of which the document does not tell what they are. `studies` are numbers that the
    document introduces as those of studies or reports. `edits` are what experts have set, the latest last:
    field, value, and what was read there. `vectors` is how many the document has where it is not found by
    meaning as a whole (`retrieval.ingest.meaning`), None where it is.
    """

    doc_id: str
    path: str
    sha256: str
    format: str
    title: str
    molecules: tuple[str, ...] = ()
    main_molecules: tuple[str, ...] = ()
    document_type: str = ""
    study_type: str = ""
    phase: str = ""
    species: tuple[str, ...] = ()
    stages: tuple[Domain, ...] = ()
    date: str = ""
    status: StudyStatus | None = None
    stop_reason: str = ""
    keywords: tuple[str, ...] = ()
    language: str = ""
    page_count: int = 0
    warnings: tuple[str, ...] = ()
    names: tuple[tuple[str, ...], ...] = ()
    source_version: str = ""
    signature: str = ""
    newest_version: str = ""
    copy_of: str = ""
    study_id: str = ""
    unsupported: tuple[str, ...] = ()
    studies: tuple[str, ...] = ()
    edits: tuple[tuple[str, str, str], ...] = ()
    vectors: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A record with its canonical text and page map."""

    record: DocumentRecord
    text: str
    pages: tuple[Page, ...] = ()


@dataclass(frozen=True, slots=True)
class Chunk:
    """A section-aware slice of a document: `text == document.text[start:end]`, at most 512 words (Appendix
    A.3).

    `section` is the path of headings above it. `context` is what is needed to read the rows of a table that
    began in an earlier chunk: its caption, its heads, and the sub-heads above the first row here; it is shown
    and embedded with the chunk, but never cited.
    """

    chunk_id: str
    doc_id: str
    ordinal: int
    start: int
    end: int
    text: str
    section: tuple[str, ...] = ()
    context: str = ""
    page_first: int | None = None


class PassageKind(StrEnum):
    """The smallest citeable units."""

    SENTENCE = "sentence"
    ITEM = "item"
    ROW = "row"
    HEADING = "heading"


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a table, read with its column headers. `cells` and `header` have the same length.

    A head has all its lines: the unit of a second one, the name over several columns. `group` are the
    sub-heads above the row, the outer one first ("Males", "Week 4"); `notes` what stands under the table.
    """

    caption: str
    header: tuple[str, ...]
    cells: tuple[str, ...]
    group: tuple[str, ...] = ()
    notes: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence, list item or table row: `text == document.text[start:end]`, read in its place.

    `around` is the document's text before and after it where somebody needs it, else "".
    `lead` is the line that introduces the list which an item is of: "The following doses were given:".
    """

    doc_id: str
    start: int
    end: int
    text: str
    kind: PassageKind = PassageKind.SENTENCE
    section: tuple[str, ...] = ()
    page: int | None = None
    row: TableRow | None = None
    around: str = ""
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Filters:
    """Conditions pushed down into the index. Empty means no condition; several values of a field mean any of
    them.

    `sections` are headings: only chunks that stand under one of them are found. It is a condition on chunks
    alone, which records of documents pass.
    """

    molecules: tuple[str, ...] = ()
    stages: tuple[Domain, ...] = ()
    doc_ids: tuple[str, ...] = ()
    date_from: str = ""
    date_to: str = ""
    sections: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A question to the index. `limit` counts chunks."""

    text: str
    filters: Filters = Filters()
    limit: int = 20


@dataclass(frozen=True, slots=True)
class Candidates:
    """(chunk_id, score) best first, as found by words (BM25) and by meaning (cosine)."""

    lexical: tuple[tuple[str, float], ...] = ()
    dense: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that was found. `score` is the fused score; `lexical` (BM25) and `dense` (cosine) are None
    where not found so.
    """

    chunk: Chunk
    record: DocumentRecord
    score: float
    lexical: float | None = None
    dense: float | None = None
    rerank: float | None = None


@dataclass(frozen=True, slots=True)
class Molecule:
    """A molecule of the archive: canonical name and every other spelling, code or generic name the archive
    uses.
    """

    name: str
    aliases: tuple[str, ...] = ()
    documents: int = 0


class Match(StrEnum):
    """How a name in a question was matched to the archive's registry."""

    EXACT = "exact"
    ALIAS = "alias"
    SPELLING = "spelling"


@dataclass(frozen=True, slots=True)
class Resolution:
    """A name from a question and the molecules it may stand for, best first.

    One candidate: resolved. Several: ask back. None: the archive does not know the name.
    """

    written: str
    match: Match | None
    candidates: tuple[Molecule, ...] = ()


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file that was not ingested, or only partly, and why; `reason` says what to do next."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of a source.

    `location` is its path or URL, the same at every ingest; `name` its path below the source's root, with
    forward slashes. `version` changes with the content where the source tells without reading (the ETag of a
    bucket); "" where only the content itself tells. `size` in bytes says which files are read last; 0 where
    it is not known.
    """

    location: str
    name: str
    version: str = ""
    size: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a source. Locations of all its files, also of those that were there once, begin with
    `root`; "" where the source is not the whole of a place. `waiting` are files that are there but are not to
    be read yet, because they are being written.

    `unseen` are locations that could not be looked at; one that ends with a slash stands for all below it.
    `empty` are folders, written so, in which there is nothing at all: a share that is not mounted looks like
    this. Neither proves that a file is gone.
    """

    root: str
    files: tuple[SourceFile, ...]
    skipped: tuple[SkippedFile, ...] = ()
    waiting: tuple[SourceFile, ...] = ()
    unseen: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()

    @property
    def locations(self) -> frozenset[str]:
        """Where something is, to be read or not."""
        return frozenset(file.location for file in (*self.files, *self.waiting))

    def hides(self, location: str) -> bool:
        """Whether a location is among those that could not be looked at."""
        return location in self.unseen or location.startswith(
            tuple(place for place in self.unseen if place.endswith(("/", "\\")))
        )

    def emptied(self, location: str) -> bool:
        """Whether a location is in a folder that is empty, or in a source without any file."""
        return not (self.files or self.waiting) or location.startswith(self.empty)


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What an ingest did. Counts are documents, but for `chunks`.

    `kept` are documents whose files were not found, but which are not deleted unasked: too many at once, or
    from a folder that is empty. `waiting` are those of the archive that are found by words, and by meaning
    not or not as far yet as they may be.
    """

    added: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    unchanged: int = 0
    deleted: tuple[str, ...] = ()
    chunks: int = 0
    skipped: tuple[SkippedFile, ...] = ()
    warnings: tuple[SkippedFile, ...] = ()
    seconds: float = 0.0
    kept: tuple[str, ...] = ()
    waiting: int = 0
