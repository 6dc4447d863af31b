"""Passages as a reader sees them: the paragraph, list or table around a sentence or row, whole."""

from collections.abc import Sequence
from dataclasses import replace

from agents.archive.tools import LoadedDocument
from retrieval.values import Passage, PassageKind

LONGEST, LONGEST_TABLE = 700, 1500
"""Characters of a block; a longer paragraph or table is cut around the passage, at passages."""
SHORT = 250
"""A block shorter than this takes its neighbours in the same section along."""


def block_around(document: LoadedDocument, place: int) -> Passage:
    """The block around the passage at this place of a document: a slice of its text.

    A short block takes the next ones of its section along, so that a label is read with what it labels.
    """
    first = last = place
    grown = True
    while grown:
        grown = False
        if belongs(document, first, last, last + 1):
            last, grown = last + 1, True
        elif belongs(document, first, last, first - 1):
            first, grown = first - 1, True
    return slice_of(document, first, last, place)


def belongs(document: LoadedDocument, first: int, last: int, other: int) -> bool:
    """Whether the next passage on either side is read with a block, and the block stays short enough."""
    passages = document.passages
    if not 0 <= other < len(passages):
        return False
    start, end = passages[min(first, other)].start, passages[max(last, other)].end
    beside, further = passages[first if other < first else last], passages[other]
    if end - start > (LONGEST if beside.row is None else LONGEST_TABLE):
        return False
    if beside.row is not None or further.row is not None:
        return beside.row is not None and further.row is not None and same_table(beside, further)
    if PassageKind.HEADING in (beside.kind, further.kind) or beside.section != further.section:
        return False
    short = passages[last].end - passages[first].start < SHORT
    between = document.document.text[min(beside.end, further.end) : max(beside.start, further.start)]
    return short or "\n\n" not in between


def same_table(one: Passage, other: Passage) -> bool:
    """Whether two rows stand in one table."""
    if one.row is None or other.row is None:
        return False
    return (one.row.caption, one.row.header) == (other.row.caption, other.row.header)


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
