"""What a model is shown first: the chunks that the search ranks first, over all documents and over those that
the question names, so that neither a wrong record nor a wide archive hides the answer.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby, zip_longest
from typing import TypeVar

from agents.archive.corrections import with_corrections
from agents.archive.find import FoundChunk
from agents.archive.general.blocks import slice_of
from agents.archive.general.candidates import candidates_of
from agents.archive.general.question import analyse_question, parts_of
from agents.archive.general.ranking import rank
from agents.archive.reading.choose import Choice, choose
from agents.archive.reading.render import render_lines, section_of
from agents.archive.reading.shown import Excerpt
from agents.archive.tools import ArchiveTools, LoadedDocument
from retrieval.values import Chunk, Filters, Passage, SearchRequest

PASSAGES, MOST_SHOWN = 20, 20
"""Chunks of each search, and of all of them, of which lines may be shown. On questions that strangers wrote,
one answer in fifteen stands in a chunk of rank 11 to 20.
"""
PLAIN = 10
SHARE, RULES = 0.65, 900
FEWEST_CHARACTERS, MOST_CHARACTERS = 2_650, 16_500
"""Of what the first ten chunks hold a share is shown first, less what the rules of the answer take, within
bounds: so an easy question takes fewer tokens than a plain prompt over these chunks.
"""
RERANKED = 48
"""Lines that late interaction judges, for each part of the question."""
SEARCHED = 4.0
"""What the standing of its chunk in the search adds to a line, beside what orders the lines of one chunk."""

SHORT, AROUND = 600, 300
"""A chunk of fewer characters is shown with the lines around it."""

T = TypeVar("T")


async def first_excerpts(
    tools: ArchiveTools,
    text: str,
    narrowed: Sequence[FoundChunk],
    most: int = MOST_SHOWN,
    share: float = SHARE,
    compared: Sequence[str] = (),
    discussed: str = "",
    before: str = "",
) -> list[Excerpt]:
    """The best lines for a question of the best chunks, in turns from all documents, for each of its parts,
    from those of each molecule `compared`, from the document `discussed`, and from the narrower search; of
    what the first ten hold at most a `share`.

    The question `before` in its thread is searched with it: "who was against it?" alone names nothing.
    """
    in_thread = (f"{before} {text}",) if before else ()
    asked = tuple(dict.fromkeys((*parts_of(text), text, *in_thread)))
    searches = [SearchRequest(one, limit=PASSAGES) for one in asked]
    if len(compared) > 1:
        searches += [SearchRequest(text, Filters(molecules=(one,)), PASSAGES) for one in compared]
    if discussed:
        searches.append(SearchRequest(text, Filters(doc_ids=(discussed,)), PASSAGES))
    orders = [await tools.retriever.search(one) for one in searches]
    everywhere = [[hit.chunk.chunk_id for hit in hits] for hits in orders]
    ids = dict.fromkeys(in_turns(*everywhere, [chunk.chunk_id for chunk in narrowed[:PASSAGES]]))
    found = await tools.index.found(list(ids)[:most])
    places = [FoundChunk(one.chunk_id, one.doc_id, one.start, one.end, 0.0) for one, _ in found]
    corrected = await with_corrections(tools, text, places)
    if list(corrected) != places:
        found = await tools.index.found([place.chunk_id for place in corrected])
    records = {record.doc_id: record for _, record in found}
    chunks = [chunk for chunk, _ in found]
    choice = await best_lines(tools, asked, chunks, room_for(chunks, share))
    return [
        Excerpt(
            replace(part, section=section_of(choice, runs), page=runs[0].page),
            records[part.doc_id],
            render_lines(choice, part, runs),
        )
        for part in choice.parts
        if (runs := choice.runs(part))
    ]


def in_turns(*orders: Sequence[T]) -> list[T]:
    """The first of each order, then the second of each, and so on."""
    return [one for turn in zip_longest(*orders) for one in turn if one is not None]


def room_for(chunks: Sequence[Chunk], share: float = SHARE) -> int:
    """The characters that are shown first: a share of what the first chunks hold."""
    plain = sum(len(chunk.text) for chunk in chunks[:PLAIN])
    return min(MOST_CHARACTERS, max(FEWEST_CHARACTERS, int(share * plain) - RULES))


async def best_lines(tools: ArchiveTools, asked: Sequence[str], chunks: Sequence[Chunk], room: int) -> Choice:
    """What fits of the chunks, which come best first: lines in the order of words, late interaction and the
    search.
    """
    opened = await tools.documents.open_all(tools.index, dict.fromkeys(chunk.doc_id for chunk in chunks))
    documents = {one.record.doc_id: one for one in opened}
    parts = stretches(documents, chunks)
    spans: dict[str, list[tuple[int, int, float]]] = {}
    for place, part in enumerate(parts):
        spans.setdefault(part.doc_id, []).append((part.start, part.end, 1 - place / len(parts)))
    lines = [one for doc_id, own in spans.items() for one in candidates_of(documents[doc_id], own)]
    orders = [await rank(tools, analyse_question(one), lines, RERANKED) for one in asked]
    weighed = [sorted(order, key=lambda one: -one.score - SEARCHED * one.searched) for order in orders]
    ranked = [one.passage for one in in_turns(*weighed)]
    return await asyncio.to_thread(choose, documents, parts, ranked, room)


def stretches(documents: Mapping[str, LoadedDocument], chunks: Sequence[Chunk]) -> list[Passage]:
    """The lines of chunks, and those around a short one, as stretches of their documents; no line twice."""
    taken: set[tuple[str, int]] = set()
    parts: list[Passage] = []
    for chunk in chunks:
        if (document := documents.get(chunk.doc_id)) is None:
            continue
        around = AROUND if len(chunk.text) < SHORT else 0
        first, last = document.place_at(chunk.start - around), document.place_of(chunk.end + around)
        news = [number for number in range(first, last) if (chunk.doc_id, number) not in taken]
        taken.update((chunk.doc_id, number) for number in news)
        for _, run in groupby(enumerate(news), lambda pair: pair[1] - pair[0]):
            numbers = [number for _, number in run]
            parts.append(replace(slice_of(document, numbers[0], numbers[-1], numbers[0]), row=None))
    return parts
