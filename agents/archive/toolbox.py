"""The archive as tools: search, read, tables, records. All of them only read.

Their records are passages of documents: verbatim, with offsets, and never a copy of the whole document.
"""

from dataclasses import asdict, replace
from typing import Any

from agents.archive.names import near_names, note_of
from agents.archive.parts import open_document, part_of, tables_of
from agents.archive.reading.shown import document_line
from agents.archive.tool_inputs import ReadPart, RecordList, RecordsAsked, Search, Tables
from agents.archive.tools import ArchiveTools, LoadedDocument, title_passage
from agents.counts import number_of
from agents.errors import ToolRetry
from agents.evidence.sources import document_source
from agents.minds.readable import readable
from agents.tools.reply import ToolRecord, ToolReply
from agents.tools.tool import Tool
from agents.tools.toolset import Toolset
from retrieval.molecules.lookup import resolve
from retrieval.records import RecordFilter, find_records
from retrieval.values import (
    Document,
    Domain,
    Filters,
    Hit,
    Molecule,
    Passage,
    SearchRequest,
    TableRow,
)

SOURCE = "archive"
RERANKED = 24
"""Chunks that the reranker orders for one search."""
READ_AT_ONCE = 12_000
"""Characters of one reply of `read_document`."""
TABLES_AT_ONCE = 4


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
        find = "Find passages of the archive by meaning and by words. Use short queries, one topic each."
        read = "Read a document at a page, a section or an offset; from the beginning if none is given."
        table = "Read whole tables of a document, those first that have most of the words."
        records = "List documents, studies or molecules with what is on record of each."
        return (
            Tool("search_archive", find, Search, self.search, SOURCE),
            Tool("read_document", read, ReadPart, self.read, SOURCE),
            Tool("read_table", table, Tables, self.table, SOURCE),
            Tool("records", records, RecordsAsked, self.records, SOURCE, output=RecordList),
        )

    async def search(self, asked: Search) -> ToolReply:
        """Hybrid search, the best candidates put in order by the reranker."""
        filters, note = await self._filters(asked.molecule, asked.stage)
        filters = replace(
            filters,
            doc_ids=(asked.doc_id,) if asked.doc_id else (),
            date_from=asked.date_from,
            date_to=asked.date_to,
        )
        hits = await self._archive.retriever.search(SearchRequest(asked.query, filters, RERANKED))
        if not hits:
            total = len(await self._index.records(filters))
            return ToolReply(note=f"{note} Nothing found: searched {number_of(total, 'document')}.".strip())
        scores = await self._archive.reranker.score(asked.query, [hit.chunk.text for hit in hits])
        ranked = sorted(zip(scores, hits, strict=True), key=lambda pair: (-pair[0], pair[1].chunk.chunk_id))
        if ranked[0][0] < self._archive.reranker.threshold:
            note = f"{note} No passage is clearly relevant; these are the nearest.".strip()
        records = tuple(_found(hit) for _, hit in ranked[: asked.limit])
        shown = {hit.record.doc_id: hit.record for _, hit in ranked[: asked.limit]}
        summary = f"{number_of(len(records), 'passage')} of {number_of(len(shown), 'document')}"
        lines = "\n".join(map(document_line, shown.values()))
        return ToolReply(records, f"{summary}:\n{lines}", note)

    async def read(self, asked: ReadPart) -> ToolReply:
        """One part of a document."""
        return read_part(await open_document(self._archive, asked.doc_id), asked, READ_AT_ONCE)

    async def table(self, asked: Tables) -> ToolReply:
        """Whole tables of a document."""
        opened = await open_document(self._archive, asked.doc_id)
        tables = list(tables_of(opened))
        words = asked.words.lower().split()
        texts = [f"{table.row.caption if table.row else ''} {table.text}".lower() for table in tables]
        found = [
            (sum(word in text for word in words), table) for text, table in zip(texts, tables, strict=True)
        ]
        ranked = sorted(found, key=lambda pair: (-pair[0], pair[1].start))
        fitting = [table for count, table in ranked if count or not words][:TABLES_AT_ONCE]
        if not fitting:
            captions = "; ".join(dict.fromkeys(t.row.caption for t in tables if t.row and t.row.caption))
            raise ToolRetry(f"{asked.doc_id} has no such table. Captions: {captions or 'none'}.")
        records = tuple(
            part_record(opened.document, t.start, min(t.end, t.start + READ_AT_ONCE)) for t in fitting
        )
        return ToolReply(records, f"{len(records)} of {number_of(len(tables), 'table')} of {asked.doc_id}")

    async def records(self, asked: RecordsAsked) -> ToolReply:
        """Rows that meet the conditions."""
        fields = asked.model_dump(exclude={"offset", "limit"})
        note = ""
        if asked.molecule.strip():
            molecule, note = await self._molecule(asked.molecule)
            fields["molecule"] = molecule.name
        found = await record_reply(self._archive, RecordFilter(**fields), asked.offset, asked.limit)
        return found.noted(note) if note else found

    async def _filters(self, molecule: str, stage: Domain | None) -> tuple[Filters, str]:
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


def _found(hit: Hit) -> ToolRecord:
    """A chunk; one that begins inside a table comes with that table's caption and heads."""
    chunk = hit.chunk
    above = TableRow(readable(chunk.context), (), ()) if chunk.context else None
    passage = Passage(
        chunk.doc_id,
        chunk.start,
        chunk.end,
        chunk.text,
        section=chunk.section,
        page=chunk.page_first,
        row=above,
    )
    return ToolRecord(document_source(hit.record), passage)


def read_part(opened: LoadedDocument, asked: ReadPart, most: int) -> ToolReply:
    """At most so many characters of a part of a document, and where it goes on. Raises `ToolRetry`."""
    if sum((asked.page is not None, bool(asked.section), asked.start > 0)) > 1:
        raise ToolRetry("Give one of page, section and start, not several.")
    start, end, heading = part_of(opened, asked.page, asked.section, asked.start, asked.end)
    stop = min(end, start + most)
    section = f"Section {heading!r}: c" if heading else "C"
    of = f"of {len(opened.document.text)} of {opened.record.doc_id}"
    more = f"The part goes on: read on with start={stop}." if stop < end else ""
    record = part_record(opened.document, start, stop)
    return ToolReply((record,), f"{section}haracters {start} to {stop} {of}.", more)


def part_record(document: Document, start: int, end: int) -> ToolRecord:
    """A stretch of a document, with the page on which it begins."""
    page = next((page.number for page in document.pages if page.start <= start < page.end), None)
    passage = Passage(document.record.doc_id, start, end, document.text[start:end], page=page)
    return ToolRecord(document_source(document.record), passage)


async def record_reply(archive: ArchiveTools, asked: RecordFilter, offset: int, limit: int) -> ToolReply:
    """Rows of the archive's records, each with the passage that stands for it."""
    found = await find_records(archive.index, asked, offset, limit)
    data = RecordList.model_validate({"rows": [asdict(row) for row in found.rows], "total": found.total})
    if not found.rows:
        return ToolReply((), f"None of the {asked.thing} on record.", data=data.model_dump(mode="json"))
    holders = {one.doc_id: one for one in await archive.index.records()}
    passages = [await title_passage(archive, row.documents[0]) for row in found.rows if row.documents]
    records = tuple(ToolRecord(document_source(holders[one.doc_id]), one) for one in passages if one)
    lines = "\n".join(row.line for row in found.rows)
    summary = (
        f"{asked.thing.capitalize()} {offset + 1} to {offset + len(found.rows)} of {found.total}:\n{lines}"
    )
    return ToolReply(records, summary, "", data.model_dump(mode="json"))
