"""Passages as they are cited: the paragraph or list around a sentence, the table around a row."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

from agents.archive.tools import LoadedDocument
from retrieval.values import Passage, PassageKind

SHORT = 250
"""A block shorter than this takes its neighbours in the same section along."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Characters of a paragraph or list, of a whole table, and of the rows that are taken of a longer one."""

    text: int = 1_200
    table: int = 4_000
    rows: int = 1_500


CITED = Limits()


def block_around(document: LoadedDocument, place: int, most: Limits = CITED) -> Passage:
    """The block around the passage at this place of a document: a slice of its text.

    A short block takes the next ones of its section along, so that a label is read with what it labels. A
    table is cited whole with its heads; of one that is too long for that only rows are.
    """
    if document.passages[place].row is not None:
        return table_around(document, place, most)
    first = last = place
    while True:
        if belongs(document, first, last, last + 1, most.text):
            last += 1
        elif belongs(document, first, last, first - 1, most.text):
            first -= 1
        else:
            return slice_of(document, first, last, place)


def table_around(document: LoadedDocument, place: int, most: Limits) -> Passage:
    """The whole table around a row; of a long one the rows around it, without the row of heads."""
    rows = document.passages
    first = next(i for i in count(place, -1) if i == 0 or not same_table(rows[i - 1], rows[place]))
    last = next(i for i in count(place) if i + 1 == len(rows) or not same_table(rows[i + 1], rows[place]))
    if rows[last].end - rows[first].start <= most.table:
        return slice_of(document, first, last, place)
    top = first + (rows[first].kind is PassageKind.HEADING)
    first = last_shown = place
    while True:
        beside = [i for i in (last_shown + 1, first - 1) if top <= i <= last]
        fitting = [i for i in beside if size(rows, min(first, i), max(last_shown, i)) <= most.rows]
        if not fitting:
            return slice_of(document, first, last_shown, place)
        first, last_shown = min(first, *fitting), max(last_shown, *fitting)


def size(passages: Sequence[Passage], first: int, last: int) -> int:
    """Characters from one passage to another."""
    return passages[last].end - passages[first].start


def belongs(document: LoadedDocument, first: int, last: int, other: int, most: int) -> bool:
    """Whether the next passage on either side is read with a block, and the block stays short enough."""
    passages = document.passages
    if not 0 <= other < len(passages) or size(passages, min(first, other), max(last, other)) > most:
        return False
    beside, further = passages[first if other < first else last], passages[other]
    if further.row is not None or PassageKind.HEADING in (beside.kind, further.kind):
        return False
    between = document.document.text[min(beside.end, further.end) : max(beside.start, further.start)]
    return beside.section == further.section and (
        size(passages, first, last) < SHORT or "\n\n" not in between
    )


def same_table(one: Passage, other: Passage) -> bool:
    """Whether two rows stand in one table."""
    if one.row is None or other.row is None:
        return False
    return (one.doc_id, one.row.caption, one.row.header) == (
        other.doc_id,
        other.row.caption,
        other.row.header,
    )


def slice_of(document: LoadedDocument, first: int, last: int, place: int) -> Passage:
    """The text from one passage to another; rows keep caption and heads of the one at `place`."""
    passages = document.passages
    if first == last:
        return passages[place]
    start, end = passages[first].start, passages[last].end
    text = document.document.text[start:end]
    return replace(passages[place], start=start, end=end, text=text, page=passages[first].page)


def apart(blocks: Sequence[Passage]) -> list[int]:
    """Places of the blocks that do not lie in one before them."""
    kept: list[int] = []
    for i, block in enumerate(blocks):
        within = [blocks[j] for j in kept if blocks[j].doc_id == block.doc_id]
        if not any(block.start < other.end and other.start < block.end for other in within):
            kept.append(i)
    return kept
