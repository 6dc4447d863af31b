"""Citation numbers: in the order of reading, and those of a report that a section of another run joins."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from agents.evidence.values import Citation
from agents.reports.brief import MOST_MARKS, brief, marks_of
from agents.reports.marked import TYPED
from agents.reports.values import (
    Block,
    Cell,
    Figure,
    Points,
    Prose,
    Section,
    Statement,
    Structure,
    Table,
    cited_by,
)

Numbered = TypeVar("Numbered", Statement, Cell, Figure, Structure)


def adopted(section: Section, known: Iterable[Citation]) -> Section:
    """The section with numbers of the report: a place that the report cites keeps its number, others
    follow.
    """
    places = {(one.doc_id, one.start, one.end): one.number for one in known}
    last = max(places.values(), default=0)
    numbers: dict[int, int] = {}
    for one in section.citations:
        place = (one.doc_id, one.start, one.end)
        if place not in places:
            last += 1
            places[place] = last
        numbers[one.number] = places[place]
    return replace(
        section,
        blocks=tuple(_block(block, numbers) for block in section.blocks),
        citations=tuple(replace(one, number=numbers[one.number]) for one in section.citations),
    )


def in_reading_order(
    blocks: Sequence[Block], citations: Sequence[Citation], notes: Sequence[str]
) -> tuple[tuple[Block, ...], tuple[Citation, ...], tuple[str, ...]]:
    """Blocks, citations and notes with numbers from 1 in the order in which a reader meets them: those of
    marks that are shown before those that are only counted.

    The marks of one statement or cell that are shown stand in the order of their numbers.
    """
    read, known = brief(Section("", "", (*blocks,), (*citations,)), notes), {one.number for one in citations}
    met = dict.fromkeys([number for block in read.blocks for number in marks_of(block)])
    met |= dict.fromkeys(n for note in read.notes for n in map(int, TYPED.findall(note)) if n in known)
    met |= dict.fromkeys([number for block in blocks for number in cited_by(block)])
    met |= dict.fromkeys(one.number for one in sorted(citations, key=lambda one: one.number))
    numbers = {number: place for place, number in enumerate(met, 1)}
    moved = [replace(one, number=numbers[one.number]) for one in citations]
    told = (TYPED.sub(lambda mark: f"[{numbers.get(int(mark[1]), mark[1])}]", note) for note in notes)
    return (
        tuple(_block(block, numbers) for block in blocks),
        tuple(sorted(moved, key=lambda one: one.number)),
        tuple(told),
    )


def _block(block: Block, numbers: Mapping[int, int]) -> Block:
    if isinstance(block, Prose | Points):
        return replace(block, statements=tuple(_moved(one, numbers) for one in block.statements))
    if isinstance(block, Table):
        return replace(block, rows=tuple(tuple(_moved(cell, numbers) for cell in row) for row in block.rows))
    if isinstance(block, Figure):
        return _moved(block, numbers)
    if isinstance(block, Structure):
        return _moved(block, numbers)
    return block


def _moved(item: Numbered, numbers: Mapping[int, int]) -> Numbered:
    given: list[int] = [numbers.get(number, number) for number in item.citations]
    return replace(item, citations=(*sorted(given[:MOST_MARKS]), *given[MOST_MARKS:]))
