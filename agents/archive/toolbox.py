"""The archive as tools: search, read, list, and what a molecule is called. All of them only read.

Their records are passages of documents: verbatim, with offsets, and never a copy of the whole document.
"""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from pydantic import BaseModel, Field

from agents.archive.names import near_names, note_of
from agents.archive.tools import ArchiveTools, LoadedDocument
from agents.errors import ToolRetry
from agents.evidence.sources import document_source
from agents.tools.reply import ToolRecord, ToolReply
from agents.tools.tool import Arguments, Tool
from agents.tools.toolset import Toolset
from retrieval.molecules.lookup import resolve
from retrieval.values import Document, DocumentRecord, Filters, Hit, Molecule, Passage, SearchRequest, Stage

SOURCE = "archive"
RERANKED = 24
"""Chunks that the reranker orders for one search."""
READ_AT_ONCE = 12_000
"""Characters of one reply of `read_document`."""
HEADINGS_TOLD = 40

MOLECULE = Field("", description="name or code of a molecule, in any spelling; empty: any", max_length=200)
STAGE = Field(None, description="part of the drug development life cycle; null: any")

I = TypeVar("I", bound=BaseModel)  # noqa: E741  (the input)


class Search(Arguments):
    """What to look for."""

    query: str = Field(description="question or key words, in plain language", min_length=1, max_length=2000)
    molecule: str = MOLECULE
    stage: Stage | None = STAGE
    limit: int = Field(8, description="most passages in the reply", ge=1, le=20)


class ReadPart(Arguments):
    """Which part of which document. Of page, section and start at most one is given."""

    doc_id: str = Field(
        description="id of the document, as other tools tell it", min_length=1, max_length=500
    )
    page: int | None = Field(None, description="number of a page", ge=1)
    section: str = Field("", description="heading of a section, or a part of the heading", max_length=300)
    start: int = Field(0, description="offset of the first character", ge=0)
    end: int | None = Field(None, description="offset after the last character; null: as far as fits", ge=1)


class Listing(Arguments):
    """Which documents to list."""

    molecule: str = MOLECULE
    stage: Stage | None = STAGE
    words: str = Field("", description="words that id, title or type must have; empty: any", max_length=200)
    offset: int = Field(0, description="documents to skip", ge=0)
    limit: int = Field(50, description="most documents in the reply", ge=1, le=200)


class Named(Arguments):
    """A molecule."""

    molecule: str = Field(description="name or code, in any spelling", min_length=1, max_length=200)


class ListedDocument(BaseModel):
    """What is known about a document as a whole."""

    doc_id: str
    title: str
    type: str
    date: str
    molecules: tuple[str, ...]
    pages: int
    newest_version: str


class DocumentList(BaseModel):
    """Documents in order of their ids, and how many there are in all."""

    documents: tuple[ListedDocument, ...]
    total: int


class MoleculeRecord(BaseModel):
    """A molecule of the archive, all its names there, and its documents."""

    name: str
    aliases: tuple[str, ...]
    documents: tuple[ListedDocument, ...]


def archive_toolset(tools: ArchiveTools) -> Toolset:
    """The archive's tools over an index."""
    return Toolset(SOURCE, ArchiveToolbox(tools).tools())


class ArchiveToolbox:
    """The work of the tools."""

    def __init__(self, archive: ArchiveTools) -> None:
        self._archive = archive
        self._index = archive.index

    def tools(self) -> tuple[Tool[Any], ...]:
        """The tools, in the order in which a model should think of them."""
        return (
            _tool(
                "search_archive",
                "Find passages in the archive of reports by meaning and by words. Use short queries, one "
                "topic each. The passages are verbatim and can be cited.",
                Search,
                self.search,
            ),
            _tool(
                "read_document",
                "Read a document of the archive at a page, a section or an offset; from the beginning if "
                "none is given. Use it to see what stands around a passage.",
                ReadPart,
                self.read,
            ),
            _tool(
                "list_documents",
                "List documents of the archive with title, type, date and molecules.",
                Listing,
                self.list,
                DocumentList,
            ),
            _tool(
                "molecule_record",
                "All names of a molecule in the archive, and its documents.",
                Named,
                self.molecule,
                MoleculeRecord,
            ),
        )

    async def search(self, asked: Search) -> ToolReply:
        """Hybrid search, the best candidates put in order by the reranker."""
        filters, note = await self._filters(asked.molecule, asked.stage)
        hits = await self._archive.retriever.search(SearchRequest(asked.query, filters, RERANKED))
        if not hits:
            total = len(await self._index.records(filters))
            return ToolReply(note=f"{note} Nothing found: searched {counted(total, 'document')}.".strip())
        scores = await self._archive.reranker.score(asked.query, [hit.chunk.text for hit in hits])
        ranked = sorted(zip(scores, hits, strict=True), key=lambda pair: (-pair[0], pair[1].chunk.chunk_id))
        if ranked[0][0] < self._archive.reranker.threshold:
            note = f"{note} No passage is clearly relevant; these are the nearest.".strip()
        records = tuple(_found(hit) for _, hit in ranked[: asked.limit])
        documents = len({record.source.id for record in records})
        summary = f"{counted(len(records), 'passage')} of {counted(documents, 'document')}"
        return ToolReply(records, summary, note)

    async def read(self, asked: ReadPart) -> ToolReply:
        """One part of a document."""
        if sum((asked.page is not None, bool(asked.section), asked.start > 0)) > 1:
            raise ToolRetry("read_document takes one of page, section and start, not several.")
        opened = await self._archive.documents.open(self._index, asked.doc_id)
        if opened is None:
            raise ToolRetry(
                f"The archive has no document {asked.doc_id!r}. list_documents tells the ids there are."
            )
        start, end = part_of(opened, asked)
        text = opened.document.text
        stop = min(end, start + READ_AT_ONCE)
        record = _part(opened.document, start, stop)
        summary = f"Characters {start} to {stop} of {len(text)} of {asked.doc_id}."
        more = f"The part goes on: read_document with start={stop}." if stop < end else ""
        return ToolReply((record,), summary, more)

    async def list(self, asked: Listing) -> ToolReply:
        """Documents that pass the filters."""
        filters, note = await self._filters(asked.molecule, asked.stage)
        records = [r for r in await self._index.records(filters) if _has_words(r, asked.words)]
        shown = records[asked.offset : asked.offset + asked.limit]
        found = DocumentList(documents=tuple(map(_listed, shown)), total=len(records))
        summary = f"{counted(len(shown), 'document')} of {len(records)}, from number {asked.offset + 1}"
        return ToolReply((), summary if shown else "No document.", note, found.model_dump(mode="json"))

    async def molecule(self, asked: Named) -> ToolReply:
        """The registry's entry of a molecule."""
        molecule, note = await self._molecule(asked.molecule)
        records = await self._index.records(Filters(molecules=(molecule.name,)))
        found = MoleculeRecord(
            name=molecule.name, aliases=molecule.aliases, documents=tuple(map(_listed, records))
        )
        names = ", ".join((molecule.name, *molecule.aliases))
        return ToolReply(
            (), f"{names}: {counted(len(records), 'document')}", note, found.model_dump(mode="json")
        )

    async def _filters(self, molecule: str, stage: Stage | None) -> tuple[Filters, str]:
        stages = () if stage is None else (stage,)
        if not molecule.strip():
            return Filters(stages=stages), ""
        known, note = await self._molecule(molecule)
        return Filters(molecules=(known.name,), stages=stages), note

    async def _molecule(self, written: str) -> tuple[Molecule, str]:
        """The one molecule that a name stands for, and how the name was read. Raises `ToolRetry`."""
        registry = await self._index.molecules()
        resolutions = resolve(written, registry)
        found = {m.name: m for resolution in resolutions for m in resolution.candidates}
        if len(found) == 1:
            return next(iter(found.values())), " ".join(filter(None, map(note_of, resolutions)))
        if found:
            raise ToolRetry(f"{written!r} may stand for {', '.join(sorted(found))}; ask for one of them.")
        near = ", ".join(near_names(written, registry)) or "none"
        raise ToolRetry(f"The archive does not know a molecule {written!r}. Nearest names: {near}.")


def part_of(opened: LoadedDocument, asked: ReadPart) -> tuple[int, int]:
    """Offsets of the part that is asked for. Raises `ToolRetry` that says what there is."""
    document = opened.document
    if asked.page is not None:
        return page_of(document, asked.page)
    if asked.section:
        return section_of(opened, asked.section)
    length = len(document.text)
    end = min(asked.end or length, length)
    if asked.start >= end:
        raise ToolRetry(f"{asked.doc_id} has {length} characters; start must be less than that and than end.")
    return asked.start, end


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


def counted(count: int, noun: str) -> str:
    """A number with its noun."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _tool(
    name: str,
    description: str,
    inputs: type[I],
    work: Callable[[I], Awaitable[ToolReply]],
    output: type[BaseModel] | None = None,
) -> Tool[I]:
    return Tool(name, description, inputs, work, SOURCE, output=output)


def _found(hit: Hit) -> ToolRecord:
    chunk = hit.chunk
    passage = Passage(
        chunk.doc_id, chunk.start, chunk.end, chunk.text, section=chunk.section, page=chunk.page_first
    )
    return ToolRecord(document_source(hit.record), passage)


def _part(document: Document, start: int, end: int) -> ToolRecord:
    page = next((page.number for page in document.pages if page.start <= start < page.end), None)
    passage = Passage(document.record.doc_id, start, end, document.text[start:end], page=page)
    return ToolRecord(document_source(document.record), passage)


def _has_words(record: DocumentRecord, words: str) -> bool:
    text = f"{record.doc_id} {record.title} {record.document_type} {record.study_type}".lower()
    return all(word in text for word in words.lower().split())


def _listed(record: DocumentRecord) -> ListedDocument:
    return ListedDocument(
        doc_id=record.doc_id,
        title=record.title,
        type=record.document_type,
        date=record.date,
        molecules=record.molecules,
        pages=record.page_count,
        newest_version=record.newest_version,
    )
