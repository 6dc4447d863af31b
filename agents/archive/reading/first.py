"""What a model is shown first: the chunks that the search ranks first, over all documents and over those that
the question names, so that neither a wrong record nor a wide archive hides the answer.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from agents.archive.find import FoundChunk
from agents.archive.reading.shown import Excerpt
from agents.archive.reading.trim import fitted
from agents.archive.tools import ArchiveTools
from agents.minds.readable import readable
from retrieval.values import Chunk, DocumentRecord, Passage, SearchRequest

PASSAGES = 10
"""Chunks of the search over all documents."""
MOST_SHOWN = 14
CHARACTERS, WHOLE, LEAST = 16_000, 4, 600
"""Of the chunks that are shown first: an easy question takes no more tokens than a plain prompt would. The
first few are shown whole, of the others at least a part."""

GROWN, SHORT = 6, 600
"""The first chunks that are shown with what follows where they are shorter than so many characters."""

InDocument = tuple[Chunk, DocumentRecord]


async def first_excerpts(
    tools: ArchiveTools,
    text: str,
    narrowed: Sequence[FoundChunk],
    most: int = MOST_SHOWN,
    room: int = CHARACTERS,
) -> list[Excerpt]:
    """The best chunks for a question, in turns from all documents and from the narrower search."""
    hits = await tools.retriever.search(SearchRequest(text, limit=PASSAGES))
    everywhere = [hit.chunk.chunk_id for hit in hits]
    turns = zip_longest(everywhere, (chunk.chunk_id for chunk in narrowed[:PASSAGES]))
    ids = dict.fromkeys(one for turn in turns for one in turn if one)
    found = await tools.index.found(list(ids)[:most])
    best = [(await with_what_follows(tools, chunk), record) for chunk, record in found[:GROWN]]
    chunks = without_overlap([*best, *found[GROWN:]])
    whole = [readable(f"{chunk.context}\n{chunk.text}") for chunk, _ in chunks]
    texts = fitted(whole, text, room, WHOLE, LEAST)
    pairs = zip(chunks, texts, strict=True)
    return [Excerpt(of_chunk(chunk), record, shown) for (chunk, record), shown in pairs]


async def with_what_follows(tools: ArchiveTools, chunk: Chunk) -> Chunk:
    """A short chunk with the next sentences or rows of its document."""
    if len(chunk.text) >= SHORT:
        return chunk
    opened = await tools.documents.open(tools.index, chunk.doc_id)
    passages = opened.passages if opened else ()
    ends = [one.end for one in passages if chunk.end < one.end <= chunk.start + 1.5 * SHORT]
    if opened is None or not ends:
        return chunk
    return replace(chunk, end=ends[-1], text=opened.document.text[chunk.start : ends[-1]])


def without_overlap(chunks: Sequence[InDocument]) -> list[InDocument]:
    """The chunks less what one before them shows already."""
    kept: list[InDocument] = []
    for chunk, record in chunks:
        start, end = chunk.start, chunk.end
        for other, _ in kept:
            if other.doc_id == chunk.doc_id:
                start = max(start, other.end) if other.start <= start < other.end else start
                end = min(end, other.start) if other.start < end <= other.end else end
        if start < end:
            cut = chunk.text[start - chunk.start : end - chunk.start]
            kept.append((replace(chunk, start=start, end=end, text=cut), record))
    return kept


def of_chunk(chunk: Chunk) -> Passage:
    """A chunk as a passage."""
    return Passage(
        chunk.doc_id, chunk.start, chunk.end, chunk.text, section=chunk.section, page=chunk.page_first
    )
