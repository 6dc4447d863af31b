"""One small tool for a model that reads: it searches, reads on or lists records, and says which passages
shown it still needs.

What a search brings is cut to the lines that answer most likely, and what was shown is not shown again. A
model is told of one tool in place of four, for each turn repeats what it is told.
"""

from dataclasses import replace

from pydantic import Field

from agents.archive.parts import open_document
from agents.archive.reading.first import best_lines
from agents.archive.reading.shown import document_line, other_names
from agents.archive.tool_inputs import LISTED_AT_ONCE, ReadPart
from agents.archive.toolbox import SOURCE, read_part, record_reply
from agents.archive.tools import ArchiveTools
from agents.counts import number_of
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
"""Characters of a page or document that are read at once."""


class Look(Arguments):
    """What to look for, or what to read."""

    keep: list[str] = Field(description="keys of shown passages still needed; the others go")
    query: str = Field("", description="few key words, one topic", max_length=2000)
    records: Thing | None = Field(None, description="list these, with the words of query in their record")
    doc_id: str = Field("", description="only there", max_length=500)
    page: int | None = Field(None, ge=1)
    start: int = Field(0, description="character, or row of a list, to go on at", ge=0)


class Looking:
    """The work of the tool."""

    def __init__(self, archive: ArchiveTools) -> None:
        self._archive = archive

    async def look(self, asked: Look) -> ToolReply:
        """Lines of a search, a page, or records: all documents without a query. Raises `ToolRetry`."""
        if asked.query and not asked.records:
            return await self.search(asked.query, asked.doc_id)
        if asked.doc_id:
            opened, page, start = await open_document(self._archive, asked.doc_id), asked.page, asked.start
            if page and not opened.document.pages:  # what is read at once is a page then
                start, page = start or (page - 1) * READ_CHARACTERS, None
            part = ReadPart(doc_id=asked.doc_id, page=page, start=start)
            return read_part(opened, part, READ_CHARACTERS)
        wanted = RecordFilter(asked.records or Thing.DOCUMENTS, words=asked.query)
        found = await record_reply(self._archive, wanted, asked.start, LISTED_AT_ONCE)
        records = found.records if asked.records else ()
        return replace(found, records=records, summary="", note=found.summary)  # stays when they are let go

    async def search(self, query: str, doc_id: str) -> ToolReply:
        """The lines of the best chunks that answer most likely."""
        index = self._archive.index
        filters = Filters()
        if doc_id:
            filters = Filters(doc_ids=((await open_document(self._archive, doc_id)).record.doc_id,))
        hits = await self._archive.retriever.search(SearchRequest(query, filters, CHUNKS))
        if not hits:
            return ToolReply(
                note=f"Nothing found in {number_of(len(await index.records(filters)), 'document')}."
            )
        room = int(SHARE * sum(len(hit.chunk.text) for hit in hits))
        room = min(MOST_CHARACTERS, max(FEWEST_CHARACTERS, room))
        choice = await best_lines(self._archive, (query,), [hit.chunk for hit in hits], room)
        holders = {hit.record.doc_id: hit.record for hit in hits}
        runs = [run for part in choice.parts for run in choice.runs(part)]
        shown = {run.doc_id: holders[run.doc_id] for run in runs}
        names = other_names(shown.values(), await index.molecules())
        lines = "\n".join(filter(None, (*map(document_line, shown.values()), names)))
        records = tuple(ToolRecord(document_source(holders[run.doc_id]), run) for run in runs)
        return ToolReply(records, lines)


def look_toolset(archive: ArchiveTools) -> Toolset:
    """The tool, over an archive."""
    description = (
        "Search the archive (query), read a document (doc_id, page), or list records. If something asked for "
        "is missing, look before you answer, once, or twice in other words; several calls in one turn."
    )
    return Toolset(SOURCE, (Tool("look", description, Look, Looking(archive).look, SOURCE),))
