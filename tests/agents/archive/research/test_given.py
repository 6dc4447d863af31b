"""Doses that were never given, not of the molecule or not of the species, and those that were."""

from dataclasses import replace

import pytest

from agents.archive.research import EXTRACTORS
from agents.archive.research.documents.annotation import annotated_documents
from agents.archive.research.documents.doses import all_doses
from agents.archive.research.documents.given import denied_in
from agents.archive.research.guards.doses import CLINICAL, admit
from agents.archive.research.patterns.amounts import dose_quantities
from tests.agents.archive.research.archives import from_texts

REPORT = """@document_type: Clinical study report
# VDT-660 in patients with gout: a Phase II study

Patients received VDT-660 5 mg or 10 mg twice daily for 8 weeks. {0}
"""
MARGIN = """# Safety margin of VDT-660

The margin is 3-fold, from the NOAEL in the minipig and the AUC at 45 mg.
"""


def amounts(sentence: str) -> list[str]:
    archive = from_texts(VD_1=REPORT.format(sentence))
    admitted, _ = admit(all_doses(annotated_documents(archive.research_input("VDT-660"))), CLINICAL)
    return [dose.single_text for dose in admitted]


@pytest.mark.parametrize(
    "sentence",
    [
        "Modelling predicts that 80 mg will be tolerated.",
        "80 mg twice daily is expected to be tolerated.",
        "The simulation supports 80 mg twice daily.",
        "Extrapolation to 80 mg suggests full occupancy.",
        "The committee considered 80 mg but decided against it.",
        "The sponsor intends to study 80 mg in a follow-up trial.",
        "Doses up to 80 mg could be explored in a next study.",
        "The NOAEL in dogs is equal to 80 mg in a person of 60 kg.",
    ],
)
def test_a_dose_that_was_only_thought_of_was_not_given(sentence: str) -> None:
    assert amounts(sentence) == ["5 mg", "10 mg"]


@pytest.mark.parametrize(
    "sentence",
    [
        "A group on 80 mg twice daily was introduced by amendment 2 but closed without recruiting.",
        "Amendment 2 added a level of 80 mg; the study was closed before any subject received it.",
        "A cohort at 80 mg was opened. Nobody was enrolled in it.",
        "Escalation to 80 mg was not approved by the safety board.",
        "The 80 mg step was skipped.",
        "Recruitment to the 80 mg arm never began.",
        "The ethics committee vetoed 80 mg.",
        "The trial ended while the 80 mg group was still empty.",
        "The levels were 5, 10 and 80 mg twice daily in all centres. The 80 mg step was skipped.",
    ],
)
def test_a_dose_whose_group_nobody_entered_was_not_given(sentence: str) -> None:
    assert "80 mg" not in amounts(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "One patient took 80 mg by mistake and recovered.",
        "A volunteer swallowed 80 mg in an accidental overdose.",
        "A bottle mix-up led one subject to take 80 mg.",
    ],
)
def test_a_slip_is_no_dose_level(sentence: str) -> None:
    assert amounts(sentence) == ["5 mg", "10 mg"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Fexurodine 800 mg three times daily was continued in all patients.",
        "All patients remained on 800 mg sulfadoxone a day.",
        "Subjects also took 800 mg of trivolarine at bedtime.",
        "Lorexepam (800 mg at night) was allowed for sleep.",
    ],
)
def test_a_dose_of_a_drug_that_no_list_knows_is_not_of_the_molecule(sentence: str) -> None:
    assert amounts(sentence) == ["5 mg", "10 mg"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Cohort 4 took 80 mg once daily for ten days.",
        "At 80 mg, Cmax was 410 ng/mL, as the model had suggested.",
        "Exposure at 80 mg was lower than predicted.",
        "No patient treated with 80 mg had a serious event.",
        "Nobody on 80 mg needed a lower dose.",
        "The 80 mg arm was closed early because of vomiting in five of nine patients.",
        "Protocol amendment 1 raised the dose to 80 mg, and eleven patients received it.",
        "VDT-660 besilate 80 mg was administered after breakfast.",
        "80 mg was considered to be the maximum tolerated dose.",
        "80 mg was given without food.",
    ],
)
def test_a_dose_that_was_given_stays_one(sentence: str) -> None:
    assert "80 mg" in amounts(sentence)


def test_an_amount_beside_an_animal_is_no_dose_of_that_animal() -> None:
    [dose] = all_doses(annotated_documents(from_texts(VD_1=MARGIN).research_input("VDT-660")))
    assert dose.human is None


def test_of_two_versions_the_newest_is_read() -> None:
    archive = from_texts(
        VD_1=REPORT.format("80 mg was given too."), VD_2=REPORT.format("40 mg was given too.")
    )
    asked = archive.research_input("VDT-660")
    older, newer = asked.documents
    record = replace(older.record, newest_version=newer.record.doc_id)
    older = replace(older, document=replace(older.document, record=record))
    draft = EXTRACTORS["highest_dose"](replace(asked, documents=(older, newer)))
    assert draft.short.startswith("40 mg")


@pytest.mark.parametrize(
    "sentence",
    [
        "20 mg twice daily was better than placebo (p = 0.01), 10 mg once daily did not differ (p = 0.41).",
        "Pain was reduced by 10 mg once daily (p = 0.41) and 20 mg twice daily (p = 0.002).",
        "10 mg once daily did not differ from placebo (p = 0.41), but 20 mg twice daily (p = 0.03) did.",
    ],
)
def test_a_dose_with_a_p_value_of_chance_was_not_effective(sentence: str) -> None:
    draft = EXTRACTORS["efficacious_dose"](from_texts(VD_1=REPORT.format(sentence)).research_input("VDT-660"))
    assert draft.short.startswith("20 mg twice daily (")
    assert all("10 mg" not in field.value for field in draft.fields)


@pytest.mark.parametrize(
    "body",
    [
        "## Aim\n\nA ready-made liquid of VDT-660, 60 mg in 4 mL, twice daily.",
        "## Strength\n\nThe target clinical dose of VDT-660 is 60 mg twice daily.",
        "## Strength\n\nThe liquid of VDT-660 is meant to deliver 60 mg twice daily.",
        "## Strength\n\nThe team aims at 60 mg of VDT-660 twice daily.",
    ],
)
def test_a_dose_at_which_a_formulation_aims_was_not_given(body: str) -> None:
    archive = from_texts(
        VD_2=f"@document_type: Memorandum\n# Formulation memo: VDT-660 for inhalation\n\n{body}\n"
    )
    admitted, _ = admit(all_doses(annotated_documents(archive.research_input("VDT-660"))), CLINICAL)
    assert not admitted


@pytest.mark.parametrize(
    ("sentence", "denied"),
    [
        ("8 men received 80 mg before recruitment of the next group.", ""),
        ("40 mg was given to 8 men before any patient was dosed.", ""),
        ("20 mg was given; food was not taken.", ""),
        ("An effect of 80 mg on the QT interval was ruled out.", ""),
        ("Patients took 20 mg, and the 80 mg group was never opened.", "80"),
        ("Volunteers received 10 and 20 mg, whereas 80 mg was not given.", "80"),
        ("Those who would have received 80 mg were never recruited.", "80"),
        ("The group on 40 mg was closed before the first man was dosed.", "40"),
    ],
)
def test_a_denial_is_of_the_doses_that_it_tells_of(sentence: str, denied: str) -> None:
    doses = [dose.start for dose in dose_quantities(sentence)]
    assert [sentence[place : place + 2] for place in doses if denied_in(sentence, place)] == (
        [denied] if denied else []
    )
