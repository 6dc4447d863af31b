"""What a passage states in numbers; cells and heads of a table are read with the units that their table
gives them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache

from agents.text.frequencies import parse_frequencies
from agents.text.numbers import parse_numbers, with_thin_blanks
from agents.text.quantities import parse_quantities
from agents.text.quantity import Quantity, same
from agents.text.rows import plain_head
from agents.text.units import find_units, units_in
from agents.trust.numbered import parse_bare
from agents.trust.retold import as_fall, passed, points, ratios, turned

_NUMBERS_ONLY = re.compile(r"[\s\d.,·<>≤≥~±=/()*–-]+")
"""A head that is a dose or a time alone, as in "0 | 10 | 30 | 100 mg/kg"."""
_GROUP = re.compile(r"\s*[A-Z][A-Za-z]*\.?\s[\d.,]+\s*")
"""A head that is a group with its dose or number, as in "M 20"."""
_ENDS_IN_NUMBER = re.compile(r"[\d.,]+\s*\Z")
"""A head under one that spans it, as in "Time (hours) / 8"."""
_ENDS = re.compile(r"\s?(?:[,;.)\]|±]|[–-](?![A-Za-zµ])|(?:and|or|to|vs\.?|versus)\b|\Z)")
_SPREAD = re.compile(r"\s?(?:±|\+/-)")
_DAY = re.compile(r"\A\s*(?:(?!per\b)\w+\s)?day\b|[(,]\s?day\)?\s*\Z", re.IGNORECASE)
"""A head whose cells number days, as in "Day of nadir" or "Onset (day)"."""
_FIRST_DAY = re.compile(r"\bdays?\s?/\s?(\d{1,3})(?:\s?/[^/]*)?\Z", re.IGNORECASE)
_NEXT_DAY = re.compile(r"\s*(\d{1,3})\s?(?:/[^/\d]*)?\Z")
"""The first of a row of heads that number days, and the next that count on: "Days / 1 / post", "3 / pre"."""
_POWER = re.compile(
    r"(?:[(\[,;]|\bin)\s?(?:[x×*]\s?)?(10(?:\^-?\d+|[⁰¹²³⁴⁵⁶⁷⁸⁹]+|\s\d{1,2})\s?/\s?[A-Za-zµμ]+)"
)
"""A power of ten with a unit in a head: "Platelets (10^9/L)", "WBC, ×10³/µL"."""
_POWERED = re.compile(r"([\d.,]+)\s?[x×*]\s?10")
_RATE = re.compile(
    r"\b(?:dose|dosage|amount)\b[^|]{0,20}?\s(?:per|a|each|/)\s?(?P<per>day|week)\b"
    r"|\b(?P<often>daily|weekly)\s(?:dose|dosage|amount)\b",
    re.IGNORECASE,
)
"""A head whose cells are doses of a day or a week: "Dose per week", "Daily dose (mg)"; "Doses per week" is a
number of them.
"""
_COUNT = re.compile(r"[,(\s]n\s?\)?\s*\Z|\A\s*(?:number|no\.)\sof\b", re.IGNORECASE)
"""A head or a row's label whose cells count: "Discontinued, n", "Number of animals"."""
_COUNT_AND_SHARE = re.compile(r"\bn\s?[,/]?\s?(?:\(\s?%\s?\)|%)", re.IGNORECASE)
"""Over or beside cells like "34 (64.2)": the number before the bracket is no share."""
_VISITS = frozenset({"day", "week", "month", "visit"})
_TIMES = frozenset({"h", "month"})
"""Standard units of time."""
_LABEL = re.compile(r"\s*[A-Z]\s*")
"""A lone capital letter in a cell is a sex or a group; M is no molar there."""


@dataclass(frozen=True, slots=True)
class StatedValues:
    """The numbers of one or several passages."""

    quantities: tuple[Quantity, ...] = ()
    numbers: frozenset[float] = frozenset()
    frequencies: frozenset[str] = frozenset()
    unitless: frozenset[float] = frozenset()
    """Numbers of tables for which neither column, row nor caption names a unit: the text or the legend does,
    or nothing."""
    apart: frozenset[float] = frozenset()
    """Numbers of sentences and plain lines behind which no unit stands."""
    texts: tuple[str, ...] = ()
    """All that was read, and what stands around it; a number `apart` has one of the units in it."""
    read: tuple[str, ...] = ()
    """All that was read, without what stands around it."""
    reached: tuple[Quantity, ...] = ()
    """Times that a day, week or month with a number names: 13 weeks for "Week 13"."""
    passed: frozenset[str] = frozenset()
    """Days, weeks and months that a time names which has passed: "week 13" of "after 13 weeks"."""

    def __add__(self, other: "StatedValues") -> "StatedValues":
        both = ((getattr(self, one.name), getattr(other, one.name)) for one in fields(self))
        return StatedValues(*(a + b if isinstance(a, tuple) else a | b for a, b in both))


def read_values(
    text: str,
    caption: str,
    header: Sequence[str],
    row: Sequence[str],
    about: Sequence[str] = (),
    around: str = "",
    group: Sequence[str] = (),
) -> StatedValues:
    """What a text states; for a row also its table, and the sub-heads of its `group`. `about` are the
    headings over it. What stands `around` names units alone.
    """
    header = tuple(map(plain_head, header))
    text = with_thin_blanks(text)
    row = tuple(with_thin_blanks(f"| {cell} |")[2:-2] for cell in row)
    over = (*reversed(group), caption)
    texts = (text, caption, *header, *row, *about)
    stated = [quantity for part in texts for quantity in _written(part)]
    since = frozenset(point for part in texts for point in passed(part))
    timed = (*texts, *_days(header, row), *_days_of_heads(header), *since)
    return StatedValues(
        (
            *stated,
            *_heads(caption, header),
            *_cells(over, header, row),
            *_powers(over, header, row),
            *_rates(over, header, row),
        ),
        frozenset(number.value for part in texts for number in parse_numbers(part)),
        frozenset(one.term for part in timed for one in parse_frequencies(part)),
        frozenset(_unitless(over, header, row) if row else ()),
        frozenset(() if row else _followed_by_nothing(text)),
        (*texts, around),
        texts,
        tuple(point for part in texts for point in points(part)),
        since,
    )


def writes(stated: StatedValues, unit: str) -> bool:
    """Whether a standard unit is written in what was read, or around it."""
    return any(unit in _units_of(text) for text in stated.texts if text)


def is_powered(quantity: Quantity, apart: frozenset[float], texts: Iterable[str]) -> bool:
    """Whether an amount is a number that stands `apart` times the power of ten that a head among some texts
    gives: 54 x 10^9/L of "Platelets (10^9/L)" and "lowest value 54".
    """
    found = _POWERED.match(quantity.text)
    if found is None or not {number.value for number in parse_numbers(found[1])} & apart:
        return False
    heads = (head for text in texts for head in _POWER.finditer(text))
    return any(same(quantity, one) for head in heads for one in parse_quantities(f"{found[1]} x {head[1]}"))


@lru_cache(maxsize=8192)
def _units_of(text: str) -> frozenset[str]:
    amounts = (one.standard_unit for one in parse_quantities(text))
    return frozenset((*amounts, *(unit.symbol for unit in units_in(text))))


def _written(text: str) -> Iterator[Quantity]:
    """The quantities of a text: what falls by an amount changes by minus that, a margin of 9 is 9-fold."""
    for quantity in parse_quantities(text):
        yield turned(text, quantity)
        if fall := as_fall(text, quantity):
            yield fall
    yield from ratios(text)


def _unitless(over: Sequence[str], header: Sequence[str], row: Sequence[str]) -> Iterator[float]:
    """Numbers of cells and heads for which no place of the table names a unit."""
    for position, cell in enumerate(row):
        counts = _COUNT.search(row[0]) or _COUNT.search(_column(header, position))
        if not counts and not parse_quantities(cell) and not _unit_of(over, header, row, position):
            yield from (number.value for number in parse_numbers(cell))
    for head, units in zip(header, _units_of_heads(over[-1], header), strict=True):
        if not units and (_NUMBERS_ONLY.fullmatch(head) or _GROUP.fullmatch(head)):
            yield from (number.value for number in parse_numbers(head))


def _followed_by_nothing(text: str) -> Iterator[float]:
    """Numbers behind which no word stands that could be their unit, as in a list whose unit follows later.

    The power of a unit is none ("mg/m 2"), nor is what a label numbers ("Table 2"), nor a mean before its
    spread, whose unit stands behind both.
    """
    quantities = parse_quantities(text)
    units = [range(one.end - len(one.unit), one.end) for one in quantities]
    means = {one.start for one in quantities if _SPREAD.match(text, one.end)}
    for number in (one for one in parse_bare(text) if not one.label and one.start not in means):
        if _ENDS.match(text, number.end) and not any(number.start in unit for unit in units):
            yield number.value


def _days(header: Sequence[str], row: Sequence[str]) -> Iterator[str]:
    """Days that cells number, as a sentence writes them: 57 under "Day of nadir" is "day 57"."""
    for head, cell in zip(header, row, strict=False):
        if _DAY.search(head):
            yield from (f"day {number.text}" for number in parse_numbers(cell))


def _days_of_heads(header: Sequence[str]) -> Iterator[str]:
    """Days that heads number in a row, of which only the first says so."""
    last = 0
    for head in header:
        found = _FIRST_DAY.search(head) or (_NEXT_DAY.match(head) if last else None)
        last = int(found[1]) if found and int(found[1]) >= last else 0
        if last:
            yield f"day {last}"


def _heads(caption: str, header: Sequence[str]) -> Iterator[Quantity]:
    """Numbers of heads with their units; the number of a day or group has none ("Day 8 Cmax, ng/mL")."""
    for head, units in zip(header, _units_of_heads(caption, header), strict=True):
        numbers = [number for number in parse_bare(head) if not number.label]
        for unit in units if numbers else ():
            yield from parse_quantities(" ".join(f"{number.text} {unit};" for number in numbers))
            yield from parse_quantities(f"{head.strip()} {unit}")


def _units_of_heads(caption: str, header: Sequence[str]) -> list[tuple[str, ...]]:
    """The units of the numbers in each head; none where a head has no number, or a unit behind each.

    A head of numbers alone ("0 | 10 | 100 mg/kg") has that of the next that is written with one, of the head
    that spans it, or of the caption; "Time (hours) / 8" names its own.
    """
    found: list[tuple[str, ...]] = []
    unit: tuple[str, ...] = ()
    for position in reversed(range(len(header))):
        head = header[position]
        if own := parse_quantities(head):
            unit = (own[-1].unit,)
            found.append(())
        elif _NUMBERS_ONLY.fullmatch(head) or _GROUP.fullmatch(head):
            found.append(unit or _spanning(caption, header, position))
        else:
            unit = ()
            found.append(tuple(name.text for name in find_units(head)))
    return found[::-1]


def _spanning(caption: str, header: Sequence[str], position: int) -> tuple[str, ...]:
    """Units of the nearest head to the left that names any, or of the caption."""
    for place in (*reversed(header[:position]), caption):
        if units := find_units(place):
            return tuple(unit.text for unit in units)
    return ()


def _cells(over: Sequence[str], header: Sequence[str], row: Sequence[str]) -> Iterator[Quantity]:
    """Numbers of cells without a unit of their own, with the unit of column, row, sub-head or caption."""
    for position, cell in enumerate(row):
        if parse_quantities(cell) or not parse_numbers(cell):
            continue
        counted = _COUNT_AND_SHARE.search(" ; ".join((_column(header, position), *row, *over)))
        for unit in _unit_of(over, header, row, position):
            read = cell[cell.index("(") :] if counted and unit == "%" and "(" in cell else cell
            yield from parse_quantities(" ".join(f"{number.text} {unit};" for number in parse_numbers(read)))
            yield from parse_quantities(f"{read.strip()} {unit}")


def _powers(over: Sequence[str], header: Sequence[str], row: Sequence[str]) -> Iterator[Quantity]:
    """Numbers of cells times the power of ten of column, row, sub-head or caption: 1.3 under "10^9/L"."""
    for position, cell in enumerate(row):
        others = " ; ".join(other for place, other in enumerate(row) if place != position)
        places = (_column(header, position), others, *over)
        power = next((found[1] for place in places if (found := _POWER.search(place))), "")
        for number in parse_numbers(cell) if power else ():
            yield from parse_quantities(f"{number.text} x {power}")


def _rates(over: Sequence[str], header: Sequence[str], row: Sequence[str]) -> Iterator[Quantity]:
    """Doses of cells as so much a day or week, where the head says so: 2.4 mg under "Dose per week"."""
    for position, cell in enumerate(row):
        per = rate_named(_column(header, position))
        if not per:
            continue
        for dose in (*parse_quantities(cell), *_cells(over, header, _alone(row, position))):
            if dose.is_dose and not dose.frequency:
                yield from parse_quantities(f"{dose.text} {per}")


def _alone(row: Sequence[str], position: int) -> tuple[str, ...]:
    """The row with one of its cells alone."""
    return tuple(cell if place == position else "" for place, cell in enumerate(row))


def rate_named(head: str) -> str:
    """What a head's doses are given in, "per day" or "per week"; "" where it says neither or both."""
    found = {
        (one["per"] or {"daily": "day", "weekly": "week"}[one["often"].lower()]).lower()
        for one in _RATE.finditer(head)
    }
    return f"per {found.pop()}" if len(found) == 1 else ""


def _unit_of(
    over: Sequence[str], header: Sequence[str], row: Sequence[str], position: int
) -> tuple[str, ...]:
    """The nearest place that names a unit: the column's head, the other cells of the row, the sub-heads and
    the caption over it.
    """
    others = [cell for place, cell in enumerate(row) if place != position and not _LABEL.fullmatch(cell)]
    if units := _unit_of_head(header, position):
        return units
    for places in (others, *([place] for place in over)):
        if units := tuple(unit.text for place in places for unit in find_units(place)):
            return units
    return ()


def _unit_of_head(header: Sequence[str], position: int) -> tuple[str, ...]:
    """Units that a head gives to its cells; none if it ends in a number, whose unit they are then, and which
    is no visit's ("Cmax (ng/mL) / Day 8").

    The unit of a head that spans such numbers is theirs, also over a column that has a name: "pre" beside 1
    and 2 under "Time (hours)".
    """
    head = _column(header, position)
    spanning, over, own = head.rpartition(" / ")
    spanned = (other.removeprefix(f"{spanning} / ") for other in header if other.startswith(f"{spanning} / "))
    if over and any(map(_NUMBERS_ONLY.fullmatch, spanned)):
        head = own
    if not _ENDS_IN_NUMBER.search(head):
        return tuple(unit.text for unit in find_units(head))
    on_a_day = any(number.label in _VISITS and number.end == len(head) for number in parse_bare(head))
    return tuple(unit.text for unit in find_units(head) if on_a_day and unit.symbol not in _TIMES)


def _column(header: Sequence[str], position: int) -> str:
    """The head over a cell; an empty one is spanned by the next to its left."""
    return next((head for head in reversed(header[: position + 1]) if head.strip()), "")
