"""Dates that are computed of stated dates and times are recomputed; others fall."""

import pytest

from agents.trust.arithmetic import derivation_fault
from agents.trust.carrier import text_carrier
from agents.trust.stated import read_values
from agents.trust.support import Support, faults, sound
from agents.trust.values import Derivation

LETTER = "The letter of 5 December 2024 is due within 90 days; the trial ran 31 January to 12 March 2025."
START = "5 December 2024"


@pytest.mark.parametrize(
    ("value", "formula", "inputs", "right"),
    [
        ("5 March 2025", "5 December 2024 + 90 days", (START, "90 days"), True),
        ("2025-03-05", "2024-12-05 + 90 days", (START, "within 90 days"), True),
        ("97 days", "12 March 2025 - 5 December 2024", ("12 March 2025", START), True),
        ("6 September 2024", "5 December 2024 - 90 days", (START, "90 days"), True),
        ("6 March 2025", "5 December 2024 + 90 days", (START, "90 days"), False),
        ("March 2025", "5 December 2024 + 90 days", (START, "90 days"), False),
        ("4 February 2025", "5 December 2024 + 61 days", (START, "61 days"), False),
        ("4 February 2025", "5 December 2024 + 61 days", (START, "90 days"), False),
        ("4 February 2025", "5 December 2024 + 61 days", ("5 December 2024 and 61 days",), False),
        ("6 March 2025", "6 December 2024 + 90 days", ("6 December 2024", "90 days"), False),
        ("6 March 2025", "6 December 2024 + 90 days", (START, "90 days"), False),
        ("90 days", "12 March 2025 - 5 December 2024", ("12 March 2025", START), False),
        ("5 March 2025", "05/12/2024 + 90 days", (START, "90 days"), False),
        ("5 March 2025", "December 2024 + 90 days", (START, "90 days"), False),
        ("5 March 2025", "(5 December 2024 + 90 days) * 1", (START, "90 days"), False),
    ],
)
def test_a_computed_date_is_recomputed(
    value: str, formula: str, inputs: tuple[str, ...], right: bool
) -> None:
    derivation = Derivation(value, formula, inputs, ())
    assert (derivation_fault(derivation, read_values(LETTER, "", (), ())) == "") is right


def test_a_month_later_is_the_same_day_or_none() -> None:
    stated = read_values(
        "Due one month (1 month) after 31 January 2025 or 1 month after 5 May 2025.", "", (), ()
    )
    later = Derivation("5 June 2025", "5 May 2025 + 1 month", ("5 May 2025", "1 month"), ())
    ended = Derivation("28 February 2025", "31 January 2025 + 1 month", ("31 January 2025", "1 month"), ())
    assert not derivation_fault(later, stated)
    assert derivation_fault(ended, stated)


def test_a_computed_date_carries_itself_and_no_number() -> None:
    carriers = (text_carrier(LETTER),)
    derived = (Derivation("5 March 2025", "5 December 2024 + 90 days", (START, "90 days"), ()),)
    support = Support(carriers, sound(derived, carriers))
    assert not list(faults("The answer is due by 5 March 2025.", support))
    assert list(faults("The answer is due by 6 March 2025.", support))
    assert list(faults("The answer has 2,025 pages.", support))
