"""Values that stand nearby and belong elsewhere, and true values told in other words."""

from dataclasses import replace

import pytest

from agents.evidence.values import Citation
from agents.trust.carrier import carrier_of
from agents.trust.support import Support, check_numbers, faults
from agents.trust.values import Claim, Derivation, Verdict
from tests.agents.trust.builders import evidence, read_plainly, table_row

WEIGHT = "Weight gain of ferrets was 11.3% lower at 90 mg/kg than in controls; QTcF increased by 4.1 ms."
ENZYME = "ALT rose from 33 ± 6 U/L to 99 ± 17 U/L."
LEVEL = "Low 7\nMid 21\nThe spleen weight was up 16"
DEATHS = "One male and two females were killed; none of 9 deaths was related. It took 3 of 8 ferrets."
COHORT = "Cohort 6 goes to 70 mg."
RATES = "Cough occurred in 11.9% on Qualit and 10.4% on placebo from Day 31 to Day 44 in 150 000 patients."


def test_the_number_of_a_table_is_no_cell_of_it() -> None:
    heads = ("Sex", "Cmax (ng/mL)", "Tmax (h)")
    read = read_plainly(
        f"Table 2. Day 28\n\n| {' | '.join(heads)} |\n|---|---|---|\n| M | 226 | 2 |\n| F | 279 | 1 |\n"
    )
    rows = [replace(one, header=heads) for one in read.dump().evidence if one.text.startswith("| ")]
    carriers = tuple(carrier_of(Citation.of(1, one, one.start, one.end)) for one in rows)

    assert not list(faults("279 ng/mL — Sex F, Cmax (ng/mL), Table 2.", Support(carriers)))


def stands(text: str, quote: str, around: str = "", derived: tuple[Derivation, ...] = ()) -> bool:
    """Whether a claim passes the check of its numbers and the gate."""
    item = replace(evidence(quote), around=around)
    claim = Claim(text, ("E1",), derived=derived)
    carrier = carrier_of(Citation.of(1, item, item.start, item.end))
    checked, _ = check_numbers(claim, [item])
    return checked is Verdict.SUPPORTED and not list(faults(text, Support((carrier,), derived)))


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        (WEIGHT, "Weight gain fell by 11.3% at 90 mg/kg."),
        (WEIGHT, "Weight gain: -11.3% at 90 mg/kg."),
        (WEIGHT, "QTcF rose by 4.1 ms."),
        (ENZYME, "ALT rose from 33 to 99 U/L."),
        (ENZYME, "The mean ALT was 99 U/L (SD 17)."),
        (DEATHS, "1 male and 2 females were killed."),
        (DEATHS, "0 of 9 deaths were related."),
        (COHORT, "Cohort 6 gets 70 mg."),
        (RATES, "There were 150,000 patients."),
        ("The score changed by -6.2 and -1.4 on placebo.", "The score improved by 6.2."),
    ],
)
def test_a_true_value_in_other_words_stands(quote: str, text: str) -> None:
    assert stands(text, quote)


@pytest.mark.parametrize(
    ("quote", "text", "around"),
    [
        (WEIGHT, "Weight gain rose by 11.3% at 90 mg/kg.", ""),
        (WEIGHT, "Weight gain was 11.3% higher at 90 mg/kg.", ""),
        (WEIGHT, "QTcF decreased by 4.1 ms.", ""),
        (WEIGHT, "QTcF increased by 4.1 ms at 30 mg/kg.", "Ferrets got 30 mg/kg or 90 mg/kg."),
        (ENZYME, "ALT rose to 99 mg/L.", ""),
        ("Low 7", "The low dose was 7 mg/kg.", "Table 7 lists them."),
        (LEVEL, "The spleen weight was up 16%.", ""),
        (LEVEL, "The interval was 2 min.", "Table 2. Intervals"),
        (COHORT, "Cohort 6 goes to 40 mg.", "Cohort 5 had 40 mg."),
        (COHORT, "Cohort 5 goes to 70 mg.", "Cohort 5 had 40 mg."),
        (RATES, "There were 15,000 patients.", ""),
        ("The score changed by -6.2.", "The score rose by 6.2.", ""),
    ],
)
def test_a_value_from_nearby_falls(quote: str, text: str, around: str) -> None:
    assert not stands(text, quote, around)


@pytest.mark.parametrize(
    "text", ["3 of 8 ferrets.", "Three of the 8 ferrets.", "0 of 9 deaths.", "9 deaths; 8 ferrets."]
)
def test_a_part_stands_with_its_whole(text: str) -> None:
    assert stands(text, DEATHS)


@pytest.mark.parametrize(
    "text", ["8 of 8 ferrets.", "3 of 9 ferrets.", "Nine of nine deaths.", "3/3 ferrets."]
)
def test_a_part_of_another_whole_falls(text: str) -> None:
    assert not stands(text, DEATHS)


def test_a_date_from_nearby_is_no_other_for_that_of_the_passage() -> None:
    quote, around = "Lot TN-2 was filled on 28 April 2022.", "Memo of 9 May 2022."
    assert stands("It was filled on 2022-04-28.", quote, around)
    assert stands("Filled on 28 April 2022, as the memo of 9 May 2022 tells.", quote, around)
    assert not stands("It was filled on 9 May 2022.", quote, around)


@pytest.mark.parametrize(("text", "right"), [("AUC rose by 190%.", True), ("AUC rose by 290%.", False)])
def test_what_rises_to_a_multiple_rises_by_one_less(text: str, right: bool) -> None:
    quote = "Qualit increased the AUC 2.9-fold."
    by = (
        Derivation("190%", "(2.9 - 1) * 100", ("2.9-fold",), ("E1",)),
        Derivation("290%", "2.9 * 100", ("2.9-fold",), ("E1",)),
    )
    assert stands(text, quote, derived=by[:1] if right else by[1:]) is right


def test_a_spread_an_end_of_a_span_and_a_code_have_their_own_reading() -> None:
    quote = "It was 11 ± 2 h on gestation day 7 to 19 at 5 mL/min (subject 3-004, 4 h post dose)."
    assert stands("It was 11 h on gestation day 7.", quote)
    assert not stands("It was 11 min.", quote)
    assert stands("Subject 3-004 had 11 h at 4 h.", quote)


def test_a_list_of_falls_needs_its_word_once() -> None:
    quote = "Changes: -4.1 with Qualit, -3.3 with Sovit, -1.6 with placebo."
    assert stands("It fell by 4.1 with Qualit, 3.3 with Sovit and 1.6 with placebo.", quote)
    assert not stands("It rose by 4.1 with Qualit and 3.3 with Sovit.", quote)


def test_a_count_before_a_share_is_no_share() -> None:
    row = table_row("Response", ("", "Placebo", "30 mg"), ("Responders, n (%)", "7 (11.1)", "34 (64.2)")).get(
        "E1"
    )
    carrier = carrier_of(Citation.of(1, row, row.start, row.end))
    assert not list(faults("Responders: 34 (64.2%) on 30 mg.", Support((carrier,))))
    assert list(faults("Responders: 34% on 30 mg.", Support((carrier,))))


def test_a_part_that_is_told_alone_may_have_any_whole() -> None:
    assert stands("4 of 8 died.", "There were 8 dogs. 1 of 8 coughed, 4 died.")


def test_a_lot_beside_is_no_name_for_the_lot_of_the_passage() -> None:
    assert stands("Lot TN-002 had 0.31%.", "Lot TN-002 had 0.31%.", "Lot TN-001 follows.")
    assert not stands("TN-001 had 0.31%.", "Lot TN-002 had 0.31%.", "Lot TN-001 follows.")


@pytest.mark.parametrize(("name", "right"), [("P. Roussel", True), ("P. Okafor", False)])
def test_a_name_behind_an_initial_is_a_name(name: str, right: bool) -> None:
    assert stands(f"{name} owns it.", "Owner of the move: P. Roussel") is right


def test_the_number_of_a_heading_counts_nothing() -> None:
    item = replace(evidence("Give 30 mg at Week 4."), section=("6 Dosage",))
    carrier = carrier_of(Citation.of(1, item, item.start, item.end))
    assert not list(faults("30 mg at Week 4.", Support((carrier,))))
    assert list(faults("30 mg at Week 6.", Support((carrier,))))


def test_a_number_without_a_unit_has_one_that_stands_around() -> None:
    assert stands("The low dose was 7 mg/kg.", "Low 7", "Dose levels (mg/kg)")
    assert not stands("The low dose was 7 mg.", "Low 7", "Dose levels (mg/kg)")


def test_another_dose_beside_that_of_the_passage_may_be_told() -> None:
    around = "Ferrets got 30 mg/kg or 90 mg/kg."
    assert stands("QTcF increased by 4.1 ms at 90 mg/kg (doses 30 mg/kg and 90 mg/kg).", WEIGHT, around)


@pytest.mark.parametrize(
    ("value", "formula", "inputs", "text"),
    [
        ("13 days", "44 - 31", ("Day 44", "Day 31"), "It lasted 13 days."),
        ("1.5 percentage points", "11.9 - 10.4", ("11.9", "10.4"), "Cough: 1.5 percentage points more."),
        ("0.119", "11.9 / 100", ("11.9%",), "The share was 0.119."),
        ("11.9%", "59 / 500", ("59",), "Cough occurred in 11.9%."),
    ],
)  # fmt: skip
def test_a_number_computed_of_what_is_stated_stands(
    value: str, formula: str, inputs: tuple[str, ...], text: str
) -> None:
    assert stands(text, RATES, derived=(Derivation(value, formula, inputs, ("E1",)),))
