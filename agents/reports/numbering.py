"""Gives a section that another run wrote the citation numbers of the report that it joins."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from agents.evidence.values import Citation
from agents.reports.values import Block, Cell, Figure, Points, Prose, Section, Statement, Structure, Table

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
    return replace(item, citations=tuple(numbers.get(number, number) for number in item.citations))
