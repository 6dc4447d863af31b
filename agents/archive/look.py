"""One small tool for a model that reads: it looks for more, and says which passages shown it still needs.

What a search brings is cut to the lines that answer most likely, and what was shown is not shown again. A
model is told of one tool in place of five, for each turn repeats what it is told.
"""

from dataclasses import replace

from pydantic import Field

from agents.archive.reading.first import best_lines, not_shown, of_chunk
from agents.archive.reading.shown import document_line
from agents.archive.tool_inputs import Listing, ReadPart
from agents.archive.toolbox import SOURCE, ArchiveToolbox, counted
from agents.archive.tools import ArchiveTools
from agents.evidence.sources import document_source
from agents.tools.reply import ToolRecord, ToolReply
from agents.tools.tool import Arguments, Tool
from agents.tools.toolset import Toolset
from retrieval.values import Filters, SearchRequest

CHUNKS = 8
"""Chunks of a search of which lines are shown."""
SHARE, FEWEST_CHARACTERS, MOST_CHARACTERS = 0.4, 1_500, 4_000
"""Of what these chunks hold, the share that one search shows, and its bounds."""
READ_CHARACTERS = 5_000
"""Characters of a page or document that are read at once."""


class Look(Arguments):
    """What to look for, or what to read."""

    keep: list[str] = Field(description="keys of shown passages still needed; the others go")
    query: str = Field("", description="few key words, one topic", max_length=2000)
    doc_id: str = Field("", description="only there", max_length=500)
    page: int | None = Field(None, ge=1)


class Looking:
    """The work of the tool."""

    def __init__(self, archive: ArchiveTools) -> None:
        self._archive = archive
        self._toolbox = ArchiveToolbox(archive)

    async def look(self, asked: Look) -> ToolReply:
        """Lines of a search, a page, or the list of documents. Raises `ToolRetry`."""
        if asked.query:
            return await self.search(asked.query, asked.doc_id)
        if not asked.doc_id:
            listed = await self._toolbox.list(Listing.model_validate({}))
            return ToolReply((), listed.summary, listed.note)
        where = {"doc_id": asked.doc_id, "page": asked.page}
        part = await self._toolbox.read(ReadPart.model_validate(where))
        return ToolReply(tuple(map(_cut, part.records)), part.summary, part.note)

    async def search(self, query: str, doc_id: str) -> ToolReply:
        """The lines of the best chunks that answer most likely."""
        index = self._archive.index
        filters = Filters(doc_ids=(doc_id,)) if doc_id else Filters()
        hits = await self._archive.retriever.search(SearchRequest(query, filters, CHUNKS))
        if not hits:
            return ToolReply(
                note=f"Nothing found in {counted(len(await index.records(filters)), 'document')}."
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


def look_toolset(archive: ArchiveTools) -> Toolset:
    """The tool, over an archive."""
    description = "Search the archive (query), or read a document (doc_id, page)."
    return Toolset(SOURCE, (Tool("look", description, Look, Looking(archive).look, SOURCE),))


def _cut(record: ToolRecord) -> ToolRecord:
    """A part of a document that is not longer than is read at once."""
    place = record.place
    text = place.text[:READ_CHARACTERS]
    return replace(record, passage=replace(place, text=text, end=place.start + len(text)))
