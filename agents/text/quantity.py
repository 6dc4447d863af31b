"""A quantity of a text in standard form, and when two quantities are the same.

Two quantities are the `same` when they state the same amount in the same dimension, however it is written:
0.5 g is 500 mg, and never 500 µg or 500 mg/kg.
"""

from dataclasses import dataclass, replace
from math import isclose

from agents.text.unit_table import DOSE_SYMBOLS

COMPUTED = "COMPUTED"
"""In place of the frequency of a computed amount that has none: it is no dose that is given so often."""
_RATES = frozenset({COMPUTED, "QD", "BID", "TID", "QID", "Q2D", "QW", "2QW", "3QW", "QM", "SINGLE"}) | {
    f"Q{count}{unit}" for count in range(2, 49) for unit in "HDWM"
}
"""Frequencies that exclude each other; dosing days and cycles go together with any of them."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, or range, with a unit: `text == source[start:end]`.

    `low`, `high` and `unit` are as written (equal bounds for a single value); `standard_low`,
    `standard_high` and `standard_unit` are in SI-prefixed standard form (mass in mg, mass per volume in
    ng/mL, time in h). A member of a list ("30 and 100 mg") covers its own number only and takes the unit
    that follows. `frequency` is a standard term of `agents.text.frequencies`, or "".
    """

    start: int
    end: int
    text: str
    low: float
    high: float
    unit: str
    standard_unit: str
    standard_low: float
    standard_high: float
    frequency: str = ""
    note: str = ""
    turn: int = 0
    """1 where something rose by it, -1 where something fell by it, 0 where neither is told."""

    @property
    def is_range(self) -> bool:
        """Whether two different bounds are stated."""
        return self.low != self.high

    def bounds(self) -> tuple["Quantity", ...]:
        """The two bounds of a range as single values; nothing for a single value."""
        if not self.is_range:
            return ()
        low = replace(self, high=self.low, standard_high=self.standard_low)
        return low, replace(self, low=self.high, standard_low=self.standard_high)

    @property
    def is_dose(self) -> bool:
        """Whether the unit is one in which doses are given."""
        return self.standard_unit in DOSE_SYMBOLS


def same(a: Quantity, b: Quantity) -> bool:
    """Whether two quantities state the same amount. Frequencies must agree where both state one, and so must
    rise and fall.

    A rate per day equals an amount given once daily ("20 mg/day", "20 mg once daily").
    """
    if a.frequency in _RATES and b.frequency in _RATES and a.frequency != b.frequency:
        return False
    if a.turn * b.turn < 0:
        return False
    return any(_equal(x, y) for x in (a, dosage(a)) for y in (b, dosage(b)))


def dosage(quantity: Quantity) -> Quantity:
    """An amount once daily or once weekly written as a rate; anything else unchanged."""
    per = {"QD": "/day", "QW": "/week"}.get(quantity.frequency, "")
    unit = quantity.standard_unit + per
    return replace(quantity, standard_unit=unit) if per and unit in DOSE_SYMBOLS else quantity


def _equal(a: Quantity, b: Quantity) -> bool:
    return (
        a.standard_unit == b.standard_unit
        and isclose(a.standard_low, b.standard_low, rel_tol=1e-9)
        and isclose(a.standard_high, b.standard_high, rel_tol=1e-9)
    )
