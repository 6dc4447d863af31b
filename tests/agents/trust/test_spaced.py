"""Rows of plain text: thousands parted by a blank, and a unit in a cell of its own."""

import pytest

from tests.agents.trust.test_true_and_told import counted, stands

EXPOSURES = """\
   Item, ferret, 3 mg/kg/day   As printed      Corrected
   AUC0-24 at 3 mg/kg          5 310           3 510     ng*h/mL
   Cmax at 3 mg/kg               602             604     ng/mL (unchanged)"""
SPREADS = """\
   Parameter     n      Low            High
   Half-life            5.1 ± 0.4      6.3 ± 0.7    h
   Clearance            12 - 15        21 a         mL/min
   Platelets            1 250 000      980 000      cells"""
COLUMNS = "Weight, low and high    10 200"


@pytest.mark.parametrize(
    ("text", "source", "true"),
    [
        ("AUC0-24 3 510 ng·h/mL (ferret, 3 mg/kg/day)", EXPOSURES, True),
        ("AUC0-24 was 3510 ng*h/mL at 3 mg/kg.", EXPOSURES, True),
        ("AUC0-24 was 3,510 ng·h/mL, printed as 5 310 ng·h/mL.", EXPOSURES, True),
        ("AUC0-24 was 3.51 µg·h/mL.", EXPOSURES, True),
        ("Cmax was 602 ng/mL.", EXPOSURES, True),
        ("AUC0-24 510 ng·h/mL", EXPOSURES, False),
        ("AUC0-24 310 ng·h/mL", EXPOSURES, False),
        ("AUC0-24 3 511 ng·h/mL", EXPOSURES, False),
        ("AUC0-24 3 510 ng/mL", EXPOSURES, False),
        ("AUC0-24 3 510 µg·h/mL", EXPOSURES, False),
        ("AUC0-24 3 602 ng·h/mL", EXPOSURES, False),
        ("AUC0-24 602 ng·h/mL", EXPOSURES, False),
        ("Concentration 3 510 ng/mL", EXPOSURES, False),
        ("On day 3 510 ng·h/mL", EXPOSURES, False),
        ("The half-life was 5.1 h at the low dose.", SPREADS, True),
        ("The half-life was 6.3 ± 0.7 h.", SPREADS, True),
        ("The clearance was 12 to 15 mL/min, then 21 mL/min.", SPREADS, True),
        ("1,250,000 cells", SPREADS, True),
        ("The half-life was 21 h.", SPREADS, False),
        ("The clearance was 5.1 mL/min.", SPREADS, False),
        ("The clearance was 21 L/h.", SPREADS, False),
        ("250,000 cells", SPREADS, False),
        ("1,250 cells", SPREADS, False),
        ("The weights were 10 and 200.", COLUMNS, True),
        ("The weight was 10,200.", COLUMNS, False),
    ],
)
def test_a_row_parted_by_blanks(text: str, source: str, true: bool) -> None:
    assert stands(text, source) is true
    if "." not in source and any(unit in text for unit in ("ng", "µg")):
        assert counted(text, source) is true


def test_thousands_with_thin_blanks_are_one_amount() -> None:
    assert stands("It was 3510 ng/mL.", "It was 3\u202f510 ng/mL.")
    assert not stands("It was 510 ng/mL.", "It was 3\u202f510 ng/mL.")
