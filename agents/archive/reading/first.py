"""What a model is shown first: the chunks that the search ranks first, over all documents and over those that
the question names, so that neither a wrong record nor a wide archive hides the answer.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TypeVar

from agents.archive.corrections import with_corrections
from agents.archive.find import FoundChunk
from agents.archive.general.candidates import candidates_of
from agents.archive.general.question import analyse_question, parts_of
from agents.archive.general.ranking import rank
from agents.archive.reading.choose import Choice, choose
from agents.archive.reading.render import MARKS, render_lines, section_of
from agents.archive.reading.shown import Excerpt
from agents.archive.tools import ArchiveTools
from retrieval.values import Chunk, DocumentRecord, Filters, Passage, SearchRequest

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

GROWN, SHORT, REST = 6, 600, 200
"""The first chunks are shown with what stands around them where they are shorter than so many characters, and
with the rest of a sentence where they break off in one.
"""

LONGEST_JOINED = 2_000
T = TypeVar("T")
Span = tuple[int, int]
Part = tuple[Passage, str, DocumentRecord]
"""A passage, the heads above it, and its document."""


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
    parts = await parts_shown(tools, found)
    room = room_for([chunk for chunk, _ in found], share)
    choice = await best_lines(tools, asked, [part for part, _, _ in parts], room)
    return [
        Excerpt(
            replace(part, section=section_of(choice, runs), page=runs[0].page),
            record,
            render_lines(choice, part, head, runs),
        )
        for part, head, record in parts
        if (runs := choice.runs(part))
    ]


def in_turns(*orders: Sequence[T]) -> list[T]:
    """The first of each order, then the second of each, and so on."""
    return [one for turn in zip_longest(*orders) for one in turn if one is not None]


def room_for(chunks: Sequence[Chunk], share: float = SHARE) -> int:
    """The characters that are shown first: a share of what the first chunks hold."""
    plain = sum(len(chunk.text) for chunk in chunks[:PLAIN])
    return min(MOST_CHARACTERS, max(FEWEST_CHARACTERS, int(share * plain) - RULES))


async def parts_shown(tools: ArchiveTools, found: Sequence[tuple[Chunk, DocumentRecord]]) -> list[Part]:
    """The chunks with what belongs to them, no part twice, and what follows each other as one."""
    best = [(await with_surroundings(tools, chunk), record) for chunk, record in found[:GROWN]]
    grown = [*best, *found[GROWN:]]
    news = not_shown([of_chunk(chunk) for chunk, _ in grown])
    return joined(
        [
            (part, head_of(part, chunk), record)
            for (chunk, record), own in zip(grown, news, strict=True)
            for part in own
        ]
    )


async def best_lines(
    tools: ArchiveTools, asked: Sequence[str], parts: Sequence[Passage], room: int
) -> Choice:
    """What fits of the parts, which come best first: lines in the order of words, late interaction and the
    search.
    """
    opened = await tools.documents.open_all(tools.index, dict.fromkeys(part.doc_id for part in parts))
    documents = {one.record.doc_id: one for one in opened}
    spans: dict[str, list[tuple[int, int, float]]] = {}
    for place, part in enumerate(parts):
        spans.setdefault(part.doc_id, []).append((part.start, part.end, 1 - place / len(parts)))
    lines = [one for doc_id, own in spans.items() for one in candidates_of(documents[doc_id], own)]
    orders = [await rank(tools, analyse_question(one), lines, RERANKED) for one in asked]
    weighed = [sorted(order, key=lambda one: -one.score - SEARCHED * one.searched) for order in orders]
    ranked = [one.passage for one in in_turns(*weighed)]
    known = [part for part in parts if part.doc_id in documents]
    return await asyncio.to_thread(choose, documents, known, ranked, room)


def joined(parts: Sequence[Part]) -> list[Part]:
    """The parts with those that follow each other without a gap as one, in the place of the better one."""
    kept: list[Part] = []
    for part, head, record in parts:
        for place, (other, above, _) in enumerate(kept):
            if _follows(other, part):
                kept[place] = (replace(other, end=part.end, text=other.text + part.text), above, record)
                break
            if _follows(part, other):
                kept[place] = (replace(part, end=other.end, text=part.text + other.text), head, record)
                break
        else:
            kept.append((part, head, record))
    return kept


def _follows(one: Passage, other: Passage) -> bool:
    """Whether a part goes on where another one ends, in its sentence or table, or not far."""
    if one.doc_id != other.doc_id or one.end != other.start:
        return False
    return not _ends_well(one.text) or len(one.text) + len(other.text) <= LONGEST_JOINED


def _ends_well(text: str) -> bool:
    return text.rstrip(MARKS).endswith((".", "!", "?", ":"))


async def with_surroundings(tools: ArchiveTools, chunk: Chunk) -> Chunk:
    """A short chunk with the sentences or rows around it; any chunk with the rest of a broken sentence."""
    is_short = len(chunk.text) < SHORT
    if not is_short and (_ends_well(chunk.text) or chunk.text.rstrip().endswith("|")):
        return chunk
    opened = await tools.documents.open(tools.index, chunk.doc_id)
    if opened is None:
        return chunk
    before, after = (SHORT // 2, SHORT - len(chunk.text) // 2) if is_short else (0, REST)
    ends = [p.end for p in opened.passages if chunk.end < p.end <= chunk.end + after]
    chunk = replace(chunk, end=(ends or [chunk.end])[-1])
    for first in opened.passages:
        if chunk.start - before <= first.start < chunk.start:
            chunk = replace(
                chunk, start=first.start, section=first.section, page_first=first.page, context=""
            )
            break
    return replace(chunk, text=opened.document.text[chunk.start : chunk.end])


def not_shown(passages: Sequence[Passage], shown: Sequence[Passage] = ()) -> list[list[Passage]]:
    """Of each passage the parts that none before it shows already."""
    taken = [(one.doc_id, one.start, one.end) for one in shown]
    parts = []
    for passage in passages:
        spans = [(passage.start, passage.end)]
        for doc_id, start, end in taken:
            if doc_id == passage.doc_id:
                spans = [part for span in spans for part in (_before(span, start), _after(span, end)) if part]
        parts.append([cut for span in spans if (cut := _cut(passage, *span)).text.strip(MARKS)])
        taken.append((passage.doc_id, passage.start, passage.end))
    return parts


def _before(span: Span, start: int) -> Span | None:
    return (span[0], min(span[1], start)) if span[0] < start else None


def _after(span: Span, end: int) -> Span | None:
    return (max(span[0], end), span[1]) if span[1] > end else None


def _cut(passage: Passage, start: int, end: int) -> Passage:
    text = passage.text[start - passage.start : end - passage.start]
    return replace(passage, start=start, end=end, text=text)


def head_of(part: Passage, chunk: Chunk) -> str:
    """Caption and heads of a table that began before the chunk; those of a later part stand above it."""
    return chunk.context if part.start == chunk.start else ""


def of_chunk(chunk: Chunk) -> Passage:
    """A chunk as a passage."""
    return Passage(
        chunk.doc_id, chunk.start, chunk.end, chunk.text, section=chunk.section, page=chunk.page_first
    )
