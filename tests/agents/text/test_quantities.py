"""Quantities: what is read, in which standard form, and which two are the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.text.frequencies import parse_frequencies
from agents.text.numbers import parse_numbers, words_value
from agents.text.quantities import parse_quantities
from agents.text.quantity import Quantity, same
from agents.text.units import find_units


def only(text: str) -> Quantity:
    (quantity,) = parse_quantities(text)
    return quantity


def standard_form(quantity: Quantity) -> str:
    """Value and unit in standard form, "5-10 mg BID"."""
    bounds = dict.fromkeys(f"{one:.12g}" for one in (quantity.standard_low, quantity.standard_high))
    return " ".join(filter(None, ("-".join(bounds), quantity.standard_unit, quantity.frequency)))


@pytest.mark.parametrize(
    ("text", "normalised"),
    [
        ("2.5 mg", "2.5 mg"),
        ("1,000 mg", "1000 mg"),
        ("0,5 mg", "0.5 mg"),
        ("2·5 mg", "2.5 mg"),
        ("½ tablet", "0.5 tablet"),
        ("two tablets", "2 tablet"),
        ("twenty-five milligrams", "25 mg"),
        ("one hundred and fifty mg", "150 mg"),
        ("７７７ mg", "777 mg"),
        ("٧٧٧ mg", "777 mg"),
        ("𝟕𝟕𝟕 mg", "777 mg"),
        ("⑦⑦⑦ mg", "777 mg"),
        ("⁷⁷⁷ mg", "777 mg"),
        ("⑫mg", "12 mg"),
        ("Ⅻ mg", "12 mg"),
        ("DCCLXXVII mg", "777 mg"),
        ("XX mg/kg", "20 mg/kg"),
        ("seven hundred and seventy-seven mg", "777 mg"),
        ("0.5 g", "500 mg"),
        ("500 µg", "0.5 mg"),
        ("500 μg", "0.5 mg"),
        ("500 mcg", "0.5 mg"),
        ("10 mg per kg per day", "10 mg/kg/day"),
        ("10 milligrams per kilogram per day", "10 mg/kg/day"),
        ("3 mg kg-1 day-1", "3 mg/kg/day"),
        ("3 mg·kg⁻¹·day⁻¹", "3 mg/kg/day"),
        ("5 mg/kg bw/day", "5 mg/kg/day"),
        ("2 mg/kg of body weight per day", "2 mg/kg/day"),
        ("375 mg/m2", "375 mg/m2"),
        ("150 mg/m^2", "150 mg/m2"),
        ("30 mg a day", "30 mg/day"),
        ("5 µg·h/mL", "5000 ng·h/mL"),
        ("12 ng h/mL", "12 ng·h/mL"),
        ("1 mg/L", "1000 ng/mL"),
        ("3 mmol/l", "3000000 nM"),
        ("10 µM", "10000 nM"),
        ("100 IU", "100 IU"),
        ("12%", "12 %"),
        ("3-fold", "3 fold"),
        ("three times the maximum dose", "3 fold"),
        ("10 x the clinical dose", "10 fold"),
        ("14 days", "336 h"),
        ("43.1 y", "517.2 month"),
        ("2 und 8 Stunden", "2 h"),
        ("2 et 8 heures", "2 h"),
        ("62 beats/min", "62 bpm"),
        ("-10 mmHg", "-10 mmHg"),
        ("1.2 × 10^6 U", "1200000 U"),
        ("5 to 10 mg", "5-10 mg"),
        ("2.5–15 mg", "2.5-15 mg"),
        ("5 mg to 10 mg", "5-10 mg"),
        ("between 5 and 10 mg", "5-10 mg"),
        ("15 mg b.i.d.", "15 mg BID"),
        ("once daily doses of 25 mg", "25 mg QD"),
        ("a single oral dose of 5 mg", "5 mg SINGLE"),
        ("500 mg given by mouth every 12 hours", "500 mg BID"),
    ],
)
def test_standard_form(text: str, normalised: str) -> None:
    assert standard_form(parse_quantities(text)[0]) == normalised


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("30 and 100 mg", [30, 100]),
        ("25, 50 or 100 mg", [25, 50, 100]),
        ("10/20 mg", [10, 20]),
        ("0, 30, 100 and 300 mg/kg/day", [0, 30, 100, 300]),
        ("On Day 1, 10 mg", [10]),
        ("In 1985, 10 mg was given", [10]),
        ("ZX 875 and 50 mg of the comparator", [50]),
        ("ZX 1001 10 mg", [10]),
        ("2 x 50 mg", [50]),
        ("Table 2, 10 mg", [10]),
    ],
)
def test_members_of_a_list_share_its_unit_and_labels_do_not(text: str, values: list[float]) -> None:
    assert [quantity.low for quantity in parse_quantities(text)] == values


@pytest.mark.parametrize(
    "text",
    [
        "",
        "mg",
        "ZX-1001",
        "5 F, 5 M",
        "5 M and 5 F",
        "three times daily",
        "3 times/week",
        "4x/day",
        "CYP3A4",
        "in 1990s",
        "phase 2 study",
        "CL L/h",
        "an IV mL syringe",
        "CL⁷ mg",
        "¹⁴C-labelled",
    ],
)
def test_what_is_no_quantity(text: str) -> None:
    assert parse_quantities(text) == ()


def test_a_list_shares_the_frequency_that_follows_it() -> None:
    found = parse_quantities("Doses of 2.5, 5 and 10 mg b.i.d., and 20 mg once daily, were given.")
    assert [quantity.frequency for quantity in found] == ["BID", "BID", "BID", "QD"]


def test_a_thousands_point_is_noted_as_ambiguous() -> None:
    assert only("1.000 mg").low == 1.0
    assert "1000" in only("1.000 mg").note


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("0.5 g", "500 mg"),
        ("500 µg", "0.5 mg"),
        ("1 mg/mL", "1000 µg/mL"),
        ("1 mg/L", "1000 ng/mL"),
        ("24 h", "1 day"),
        ("20 mg/day", "20 mg once daily"),
        ("15 mg b.i.d.", "15 mg twice daily"),
        ("15 mg", "15 mg b.i.d."),
        ("forty mg", "40 mg"),
    ],
)
def test_one_amount_in_two_writings(a: str, b: str) -> None:
    assert same(only(a), only(b))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("10 mg", "10 µg"),
        ("10 mg", "10 mg/kg"),
        ("10 mg/kg", "10 mg/kg/day"),
        ("10 mg/kg", "10 mg/m2"),
        ("10 mg QD", "10 mg BID"),
        ("10 nM", "10 nm"),
        ("10 mg", "10 mL"),
        ("10 mg/day", "10 mg/week"),
        ("10 mg", "5 to 10 mg"),
        ("10 mg", "10.01 mg"),
    ],
)
def test_different_amounts(a: str, b: str) -> None:
    assert not same(only(a), only(b))


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("QD, q.d., OD, once daily, once a day, every day, each morning, q24h", ["QD"] * 8),
        ("BID, b.i.d., twice daily, two times a day, every 12 hours, q12h", ["BID"] * 6),
        ("TID, three times daily, every 8 hours, q8h", ["TID"] * 4),
        ("QW, weekly, once a week, every 7 days", ["QW"] * 4),
        ("Q3W, every three weeks, every 21 days, 3-weekly", ["Q3W"] * 4),
        ("every other day, q.o.d., alternate days", ["Q2D"] * 3),
        ("twice weekly and three times per week", ["2QW", "3QW"]),
        ("monthly; every 3 months", ["QM", "Q3M"]),
        ("a single dose; single ascending doses", ["SINGLE", "SINGLE"]),
        ("on days 1-3 and 8-10 of a 21-day cycle", ["D1-3,8-10", "21-DAY CYCLE"]),
        ("Days 1, 15, and 29", ["D1,15,29"]),
        ("5 days on, 2 days off", ["5D ON/2D OFF"]),
        ("5 days a week", ["5D/W"]),
        ("activities of daily living and a daily diary", []),
        ("total daily dose", []),
    ],
)
def test_frequencies(text: str, terms: list[str]) -> None:
    assert [frequency.term for frequency in parse_frequencies(text)] == terms


@pytest.mark.parametrize(
    ("header", "symbols"),
    [
        ("AUC 0-24 h (µg·h/ml)", ["ng·h/mL"]),
        ("Dose without toxic effect (mg/kg/day)", ["mg/kg/day"]),
        ("Cmax [ng/mL]", ["ng/mL"]),
        ("Dose, mg", ["mg"]),
        ("Patients (n)", []),
    ],
)
def test_units_of_a_header(header: str, symbols: list[str]) -> None:
    assert [unit.symbol for unit in find_units(header)] == symbols


UNITS = st.sampled_from(
    ["ng", "µg", "mg", "g", "mg/kg", "mg/kg/day", "mg/m2", "mg/day", "mL", "ng/mL", "nM", "IU", "%", "h"]
)
AMOUNTS = st.decimals(min_value="0.001", max_value="9999", places=3).map(
    lambda value: f"{value.normalize():f}"
)


@given(AMOUNTS, UNITS)
def test_reading_the_standard_form_again_gives_the_same_quantity(amount: str, unit: str) -> None:
    quantity = only(f"{amount} {unit}")
    assert same(quantity, only(standard_form(quantity)))


@given(AMOUNTS, UNITS, UNITS)
def test_equal_numbers_are_the_same_only_with_equal_units(amount: str, unit: str, other: str) -> None:
    assert same(only(f"{amount} {unit}"), only(f"{amount} {other}")) == (unit == other)


@given(st.text(max_size=200))
def test_offsets_are_slices_of_any_text(text: str) -> None:
    for quantity in parse_quantities(text):
        assert quantity.text == text[quantity.start : quantity.end]
        assert quantity.low <= quantity.high
    for frequency in parse_frequencies(text):
        assert frequency.text == text[frequency.start : frequency.end]


@given(st.lists(st.tuples(AMOUNTS, UNITS), min_size=1, max_size=4))
def test_quantities_of_a_sentence_are_read_in_order(stated: list[tuple[str, str]]) -> None:
    text = " was seen; ".join(f"{amount} {unit}" for amount, unit in stated)
    assert [quantity.text for quantity in parse_quantities(text)] == [f"{a} {u}" for a, u in stated]


def test_numbers_in_words() -> None:
    assert words_value("one hundred and fifty") == 150
    assert words_value("two and a half") == 2.5
    assert [number.value for number in parse_numbers("4.5 × 10⁹ or 1e3 or 2½, T4, AB-12")] == [
        4.5e9,
        1000,
        2.5,
    ]


def test_a_comma_right_behind_a_decimal_parts_two_numbers() -> None:
    assert [one.text for one in parse_numbers("OR = 0.53,95%CI = 0.35, of 12,345 women")] == [
        "0.53",
        "95",
        "0.35",
        "12,345",
    ]
    assert [one.text for one in parse_numbers("1,5 mg and 1,234,567")] == ["1,5", "1,234,567"]
