"""A value of a table has the unit that its place gives it, wherever the table writes it, and no other."""

import pytest

from agents.trust.support import carriers_of, check_numbers
from agents.trust.values import Verdict
from tests.agents.trust.builders import claim, read_plainly

PLACES = {
    "in the name of the row": (
        "| | Control | High |",
        "| ALT (U/L) | 42 | 187 |",
        "| Urea (mmol/L) | 6 | 9 |",
    ),
    "behind the name": ("| | Control | High |", "| ALT U/L | 42 | 187 |", "| Urea mmol/L | 6 | 9 |"),
    "in the head": ("| Group | ALT (U/L) | Urea (mmol/L) |", "| Control | 42 | 6 |", "| High | 187 | 9 |"),
    "in a second row of heads": (
        "| Group | ALT | Urea |",
        "| | U/L | mmol/L |",
        "| Control | 42 | 6 |",
        "| High | 187 | 9 |",
    ),
    "in a column": ("| | Unit | Control | High |", "| ALT | U/L | 42 | 187 |", "| Urea | mmol/L | 6 | 9 |"),
    "in the sub-head": (
        "| | Control | High |",
        "| **ALT (U/L)** | | |",
        "| Males | 42 | 187 |",
        "| **Urea (mmol/L)** | | |",
        "| Males | 6 | 9 |",
    ),
    "as a sub-head": (
        "| | Control | High |",
        "| **U/L** | | |",
        "| ALT | 42 | 187 |",
        "| **mmol/L** | | |",
        "| Urea | 6 | 9 |",
    ),
}
CAPTIONED = {
    "in the caption": ("| Group | Week 4 | Week 13 |", "| Control | 40 | 42 |", "| High | 180 | 187 |")
}


@pytest.mark.parametrize("place", [*PLACES, *CAPTIONED])
@pytest.mark.parametrize(
    ("told", "right"),
    [
        ("ALT was 42 U/L.", True),
        ("ALT was 187 U/L.", True),
        ("ALT was 4.2 U/L.", False),
        ("ALT was 42 mg/L.", False),
        ("ALT was 42 mmol/L.", False),
        ("ALT was 42 mg/kg.", False),
        ("ALT was 9 U/L.", False),
    ],
)
def test_a_value_has_the_unit_of_its_place(place: str, told: str, right: bool) -> None:
    rows = {**PLACES, **CAPTIONED}[place]
    caption = "Table 1: ALT (U/L)" if place in CAPTIONED else "Table 1: Chemistry"
    width = rows[0].count("|") - 1
    memory = read_plainly("\n".join((caption, "", rows[0], "|---" * width + "|", *rows[1:])))
    evidence = [one for one in memory.all() if one.cells and one.cells != one.header]

    carried = [check_numbers(claim(told, one.key), [one])[0] is Verdict.SUPPORTED for one in evidence]

    assert any(carried) is right


def test_the_unit_behind_numbers_of_another_cell_is_theirs_alone() -> None:
    memory = read_plainly(
        "Table 1: Plan\n\n| Trial | Set | Arm |\n|---|---|---|\n| 1 | A | 0-10-30 mg/kg |\n"
    )
    [row] = [one for one in memory.all() if one.cells and one.cells != one.header]
    assert check_numbers(claim("It had 10-30 mg/kg.", row.key), [row])[0] is Verdict.SUPPORTED
    assert 1.0 in carriers_of([row])[0].stated.unitless
