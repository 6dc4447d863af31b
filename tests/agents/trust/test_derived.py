"""Numbers that are computed of stated numbers: what their formula gives stands, and nothing else does."""

import pytest

from agents.trust.arithmetic import derivation_fault
from agents.trust.carrier import text_carrier
from agents.trust.stated import read_values
from agents.trust.support import Support, faults
from agents.trust.values import Derivation

STATED = (
    "15 mg b.i.d. was given from day 1 to day 29. AUC was 8 µg·h/mL, 16-fold the 500 ng·h/mL of the dog. "
    "Of 40 patients 12 responded. The hazard ratio was 0.35. Haemoglobin fell from 13.1 g/dL to 11.4 g/dL; "
    "urea was 13.1 mmol/L and 20 mmol/L. Clearance was 2.9-fold that of controls, in 35% and in 20%."
)
HAEMOGLOBIN = ("13.1", "11.4 g/dL")


@pytest.mark.parametrize(
    ("right", "wrong", "formula", "inputs"),
    [
        ("30%", "31%", "100 * 12 / 40", ("12", "40")),
        ("30", "30 mg", "100 * 12 / 40", ("12", "40")),
        ("28", "27", "40 - 12", ("40", "12")),
        ("0.3-fold", "30-fold", "12 / 40", ("12", "40")),
        ("30%", "0.3%", "12 / 40", ("12", "40")),
        ("65%", "0.65", "1 - 0.35", ("0.35",)),
        ("16-fold", "16 mg", "8 / 500", ("8 µg·h/mL", "500 ng·h/mL")),
        ("290%", "290-fold", "100 * 2.9", ("2.9-fold",)),
        ("1.7 g/dL", "1.7", "13.1 - 11.4", HAEMOGLOBIN),
        ("1.7 g/dL", "1.8 g/dL", "13.1 - 11.4", HAEMOGLOBIN),
        ("28 days", "29 days", "29 - 1", ("day 29", "day 1")),
        ("15%", "15 mg", "35 - 20", ("35%", "20%")),
        ("30 mg/day", "30 mg/week", "15 * 2", ("15 mg b.i.d.",)),
        ("30 mg/day", "30 mg twice daily", "15 * 2", ("15 mg b.i.d.",)),
        ("30 mg", "30 mg once daily", "15 * 2", ("15 mg b.i.d.",)),
    ],
)
def test_a_formula_gives_one_value_in_its_unit(
    right: str, wrong: str, formula: str, inputs: tuple[str, ...]
) -> None:
    stated = read_values(STATED, "", (), ())
    assert derivation_fault(Derivation(right, formula, inputs, ()), stated) == ""
    assert derivation_fault(Derivation(wrong, formula, inputs, ()), stated) != ""


@pytest.mark.parametrize(
    ("value", "formula", "inputs"),
    [
        ("8.9 g/dL", "20 - 11.1", ("20", "11.1 g/dL")),
        ("8.6 g/dL", "20 - 11.4", ("20", "11.4 g/dL")),
        ("10 mg", "25 - 15", ("25 mg", "15 mg b.i.d.")),
        ("28", "day 29 - day 1", ("no number",)),
    ],
)
def test_an_input_must_be_stated_in_its_unit(value: str, formula: str, inputs: tuple[str, ...]) -> None:
    assert derivation_fault(Derivation(value, formula, inputs, ()), read_values(STATED, "", (), ()))


@pytest.mark.parametrize(
    ("right", "wrong", "value", "formula", "inputs"),
    [
        ("The risk fell by 65%.", "The risk rose by 65%.", "65%", "1 - 0.35", ("0.35",)),
        ("It was 290% of controls.", "It rose by 290%.", "290%", "100 * 2.9", ("2.9-fold",)),
        ("Patients took 30 mg/day.", "They took 30 mg once daily.", "30 mg", "15 * 2", ("15 mg b.i.d.",)),
        ("28 did not.", "It was 28 mg.", "28", "40 - 12", ("40", "12")),
    ],
)
def test_a_computed_value_is_told_as_what_it_is(
    right: str, wrong: str, value: str, formula: str, inputs: tuple[str, ...]
) -> None:
    support = Support((text_carrier(STATED),), derived=(Derivation(value, formula, inputs, ()),))
    assert not list(faults(right, support))
    assert list(faults(wrong, support))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Clearance was 2.9-fold that of controls", "Clearance was 2.9-fold that of rats in 12 males"),
        (
            "AUC was 8 µg·h/mL, 16-fold the 500 ng·h/mL of the dog",
            "AUC was 8 µg·h/mL, 16-fold the 50 ng·h/mL of it",
        ),
        ("IC50 of the dog", "QX-50 of the dog"),
    ],
)
def test_words_of_the_quote_stand_and_changed_ones_fall(right: str, wrong: str) -> None:
    support = Support((text_carrier(STATED),))
    assert not list(faults(right, support))
    assert list(faults(wrong, support))
