"""Every guard refuses what it is named for (DiscoVerse, Table 3), and says where the value stands."""

from pathlib import Path

import pytest

from agents.archive.answer import Rejected
from agents.archive.research import EXTRACTORS
from tests.agents.archive.research.archives import from_folder, from_texts

FOLDER = Path(__file__).parent / "fictitious"
REFUSED = [
    ("oncology", "NVX-310", "highest_dose", "30 mg/kg", "preclinical vs clinical"),
    ("oncology", "NVX-310", "highest_dose", "75 mg/m2", "partner"),
    ("backup", "QLM-88", "highest_dose", "100 mg b.i.d.", "never dosed in humans"),
    ("inhaled", "BX 7720", "highest_dose", "800 µg", "SAD vs MAD"),
    ("inhaled", "BX 7720", "highest_dose", "18 µg once daily", "comparator"),
    ("renamed", "LMX-330", "highest_dose", "300 mg every 4 weeks", "wrong phase"),
    ("antibiotic", "HK 204", "route", "Oral", "preclinical vs clinical"),
    ("antibiotic", "HK 377", "highest_dose", "2 g t.i.d.", "other molecule"),
]


def refusals(rejected: tuple[Rejected, ...], value: str) -> set[str]:
    return {item.guard for item in rejected if item.value.startswith(value)}


@pytest.mark.parametrize(("folder", "molecule", "question_type", "value", "guard"), REFUSED)
def test_a_value_is_refused_by_the_guard_named_for_it(
    folder: str, molecule: str, question_type: str, value: str, guard: str
) -> None:
    draft = EXTRACTORS[question_type](from_folder(FOLDER / folder).research_input(molecule))
    if guard == "never dosed in humans":
        assert guard in {item.guard for item in draft.rejected}
    else:
        assert guard in refusals(draft.rejected, value), draft.rejected
    assert value not in draft.short.split("(")[0]


def test_planned_steps_of_a_report_are_not_doses_given() -> None:
    archive = from_texts(
        KR_1="""@document_type: Clinical study report
# KRS-412: multiple-dose study in volunteers
Volunteers received 5, 10 and 20 mg KRS-412 twice daily for 7 days. A step of 40 mg b.i.d. had been planned.
"""
    )
    draft = EXTRACTORS["highest_dose"](archive.research_input("KRS-412"))
    assert draft.short.startswith("20 mg twice daily")
    assert "planned vs actual" in refusals(draft.rejected, "40 mg")


def test_a_table_row_that_was_not_started_is_not_a_dose_given() -> None:
    archive = from_texts(
        KR_2="""@document_type: Clinical study report
# KRS-412: multiple-dose study in volunteers

| Step | Dose | Subjects |
|---|---|---|
| 1 | 5 mg b.i.d. | 8 |
| 2 | 10 mg b.i.d. | cancelled |
"""
    )
    draft = EXTRACTORS["highest_dose"](archive.research_input("KRS-412"))
    assert draft.short.startswith("5 mg b.i.d.")


def test_a_withdrawn_study_gives_no_dose_no_route_and_no_regimen() -> None:
    archive = from_texts(
        NCT00000001="""@document_type: Trial registry record
# A Repeat Dose Study of KRS-412 in Healthy Volunteers
## Brief summary
Subjects will receive oral KRS-412 50 mg once daily for 7 days.
## Detailed description
This is a Phase 1 study.
## Status
Overall status: Withdrawn. Reason the study was stopped, as given by the sponsor: Business decision.
"""
    )
    research_input = archive.research_input("KRS-412")
    for question_type in ("route", "highest_dose", "regimen", "first_in_human_dose"):
        assert not EXTRACTORS[question_type](research_input).present
    assert "withdrawn study" in refusals(EXTRACTORS["highest_dose"](research_input).rejected, "50 mg")
    assert "Business decision" in EXTRACTORS["discontinuation_reason"](research_input).short


def test_moderate_events_are_not_serious_ones() -> None:
    archive = from_texts(
        KR_3="""@document_type: Clinical study report
# KRS-412: single-dose study in volunteers
Single oral doses of 5 to 80 mg KRS-412 were given. At 80 mg moderate headache was reported in four men.
No serious or severe adverse event occurred. Serious adverse events will be followed up in later studies.
"""
    )
    draft = EXTRACTORS["highest_dose_with_sae"](archive.research_input("KRS-412"))
    assert not draft.present


def test_an_effect_in_volunteers_is_not_efficacy_in_patients() -> None:
    archive = from_texts(
        KR_4="""@document_type: Clinical study report
# KRS-412: histamine challenge in healthy volunteers
KRS-412 20 mg significantly reduced the wheal area in the volunteers (p<0.01).
"""
    )
    draft = EXTRACTORS["efficacious_dose"](archive.research_input("KRS-412"))
    assert not draft.present
    assert "not in patients" in refusals(draft.rejected, "20 mg")


def test_a_hope_or_a_target_is_not_efficacy() -> None:
    archive = from_texts(
        KR_5="""@document_type: Trial registry record
# KRS-412 in Patients With Asthma
## Brief summary
It is hypothesized that KRS-412 20 mg once daily will be superior to placebo in patients.
## Detailed description
The target dose of KRS-412 is 40 mg. To determine whether 40 mg KRS-412 is effective is the aim.
"""
    )
    assert not EXTRACTORS["efficacious_dose"](archive.research_input("KRS-412")).present


def test_a_regimen_without_a_frequency_is_incomplete() -> None:
    archive = from_texts(
        KR_6="""@document_type: Trial registry record
# KRS-412 in Patients With Asthma
## Brief summary
Patients will be randomized to KRS-412 20 mg or placebo.
## Detailed description
The study has a 12-week treatment period.
"""
    )
    draft = EXTRACTORS["regimen"](archive.research_input("KRS-412"))
    assert not draft.present
    assert "incomplete regimen" in {item.guard for item in draft.rejected}


def test_a_starting_dose_outside_a_first_in_human_study_is_not_the_first_dose() -> None:
    archive = from_texts(
        KR_7="""@document_type: Trial registry record
# KRS-412 With Cisplatin in Patients With Lung Cancer
## Brief summary
The starting dose of KRS-412 will be 20 mg once daily, based on the first-in-human study.
## Detailed description
This is a Phase 1b study.
"""
    )
    draft = EXTRACTORS["first_in_human_dose"](archive.research_input("KRS-412"))
    assert not draft.present
    assert "not identified as first-in-human" in refusals(draft.rejected, "20 mg")
