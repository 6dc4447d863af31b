"""Classes of readings that once misled, each on an invented molecule."""

import pytest

from agents.archive.research import EXTRACTORS
from agents.archive.values import Draft
from tests.agents.archive.research.archives import from_texts

REPORT = "@document_type: Clinical study report\n"


def asked(question_type: str, **texts: str) -> Draft:
    return EXTRACTORS[question_type](from_texts(**texts).research_input("QDV-514"))


def test_a_unit_is_told_once() -> None:
    draft = asked("highest_dose", QD_1=f"{REPORT}# QDV-514\nMen took 25 µg QDV-514 once daily.\n")
    dose = next(field for field in draft.fields if field.field == "dose")
    assert (dose.value, dose.unit) == ("25 µg", "µg")


def test_a_planned_first_dose_is_cited_to_the_passage_that_plans_it() -> None:
    draft = asked(
        "first_in_human_dose",
        QD_1="""@document_type: Memorandum
# Plans for QDV-514
For the first-in-human study of QDV-514 a starting dose of 5 mg was planned.
""",
        QD_2=f"""{REPORT}# QDV-514: first-in-human study
Single doses of 2, 4 and 8 mg of QDV-514 were given to volunteers.
""",
    )
    planned = next(field for field in draft.fields if field.field == "planned_dose")
    assert draft.short.startswith("2 mg")
    assert planned.value == "5 mg"
    assert "5 mg" in planned.passages[0].text


@pytest.mark.parametrize(
    "sentence",
    [
        "Amendment 2 added a dose level of 80 mg once daily; nobody received it.",
        "With Amendment 2 a level of 80 mg once daily was added to the protocol.",
        "Amendment 2 introduced a level of 80 mg once daily, but no volunteer was treated at this level.",
    ],
)
def test_a_level_that_an_amendment_added_and_nobody_received_was_not_given(sentence: str) -> None:
    draft = asked(
        "highest_dose",
        QD_1=f"""{REPORT}# QDV-514: multiple-dose study in healthy volunteers
Volunteers received 10, 20 and 40 mg QDV-514 once daily for 14 days.
{sentence}
""",
    )
    assert draft.short.startswith("40 mg once daily")


def test_a_level_that_an_amendment_added_and_volunteers_received_was_given() -> None:
    draft = asked(
        "highest_dose",
        QD_1=f"""{REPORT}# QDV-514: multiple-dose study in healthy volunteers
Volunteers received 10, 20 and 40 mg QDV-514 once daily for 14 days.
Amendment 2 added 80 mg once daily, which eight volunteers received.
""",
    )
    assert draft.short.startswith("80 mg once daily")


def test_a_statement_that_replaces_another_document_leaves_the_margins_of_the_rest() -> None:
    draft = asked(
        "margin_of_safety",
        QD_1="@document_type: Minutes\n@date: 2010-05-04\n# Minutes\n\n"
        "The margin of safety of QDV-514 is 6-fold in the dog.",
        QD_2="@document_type: Memorandum\n@date: 2011-01-14\n# Statement on QDV-514\n"
        "It replaces the memo of 8 June 2010. The margin of safety is 2-fold in the rat.",
    )
    assert draft.short.startswith("2-fold (rat) and 6-fold (dog)")


def test_reasons_are_read_from_a_numbered_list_below_a_heading() -> None:
    draft = asked(
        "discontinuation_reason",
        QD_1="""@document_type: Minutes
# Minutes of the board: QDV-514

## Decision

Development of QDV-514 is stopped.

## Reasons

1. Convulsions in the dog at twice the human exposure.
2. 5-HT2B agonism in vitro.
""",
    )
    assert draft.short == "Convulsions in the dog at twice the human exposure; 5-HT2B agonism in vitro (QD-1)"


@pytest.mark.parametrize(
    "sentence",
    [
        "The formulation of QDV-514 continues; the vial is given up because patients preferred the pen.",
        "Pruritus is no longer pursued, because the trial population is difficult to recruit.",
    ],
)
def test_the_end_of_something_else_is_no_end_of_the_molecule(sentence: str) -> None:
    text = f"@document_type: Minutes\n# Minutes\n\n## QDV-514\n\n{sentence}\n"
    assert not asked("discontinuation_reason", QD_1=text).present


def test_nobody_of_n_is_no_finding() -> None:
    draft = asked(
        "organ_toxicity",
        QD_1="""@document_type: Toxicology report
# QDV-514: 13-week study in the dog
Liver necrosis was found in 0 of 8 dogs at 30 mg/kg.
Retinal degeneration was seen in none of the animals.
Testicular atrophy occurred in no male, and no malformations of the fetuses were seen.
Vacuolation of the adrenal cortex was found in 0 of 8 dogs at 10 mg/kg and in 5 of 8 dogs at 30 mg/kg.

| Finding | Control | 30 mg/kg |
|---|---|---|
| Heart, necrosis | 0 of 8 | 0 of 8 |
| Thymus, atrophy | 0 of 8 | 6 of 8 |
""",
    )
    assert draft.short == "adrenal (dog: vacuolation); spleen and lymphoid tissue (dog: atrophy)"


@pytest.mark.parametrize(
    "plan",
    [
        """@document_type: Trial registry record
# QDV-514 in patients with gout, Phase 2
Patients will receive 200 mg of QDV-514 once daily for 12 weeks.
""",
        """@document_type: Minutes
# Minutes on QDV-514
The Phase II study in patients will use 200 mg QDV-514 once daily for 12 weeks.
""",
    ],
)
@pytest.mark.parametrize("question_type", ["highest_dose", "regimen"])
def test_a_plan_never_outranks_what_was_done(plan: str, question_type: str) -> None:
    done = f"""{REPORT}# QDV-514: Phase I multiple-dose study in healthy volunteers
Volunteers received 80 mg QDV-514 once daily for 10 days.
"""
    draft = asked(question_type, QD_1=plan, QD_2=done)
    assert draft.short.startswith("80 mg once daily")
    assert "200 mg" not in draft.short


def test_the_number_of_its_protocol_makes_no_report_a_plan() -> None:
    draft = asked(
        "highest_dose",
        QD_1="""# A multiple-dose study of QDV-514 in volunteers
Protocol QD-9
Final report, Phase I
Volunteers received 80 mg QDV-514 once daily for 10 days.
""",
    )
    assert draft.short.startswith("80 mg once daily")
    assert "planned" not in draft.short


def test_the_mechanism_is_read_from_a_table_of_molecules() -> None:
    draft = asked(
        "mechanism",
        QD_1="""# Names

| Code | Class | Indication |
|---|---|---|
| QDV-514 | factor XIIa inhibitor | hereditary angioedema |
| HRX-77 | GLP-2 analogue | short bowel syndrome |
""",
        QD_2=f"{REPORT}# QDV-514 in healthy volunteers\nQDV-514 was compared with HRX-77.\n",
    )
    assert draft.short == "factor XIIa inhibitor (studied in: hereditary angioedema)"


def test_a_class_in_other_words_is_told_once_and_a_receptor_is_no_antagonist() -> None:
    draft = asked(
        "mechanism",
        QD_1="# QDV-514\n\nQDV-514 is an orally active antagonist of the P2Y6 receptor.\n",
        QD_2="# Molecules\n\n| Code | Class |\n|---|---|\n| QDV-514 | P2Y6 antagonist |\n",
    )
    told = {(field.field, field.value) for field in draft.fields}
    assert draft.short == "antagonist of the P2Y6 receptor"
    assert told == {("class", "antagonist of the P2Y6 receptor"), ("target", "P2Y6 receptor")}


def test_days_of_an_event_are_no_frequency_of_dosing() -> None:
    draft = asked(
        "regimen",
        QD_1=f"""{REPORT}# QDV-514: multiple-dose study in healthy volunteers
Volunteers received 25 mg QDV-514 once daily for 14 days.
Elevations of ALT began between Days 9 and 13.
""",
    )
    assert draft.short.startswith("25 mg once daily, for 14 days")


def test_the_gall_bladder_is_not_the_urinary_bladder() -> None:
    draft = asked(
        "organ_toxicity",
        QD_1=f"{REPORT}# QDV-514 in dogs\n\nThe gall bladder was enlarged at 30 mg/kg.\n",
    )
    assert "urinary" not in draft.short
    assert "gall bladder" in draft.short


def test_a_list_of_reasons_ends_with_its_last_item() -> None:
    text = """@document_type: Minutes
# Minutes of the board: QDV-514

Development of QDV-514 is terminated. Reasons:
 1. Liver toxicity in dogs.
 2. Costs played no part.
 3. The margin is too small.
The patent did not matter. Proposed by A. Holm, carried 3 to 1.
"""
    assert asked("discontinuation_reason", QD_1=text).short.startswith(
        "Liver toxicity in dogs; The margin is too small"
    )
    assert "Holm" not in asked("discontinuation_reason", QD_1=text).short
