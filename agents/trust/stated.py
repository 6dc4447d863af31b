"""What a piece of evidence states in numbers; table cells are read with the units of their column or row."""

from collections.abc import Iterator
from dataclasses import dataclass

from agents.evidence.values import Evidence
from agents.trust.frequencies import parse_frequencies
from agents.trust.quantities import parse_quantities
from agents.trust.quantity import Quantity
from agents.trust.units import find_units
from agents.trust.written_numbers import parse_numbers


@dataclass(frozen=True, slots=True)
class StatedValues:
    """The numbers of one or several passages."""

    quantities: tuple[Quantity, ...] = ()
    numbers: frozenset[float] = frozenset()
    frequencies: frozenset[str] = frozenset()

    def __add__(self, other: "StatedValues") -> "StatedValues":
        return StatedValues(
            self.quantities + other.quantities,
            self.numbers | other.numbers,
            self.frequencies | other.frequencies,
        )


def stated_values(evidence: Evidence) -> StatedValues:
    """The passage and, for a table row, its caption and header, without which no cell can be read."""
    texts = (evidence.text, evidence.caption, *evidence.header, *evidence.cells)
    stated = [quantity for text in texts for quantity in parse_quantities(text)]
    return StatedValues(
        (*stated, *_cells(evidence)),
        frozenset(number.value for text in texts for number in parse_numbers(text)),
        frozenset(frequency.term for text in texts for frequency in parse_frequencies(text)),
    )


def _cells(evidence: Evidence) -> Iterator[Quantity]:
    """Numbers of cells without a unit of their own, with the unit of column, row or caption."""
    for position, cell in enumerate(evidence.cells):
        if parse_quantities(cell) or not parse_numbers(cell):
            continue
        for unit in _unit_of(evidence, position):
            yield from parse_quantities(" ".join(f"{number.text} {unit};" for number in parse_numbers(cell)))
            yield from parse_quantities(f"{cell.strip()} {unit}")


def _unit_of(evidence: Evidence, position: int) -> tuple[str, ...]:
    """The nearest place that names a unit: the column's header, the other cells of the row, the caption."""
    column = evidence.header[position] if position < len(evidence.header) else ""
    others = [cell for place, cell in enumerate(evidence.cells) if place != position]
    for place in (column, " ; ".join(others), evidence.caption):
        if units := find_units(place):
            return tuple(unit.text for unit in units)
    return ()
