"""Whether values state a quantity or a frequency.

Unit-aware: 500 µg is found as 0.5 mg, never as 500 mg or 0.5 mg/kg; a frequency must be stated too.
"""

import re
from collections.abc import Iterable, Sequence

from agents.text.frequencies import Frequency
from agents.text.quantity import Quantity, same
from agents.trust.retold import as_fall, is_reached, is_rounded, turned
from agents.trust.stated import StatedValues, is_powered, writes


def states_told(stated: StatedValues, quantity: Quantity, text: str) -> bool:
    """Whether a quantity of a text is stated, as such or as the words around it tell it."""
    fall = as_fall(text, quantity)
    quantity = turned(text, quantity)
    return (
        states(stated, quantity)
        or (fall is not None and states(stated, fall))
        or is_rounded(text, quantity, stated.quantities)
        or (is_reached(text, quantity) and any(same(quantity, point) for point in stated.reached))
    )


def states(stated: StatedValues, quantity: Quantity) -> bool:
    """Whether a quantity is stated: as such, as a bound of a range, or (a range) by both its bounds.

    A number that stands without any unit carries it: in a table in whatever unit, elsewhere in those that its
    text or the text around writes. Whether that unit is right is for the entailment check to say.
    """
    if any(same(quantity, bound) for known in stated.quantities for bound in (known, *known.bounds())):
        return True
    if not quantity.is_range and quantity.low in stated.unitless:
        return True
    if not quantity.is_range and quantity.low in stated.apart and writes(stated, quantity.standard_unit):
        return True
    if not quantity.is_range and is_powered(quantity, stated.apart, stated.texts):
        return True
    return quantity.is_range and all(states(stated, bound) for bound in quantity.bounds())


def states_frequency(stated: StatedValues, term: str) -> bool:
    """Whether a frequency is stated, as such or as a rate.

    What is given in cycles is given once in each only where no dosing days and no other frequency are stated.
    """
    if stated.frequencies == {_as_cycle(term)} or _days_stated(term, stated):
        return True
    per = {"QD": "/day", "QW": "/week"}.get(term)
    return term in stated.frequencies or bool(
        per and any(quantity.standard_unit.endswith(per) for quantity in stated.quantities)
    )


def _as_cycle(term: str) -> str:
    """The cycle in which something is given every few days: Q3W is a cycle of 21 days; "" for others."""
    found = re.fullmatch(r"Q(\d*)([DW])", term)
    return f"{int(found[1] or 1) * (7 if found[2] == 'W' else 1)}-DAY CYCLE" if found else ""


def _days_stated(term: str, stated: StatedValues) -> bool:
    """Whether dosing days are each stated, together, apart or as ends of a span: "days 1 and 8" of "Day 1 and
    Day 8", "day 7" of "day 7 to 19", which are not days 7 and 19 alone.
    """
    told = _days(term)
    spans = {day for one in stated.frequencies for day in _days(one)}
    ends = {end for span in spans for end in span.split("-")} if len(told) == 1 else set()
    return bool(told) and (spans | ends).issuperset(told)


def _days(term: str) -> tuple[str, ...]:
    """The members of a list of days, "D1,8,15"; none for other frequencies."""
    return tuple(term[1:].split(",")) if re.fullmatch(r"D[\d,-]+", term) else ()


def outside(quantities: Iterable[Quantity], frequencies: Sequence[Frequency]) -> list[Quantity]:
    """Quantities that are not words of a frequency ("12 hours" in "every 12 hours")."""
    return [
        quantity
        for quantity in quantities
        if not any(f.start < quantity.end and quantity.start < f.end for f in frequencies)
    ]
