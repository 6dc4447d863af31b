"""One small tool for a model that reads: it searches, reads on or lists records, and says which passages
shown it still needs.

What a search brings is cut to the lines that answer most likely, and what was shown is not shown again. A
model is told of one tool in place of four, for each turn repeats what it is told.
"""

from dataclasses import replace

from pydantic import Field

from agents.archive.parts import open_document, page_of, pieces_of
from agents.archive.reading.first import best_lines, not_shown, of_chunk
from agents.archive.reading.shown import document_line
from agents.archive.tool_inputs import LISTED_AT_ONCE
from agents.archive.toolbox import SOURCE, part_record, record_reply
from agents.archive.tools import ArchiveTools, LoadedDocument
from agents.counts import number_of
from agents.errors import ToolRetry
from agents.evidence.sources import document_source
from agents.tools.reply import ToolRecord, ToolReply
from agents.tools.tool import Arguments, Tool
from agents.tools.toolset import Toolset
from retrieval.records import RecordFilter, Thing
from retrieval.values import Filters, SearchRequest

CHUNKS = 8
"""Chunks of a search of which lines are shown."""
SHARE, FEWEST_CHARACTERS, MOST_CHARACTERS = 0.4, 1_500, 3_000
"""Of what these chunks hold, the share that one search shows, and its bounds."""
READ_CHARACTERS = 5_000
"""Characters of a page or document that are read at once; one without pages is read in parts of so many."""


class Look(Arguments):
    """What to look for, or what to read."""

    keep: list[str] = Field(description="keys of shown passages still needed; the others go")
    query: str = Field("", description="few key words, one topic", max_length=2000)
    records: Thing | None = Field(None, description="list these, with the words of query in their record")
    doc_id: str = Field("", description="only there", max_length=500)
    page: int | None = Field(None, ge=1)


class Looking:
    """The work of the tool."""

    def __init__(self, archive: ArchiveTools) -> None:
        self._archive = archive

    async def look(self, asked: Look) -> ToolReply:
        """Lines of a search, a page, or records: all documents without a query. Raises `ToolRetry`."""
        if asked.query and not asked.records:
            return await self.search(asked.query, asked.doc_id)
        if asked.doc_id:
            return read_part(await self._opened(asked.doc_id), asked.page)
        wanted = RecordFilter(asked.records or Thing.DOCUMENTS, words=asked.query)
        skipped = LISTED_AT_ONCE * ((asked.page or 1) - 1)
        found = await record_reply(self._archive, wanted, skipped, LISTED_AT_ONCE)
        return found if asked.records else replace(found, records=())

    async def search(self, query: str, doc_id: str) -> ToolReply:
        """The lines of the best chunks that answer most likely."""
        index = self._archive.index
        filters = Filters()
        if doc_id:
            filters = Filters(doc_ids=((await self._opened(doc_id)).record.doc_id,))
        hits = await self._archive.retriever.search(SearchRequest(query, filters, CHUNKS))
        if not hits:
            return ToolReply(
                note=f"Nothing found in {number_of(len(await index.records(filters)), 'document')}."
            )
        parts = [part for own in not_shown([of_chunk(hit.chunk) for hit in hits]) for part in own]
        room = int(SHARE * sum(len(hit.chunk.text) for hit in hits))
        room = min(MOST_CHARACTERS, max(FEWEST_CHARACTERS, room))
        choice = await best_lines(self._archive, (query,), parts, room)
        holders = {hit.record.doc_id: hit.record for hit in hits}
        runs = [run for part in parts for run in choice.runs(part)]
        shown = {run.doc_id: holders[run.doc_id] for run in runs}
        lines = "\n".join(map(document_line, shown.values()))
        records = tuple(ToolRecord(document_source(holders[run.doc_id]), run) for run in runs)
        return ToolReply(records, lines)

    async def _opened(self, doc_id: str) -> LoadedDocument:
        """A document, its id in any spelling. Raises `ToolRetry` for one that there is not."""
        if (opened := await open_document(self._archive, doc_id)) is None:
            raise ToolRetry(
                f"The archive has no document {doc_id!r}. Without query and doc_id all are listed."
            )
        return opened


def look_toolset(archive: ArchiveTools) -> Toolset:
    """The tool, over an archive."""
    description = "Search the archive (query), read a document (doc_id, page), or list records."
    return Toolset(SOURCE, (Tool("look", description, Look, Looking(archive).look, SOURCE),))


def read_part(opened: LoadedDocument, page: int | None) -> ToolReply:
    """A page of a document, or its beginning; of one without pages a part. Raises `ToolRetry`.

    It says where to go on, and where in the document this stands.
    """
    document = opened.document
    doc_id, pages = document.record.doc_id, document.pages
    if not pages:
        parts = pieces_of(document.text, READ_CHARACTERS)
        number = page or 1
        if number > len(parts):
            raise ToolRetry(
                f"{doc_id} is read in {number_of(len(parts), 'part')}; page is at most {len(parts)}."
            )
        where = f"Part {number} of {len(parts)} of {doc_id}." if len(parts) > 1 else f"All of {doc_id}."
        return ToolReply((part_record(document, *parts[number - 1]),), where)
    start, end = page_of(document, page) if page else (0, len(document.text))
    stop = min(end, start + READ_CHARACTERS)
    shown = (part_record(document, start, stop),)
    if page:
        where = f"Page {page} of {len(pages)} of {doc_id}."
        return ToolReply(
            shown, where, "The page goes on: give query and doc_id for more." if stop < end else ""
        )
    goes_on = next((one.number for one in pages if one.start <= stop < one.end), None)
    return ToolReply(shown, f"Beginning of {doc_id}.", f"It goes on at page {goes_on}." if goes_on else "")
