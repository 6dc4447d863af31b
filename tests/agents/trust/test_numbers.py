"""The number check and derived numbers."""

from dataclasses import replace

import pytest

from agents.text.identifiers import parse_identifiers
from agents.trust.support import check_numbers
from agents.trust.values import Claim, Derivation, Verdict
from tests.agents.trust.builders import claim, evidence, remember, table_row


def verdict(text: str, *passages: str, derived: tuple[Derivation, ...] = ()) -> Verdict:
    memory = remember(*passages)
    keys = tuple(item.key for item in memory.all())
    return check_numbers(Claim(text, keys, derived=derived), memory.all())[0]


@pytest.mark.parametrize(
    ("text", "passage"),
    [
        ("The dose was 0.5 mg.", "Subjects received 500 µg."),
        ("The highest dose was 15 mg b.i.d.", "Doses of 2.5, 5, 10 and 15 mg b.i.d. were given."),
        ("The highest dose was 10 mg.", "Doses were raised from 1 to 10 mg."),
        ("Doses were 1 to 10 mg.", "Doses of 1, 3 and 10 mg were given."),
        ("20 mg once daily", "20 mg/day"),
        ("10 mg twice daily", "10 mg was given to 8 men. Dosing was b.i.d. for ten days."),
        ("500 mg every 12 hours", "500 mg twice daily"),
        ("It was well tolerated.", "No events were seen."),
    ],
)
def test_stated_numbers(text: str, passage: str) -> None:
    assert verdict(text, passage) is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("text", "passage"),
    [
        ("The dose was 10 mg.", "Subjects received 10 µg."),
        ("The dose was 10 mg.", "Dogs received 10 mg/kg."),
        ("10 mg twice daily", "10 mg once daily and 20 mg twice daily"),
        ("10 mg twice daily", "10 mg was given."),
        ("The dose was 20 mg.", "Doses of 2 and 10 mg were given."),
        ("Doses were 1 to 30 mg.", "Doses of 1, 3 and 10 mg were given."),
    ],
)
def test_numbers_that_no_passage_states(text: str, passage: str) -> None:
    assert verdict(text, passage) is Verdict.UNSUPPORTED


def test_a_passage_that_is_not_cited_does_not_count() -> None:
    memory = remember("5 mg was given.", "10 mg was given.")
    assert check_numbers(claim("10 mg", "E1"), [memory.get("E1")])[0] is Verdict.UNSUPPORTED


@pytest.mark.parametrize(
    ("caption", "header", "cells"),
    [
        ("", ("Group", "Cmax (ng/mL)"), ("1", "120")),
        ("Table 1: exposure (ng/mL)", ("Group", "Cmax"), ("1", "120")),
        ("", ("Parameter", "Unit", "Value"), ("Cmax", "ng/mL", "120")),
        ("", ("Parameter", "Value"), ("Cmax (ng/mL)", "120 ± 14")),
    ],
)
def test_a_cell_is_read_with_the_unit_of_its_column_row_or_caption(
    caption: str, header: tuple[str, ...], cells: tuple[str, ...]
) -> None:
    memory = table_row(caption, header, cells)
    assert check_numbers(claim("Cmax was 120 ng/mL.", "E1"), memory.all())[0] is Verdict.SUPPORTED
    assert check_numbers(claim("Cmax was 120 µg/mL.", "E1"), memory.all())[0] is Verdict.UNSUPPORTED


@pytest.mark.parametrize("head", ["Day", "Day of nadir", "Study day", "Nadir (day)", "Nadir, day"])
def test_a_cell_below_a_day_numbers_it(head: str) -> None:
    memory = table_row("Effect", ("Dose", head, "Doses per day"), ("30 mg", "43", "2"))
    assert check_numbers(claim("The nadir came on day 43.", "E1"), memory.all())[0] is Verdict.SUPPORTED
    assert check_numbers(claim("The nadir came on day 2.", "E1"), memory.all())[0] is Verdict.UNSUPPORTED


@pytest.mark.parametrize(
    ("value", "formula", "inputs"),
    [
        ("30 mg/day", "15 * 2", ("15 mg b.i.d.",)),
        ("30 mg/day", "15 × 2 = 30", ("15 mg b.i.d.",)),
        ("16-fold", "8 / 500", ("8 µg·h/mL", "500 ng·h/mL")),
        ("25 %", "100 * 125 / 500", ("125 ng·h/mL", "500 ng·h/mL")),
    ],
)
def test_a_derived_number_that_can_be_recomputed(value: str, formula: str, inputs: tuple[str, ...]) -> None:
    stated = (
        "15 mg b.i.d. was given. AUC was 8 µg·h/mL; 500 ng·h/mL was without effect; 125 ng·h/mL was seen."
    )
    derivation = Derivation(value, formula, inputs, ("E1",))
    assert verdict(f"It is {value}.", stated, derived=(derivation,)) is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("value", "formula", "inputs", "reason"),
    [
        ("45 mg/day", "15 * 2", ("15 mg b.i.d.",), "gives 30 mg"),
        ("30 mg/kg", "15 * 2", ("15 mg b.i.d.",), "gives 30 mg"),
        ("30 mg/day", "10 * 3", ("10 mg t.i.d.",), "no cited passage"),
        ("45 mg/day", "15 * 3", ("15 mg b.i.d.",), "not among its inputs"),
        ("30 mg/day", "__import__('os')", ("15 mg b.i.d.",), "only + - * /"),
        ("30 mg/day", "15 / (2 - 2)", ("15 mg b.i.d.",), "zero"),
        ("30 mg/day", "15 *", ("15 mg b.i.d.",), "no arithmetic"),
        ("30 mg/day", "15 + 2", ("15 mg b.i.d.",), "do not add up"),
        ("30 mg/day", "2 ** 15", ("15 mg b.i.d.",), "only + - * /"),
        ("30 mg/day", "(" * 300, ("15 mg b.i.d.",), "cannot be recomputed"),
    ],
)
def test_a_derived_number_that_cannot(value: str, formula: str, inputs: tuple[str, ...], reason: str) -> None:
    derivation = Derivation(value, formula, inputs, ("E1",))
    found, why = check_numbers(
        Claim(f"It is {value}.", ("E1",), derived=(derivation,)), [evidence("15 mg b.i.d. was given.")]
    )
    assert found is Verdict.UNSUPPORTED
    assert reason in why


def test_a_logarithm_in_a_unit_is_no_name() -> None:
    text = "It is 0.99 log2(1 + RPKM) in the atrium and 3 log10 units of CD34-2A."
    assert [word.text for word in parse_identifiers(text)] == ["CD34-2A"]


def test_the_unit_of_spanned_numbers_is_not_that_of_the_cells_below() -> None:
    heads = ("Animal", "Time after dosing (hours) / pre", "Time after dosing (hours) / 2")
    memory = table_row("", heads, ("F-17", "1.820", "0.9"))
    item = replace(memory.all()[0], around="(mL/breath)")
    assert check_numbers(claim("1.820 mL/breath", "E1"), [item])[0] is Verdict.SUPPORTED
    assert check_numbers(claim("1.82 to 0.95 mL/breath", "E1"), [item])[0] is Verdict.UNSUPPORTED
