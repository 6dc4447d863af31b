"""Outcomes by the words that people use."""

import pytest

from agents.vigilance.outcomes import is_known, known_outcomes, near_outcomes, outcome_of


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("angioedema", "angioedema"),
        ("Angio-oedema", "angioedema"),
        ("heart attacks", "myocardial infarction"),
        ("acute kidney injury", "renal failure"),
        ("AKI", "renal failure"),
        ("GI bleeding", "gastrointestinal bleeding"),
        ("haemorrhage", "bleeding"),
        ("hip fractures", "hip fracture"),
        ("OMOP Acute Liver Failure 1", "acute liver injury"),
        ("OMOP Acute myocardial Infarction  1", "myocardial infarction"),
        ("stroke", "stroke"),
        ("HOI Upper GI #3", "gastrointestinal ulcer"),
        ("bleeding events", "bleeding"),
        ("glycogen storage disease type 2", "glycogen storage disease type 2"),
        ("Chikungunya-3", "chikungunya-3"),
        ("composite renal events", "composite renal events"),
        ("NSTEMI", "myocardial infarction"),
        ("QTc", "qt prolongation"),
        ("clots in the legs", "venous thromboembolism"),
        ("dying after a heart attack", "mortality after myocardial infarction"),
        ("post-MI mortality", "mortality after myocardial infarction"),
        ("bleeding after knee surgery", "bleeding after knee surgery"),
    ],
)
def test_words_of_people_name_the_outcome(written: str, name: str) -> None:
    found = outcome_of(written)
    assert found.name == name
    assert found.asked == written.strip()
    assert found.terms[0] == name


def test_an_outcome_that_the_table_does_not_know_is_looked_for_by_its_own_words() -> None:
    found = outcome_of("acute intermittent porphyria")
    assert found.name == "acute intermittent porphyria"
    assert found.terms == ("acute intermittent porphyria", "intermittent porphyria")


@pytest.mark.parametrize(
    ("written", "near"),
    [
        ("thrombocitopenia", "thrombocytopenia"),
        ("tardive diskinesia", "tardive dyskinesia"),
        ("orthostatic hypotention", "hypotension"),
        ("jaundise", "jaundice"),
    ],
)
def test_a_misspelt_outcome_is_near_a_known_one(written: str, near: str) -> None:
    assert not is_known(written)
    assert near_outcomes(written)[0] == near


@pytest.mark.parametrize(
    "written",
    [
        "gout",
        "jaundice",
        "sarcoidosis",
        "hypernatremia and thirst",
        "lymphedema",
        "bradyphrenia",
        "pertussis",
    ],
)
def test_what_is_spelt_right_is_near_nothing(written: str) -> None:
    assert near_outcomes(written) == ()


def test_words_in_which_people_ask_are_not_looked_for_in_labels() -> None:
    assert "nstemi" not in outcome_of("NSTEMI").terms


def test_no_term_of_the_table_is_also_a_sign_of_the_same_outcome() -> None:
    for one in known_outcomes().values():
        assert not set(one.terms) & set(one.narrower), one.name


@pytest.mark.parametrize("written", ["Inventa syndrome", "inventa's disease", "Inventa’s Disorder"])
def test_an_unknown_illness_is_looked_for_as_syndrome_disease_and_disorder(written: str) -> None:
    terms = outcome_of(written).terms
    assert {"inventa syndrome", "inventa's disorder", "inventa disease"} <= set(terms)
    assert outcome_of("heartburn of the inventa").terms == ("heartburn of the inventa",)


@pytest.mark.parametrize("written", ["post " * 800 + "a", "a " * 3000])
def test_a_name_without_end_is_read_at_once(written: str) -> None:
    assert outcome_of(written).name


@pytest.mark.parametrize(
    ("british", "name"), [("oesophageal ulcer", "gastrointestinal ulcer"), ("tumour", "cancer")]
)
def test_british_names_are_known(british: str, name: str) -> None:
    assert outcome_of(british).name == name
