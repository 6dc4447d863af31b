"""What a passage states in numbers; cells and heads of a table are read with the units that their table
gives them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agents.evidence.values import Evidence
from agents.trust.frequencies import parse_frequencies
from agents.trust.quantities import parse_quantities
from agents.trust.quantity import Quantity
from agents.trust.units import find_units
from agents.trust.written_numbers import parse_numbers

_NUMBERS_ONLY = re.compile(r"[\s\d.,·<>≤≥~±=/()*–-]+")
"""A head that is a dose or a time alone, as in "0 | 10 | 30 | 100 mg/kg"."""
_LABEL = re.compile(r"\s*[A-Z]\s*")
"""A lone capital letter in a cell is a sex or a group; M is no molar there."""


@dataclass(frozen=True, slots=True)
class StatedValues:
    """The numbers of one or several passages."""

    quantities: tuple[Quantity, ...] = ()
    numbers: frozenset[float] = frozenset()
    frequencies: frozenset[str] = frozenset()
    unitless: frozenset[float] = frozenset()
    """Numbers alone in a cell or head whose table names no unit for them: its text or legend does."""

    def __add__(self, other: "StatedValues") -> "StatedValues":
        return StatedValues(
            self.quantities + other.quantities,
            self.numbers | other.numbers,
            self.frequencies | other.frequencies,
            self.unitless | other.unitless,
        )


def stated_values(evidence: Evidence) -> StatedValues:
    """The passage and, for a table row, its caption and header, without which no cell can be read."""
    return read_values(evidence.text, evidence.caption, evidence.header, evidence.cells, evidence.section)


def read_values(
    text: str, caption: str, header: Sequence[str], row: Sequence[str], about: Sequence[str] = ()
) -> StatedValues:
    """What a text states; for a row also its table. `about` are the headings over it."""
    texts = (text, caption, *header, *row, *about)
    stated = [quantity for part in texts for quantity in parse_quantities(part)]
    return StatedValues(
        (*stated, *_heads(caption, header), *_cells(caption, header, row)),
        frozenset(number.value for part in texts for number in parse_numbers(part)),
        frozenset(frequency.term for part in texts for frequency in parse_frequencies(part)),
        frozenset(_unitless(caption, header, row)),
    )


def _unitless(caption: str, header: Sequence[str], row: Sequence[str]) -> Iterator[float]:
    """Cells and heads that are one number alone, and for which no place of the table names a unit."""
    for position, cell in enumerate(row):
        head = _column(header, position)
        if _alone(cell) and not _unit_of(caption, header, row, position) and not parse_quantities(head):
            yield from (number.value for number in parse_numbers(cell))
    if not any(find_units(place) or parse_quantities(place) for place in (*header, caption)):
        yield from (number.value for head in header if _alone(head) for number in parse_numbers(head))


def _alone(text: str) -> bool:
    return bool(_NUMBERS_ONLY.fullmatch(text)) and len(parse_numbers(text)) == 1


def _heads(caption: str, header: Sequence[str]) -> Iterator[Quantity]:
    """Heads that are numbers alone, with the unit of the last of them, of the head that spans them, or of
    the caption.
    """
    unit: tuple[str, ...] = ()
    for position in reversed(range(len(header))):
        head = header[position]
        if own := parse_quantities(head):
            unit = (own[-1].unit,)
        elif not _NUMBERS_ONLY.fullmatch(head) or not parse_numbers(head):
            unit = ()
            for name in find_units(head):  # "Time (hours) / 8": a head under one that spans it
                yield from (
                    quantity
                    for number in parse_numbers(head)
                    for quantity in parse_quantities(f"{number.text} {name.text}")
                )
        else:
            for name in unit or _spanning(caption, header, position):
                yield from parse_quantities(f"{head.strip()} {name}")


def _spanning(caption: str, header: Sequence[str], position: int) -> tuple[str, ...]:
    """Units of the nearest head to the left that names any, or of the caption."""
    for place in (*reversed(header[:position]), caption):
        if units := find_units(place):
            return tuple(unit.text for unit in units)
    return ()


def _cells(caption: str, header: Sequence[str], row: Sequence[str]) -> Iterator[Quantity]:
    """Numbers of cells without a unit of their own, with the unit of column, row or caption."""
    for position, cell in enumerate(row):
        if parse_quantities(cell) or not parse_numbers(cell):
            continue
        for unit in _unit_of(caption, header, row, position):
            yield from parse_quantities(" ".join(f"{number.text} {unit};" for number in parse_numbers(cell)))
            yield from parse_quantities(f"{cell.strip()} {unit}")


def _unit_of(caption: str, header: Sequence[str], row: Sequence[str], position: int) -> tuple[str, ...]:
    """The nearest place that names a unit: the column's head, the other cells of the row, the caption."""
    others = [cell for place, cell in enumerate(row) if place != position and not _LABEL.fullmatch(cell)]
    for place in (_column(header, position), " ; ".join(others), caption):
        if units := find_units(place):
            return tuple(unit.text for unit in units)
    return ()


def _column(header: Sequence[str], position: int) -> str:
    """The head over a cell; an empty one is spanned by the next to its left."""
    return next((head for head in reversed(header[: position + 1]) if head.strip()), "")
