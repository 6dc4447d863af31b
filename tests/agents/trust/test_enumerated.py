"""The numbers of an answer's own list are no values; those of its items are."""

import pytest

from agents.trust.carrier import text_carrier
from agents.trust.enumerated import listed
from agents.trust.support import Support, faults

GROUNDS = "QT prolongation, hepatic necrosis in rats and poor solubility led to the stop."


def stands(text: str) -> bool:
    return not list(faults(text, Support((text_carrier(GROUNDS),))))


@pytest.mark.parametrize(
    "text",
    [
        "Three grounds: (1) QT prolongation (2) hepatic necrosis (3) poor solubility.",
        "Three grounds are given: (1) QT prolongation; (2) hepatic necrosis; (3) poor solubility.",
        "The grounds were: 1. QT prolongation 2. hepatic necrosis 3. poor solubility",
        "1. QT prolongation.\n2. Hepatic necrosis in rats.",
        "1) QT prolongation\n2) hepatic necrosis",
        "It was stopped because of (1) QT prolongation and (2) hepatic necrosis.",
        "Animals were excluded for: (1) QT prolongation (2) hepatic necrosis.",
    ],
)
def test_a_list_with_numbers_of_its_own_stands(text: str) -> None:
    assert stands(text)


@pytest.mark.parametrize(
    "text",
    [
        "Four grounds: (1) QT prolongation (2) hepatic necrosis (3) poor solubility.",
        "Three grounds: (1) QT prolongation (2) hepatic necrosis (3) falling sales.",
        "Three rats: (1) QT prolongation (2) hepatic necrosis (3) poor solubility.",
        "Three rats died. Three grounds: (1) QT prolongation (2) hepatic necrosis (3) poor solubility.",
        "Two grounds: (1) QT prolongation by 14 ms (2) hepatic necrosis.",
        "The grounds were (1) QT prolongation (3) hepatic necrosis.",
        "Hepatic necrosis: control (1), treated rats (2).",
        "Rats with necrosis were (1) in controls and (2) in treated groups.",
        "Necrosis, (1) controls, (2) treated rats.",
        "(12) rats had necrosis.",
        "(3) rats had necrosis.",
        "3) rats with hepatic necrosis",
        "Necrosis by group was: (1) rats (2) solubility.",
        "Cases were (1) QT prolongation (2) hepatic necrosis.",
        "Cases of necrosis: 1. rats, 2. solubility.",
        "Rats with necrosis: (1) QT prolongation (2) solubility.",
        "Necrosis in rats: 1. In females: 2. No more had it.",
        "The stop was 1. It led to 2. Poor solubility.",
    ],
)
def test_other_numbers_in_brackets_and_wrong_counts_fall(text: str) -> None:
    assert not stands(text)


def test_an_item_stands_as_a_part_of_its_list_alone() -> None:
    support = Support((text_carrier(GROUNDS),))
    assert not list(faults("(2) hepatic necrosis", support, of_list=True))
    assert list(faults("(2) hepatic necrosis", support))


def test_a_list_is_told_by_its_items() -> None:
    found = listed("Two aims: 1) safety; 2) dose")
    assert found.items == ("safety", "dose")
    assert found.read("Safety and dose.") == "…  aims: • safety; • dose".replace("  ", " ")
    assert listed("Deaths: control (1), low (2)").items == ()
