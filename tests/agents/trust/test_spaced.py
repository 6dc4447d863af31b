"""Rows of plain text: thousands parted by a blank, and a unit in a cell of its own."""

import pytest

from agents.evidence.values import Citation
from agents.trust.carrier import carrier_of
from agents.trust.support import Support, check_numbers, faults
from agents.trust.values import Claim, Verdict
from tests.agents.trust.builders import read_plainly
from tests.agents.trust.test_true_and_told import stands

EXPOSURES = """\
   Item, ferret, 3 mg/kg/day   As printed      Corrected
   AUC0-24 at 3 mg/kg          5 310           3 510     ng*h/mL
   Cmax at 3 mg/kg               602             604     ng/mL (unchanged)"""
SPREADS = """\
   Parameter            Low            High
   Half-life            5.1 ± 0.4      6.3 ± 0.7    h
   Clearance            12 - 15        21 a         mL/min
   Platelets            1 250 000      980 000      cells"""
HEADS = """\
Table 4. Toxicokinetics of Osprelan in ferrets
   Dose          Cmax            Tmax       AUC0-24
   (mg/kg/day)   (ng/mL)         (h)        (ng*h/mL)
   10            1 250 ± 310     2.0        12 400
   30            4 100 ± 905 a   4.5 (n=5)  41 700
   a n = 5"""
LOTS = """\
  Lot        Assay (%)     Water content (%)     Ethanol (µg/g)
  TN-1       99.1          0.31                  0.05
  TN-2       98.7          0.44                  0.07"""
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
        ("Cmax was 1,250 ng/mL at 10 mg/kg/day.", HEADS, True),
        ("Cmax: 4 100 ± 905 ng/mL at 30 mg/kg/day", HEADS, True),
        ("AUC0-24 was 41 700 ng·h/mL, Tmax 4.5 h.", HEADS, True),
        ("Tmax was 2.0 h.", HEADS, True),
        ("Cmax was 250 ng/mL.", HEADS, False),
        ("Cmax was 100 ng/mL.", HEADS, False),
        ("Cmax was 1,251 ng/mL.", HEADS, False),
        ("Cmax was 4 100 mg/mL.", HEADS, False),
        ("Cmax was 12 400 ng/mL.", HEADS, False),
        ("AUC0-24 was 400 ng·h/mL.", HEADS, False),
        ("AUC0-24 was 4 100 ng·h/mL.", HEADS, False),
        ("Tmax was 4.5 days.", HEADS, False),
        ("Lot TN-1 assayed at 99.1%, with 0.05 µg/g.", LOTS, True),
        ("Ethanol was 0.05 µg/mL.", LOTS, False),
        ("Water content was 0.05%.", LOTS, False),
        ("The assay was 99.7%.", LOTS, False),
        ("The weights were 10 and 200.", COLUMNS, True),
        ("The weight was 10,200.", COLUMNS, False),
    ],
)
def test_a_row_parted_by_blanks(text: str, source: str, true: bool) -> None:
    items = read_plainly(source).all()
    carriers = tuple(carrier_of(Citation.of(1, one, one.start, one.end)) for one in items)
    assert bool(list(faults(text, Support(carriers)))) is not true
    if any(unit in text for unit in ("ng", "µg")):
        claim = Claim(text, tuple(one.key for one in items))
        assert (check_numbers(claim, items)[0] is Verdict.SUPPORTED) is true


def test_thousands_with_thin_blanks_are_one_amount() -> None:
    assert stands("It was 3510 ng/mL.", "It was 3\u202f510 ng/mL.")
    assert not stands("It was 510 ng/mL.", "It was 3\u202f510 ng/mL.")
