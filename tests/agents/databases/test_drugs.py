"""Drugs: directions, phases, and salts that count as their drug."""

import pytest

from agents.databases.drugs import Drug, acting, apposed, change_of, plain_name, ranked, shown_name


@pytest.mark.parametrize(
    ("action", "change"),
    [
        ("INHIBITOR", "inhibition"),
        ("Inverse agonist", "inhibition"),
        ("partial agonist", "activation"),
        ("POSITIVE ALLOSTERIC MODULATOR", "activation"),
        ("modulator", ""),
        ("binding agent", ""),
        ("", ""),
    ],
)
def test_an_action_has_a_direction_only_where_it_is_clear(action: str, change: str) -> None:
    assert change_of(action) == change


def test_a_medicine_that_brings_a_poison_to_the_target_does_not_inhibit_it() -> None:
    for name in ("denileukin diftitox", "Trastuzumab deruxtecan"):
        assert Drug(name, action="antibody binding").change == ""
    assert Drug("irinotecan", action="inhibitor").change == "inhibition"


def test_what_a_drug_does_is_told_in_english() -> None:
    told = [acting(one, "ZORB1") for one in ("inhibitor", "antibody binding", "other", "")]
    read = "binds ZORB1, read as inhibition"
    assert told == ["is an inhibitor of ZORB1", read, "acts on ZORB1", "acts on ZORB1"]
    assert [apposed(one) for one in told[:2]] == ["an inhibitor of ZORB1", f"which {read}"]
    assert acting("binding agent", "ZORB1") == "binds ZORB1"


def test_salts_count_as_their_drug_with_the_highest_phase() -> None:
    salt = Drug("Erlotinib hydrochloride", "CHEMBL2", 4.0, "inhibitor")
    free = Drug("Erlotinib", "CHEMBL1", 2.0)
    other = Drug("AEE-788", "CHEMBL3", 2.0)
    assert ranked([other, salt, free]) == (Drug("Erlotinib", "CHEMBL1", 4.0, "inhibitor"), other)


def test_a_name_that_is_a_salt_alone_stays() -> None:
    assert plain_name("Magnesium sulfate") == "Magnesium"
    assert plain_name("Phosphate") == "Phosphate"


def test_names_in_capitals_are_written_as_in_a_sentence_and_codes_are_not() -> None:
    assert [shown_name(name) for name in ("VEMURAFENIB", "XL-281", "SODIUM OXYBATE", "TAK-285", "DDX")] == [
        "Vemurafenib",
        "XL-281",
        "Sodium oxybate",
        "TAK-285",
        "DDX",
    ]


def test_an_unknown_phase_is_said_to_be_unknown() -> None:
    assert Drug("x").stage == Drug("x", phase=-1.0).stage == "unknown phase"
