"""Wordings of many houses and decades, each with what the right reading of it is."""

from dataclasses import replace

import pytest

from agents.archive.research import EXTRACTORS
from agents.archive.values import Draft
from tests.agents.archive.research.archives import from_texts

REGISTRY = "@document_type: Trial registry record\n"
REPORT = "@document_type: Clinical study report\n"
TOXICOLOGY = "@document_type: Toxicology report\n"
MINUTES = "@document_type: Minutes\n"


def asked(question_type: str, **texts: str) -> Draft:
    return EXTRACTORS[question_type](from_texts(**texts).research_input("VDT-660"))


@pytest.mark.parametrize("question_type", ["first_in_human_dose", "route", "highest_dose", "regimen"])
def test_a_plan_is_no_study_once_a_later_document_says_that_nobody_was_dosed(question_type: str) -> None:
    draft = asked(
        question_type,
        VD_1="""@document_type: Clinical study protocol
@date: 2014-03-02
# Protocol of the first-in-human study of VDT-660
The starting dose is 2 mg VDT-660 by mouth. Repeated doses of 4 and 8 mg once daily follow for 7 days.
""",
        VD_2="""@document_type: Minutes
@date: 2014-09-30
# Minutes of the portfolio board
VDT-660 was discontinued because of convulsions in dogs. No participant has been dosed with VDT-660.
""",
    )
    assert not draft.present
    assert "never given to humans" in draft.headline


def test_a_plan_that_is_later_than_the_statement_still_counts() -> None:
    draft = asked(
        "first_in_human_dose",
        VD_1="""@document_type: Toxicology report
@date: 2013-03-02
# VDT-660 in the rat
VDT-660 has not been given to man.
""",
        VD_2="""@document_type: Clinical study protocol
@date: 2014-03-02
# First-in-human study of VDT-660, a Phase 1 protocol
The starting dose of VDT-660 is 2 mg as a single oral dose in volunteers.
""",
    )
    assert draft.short.startswith("2 mg")


def test_the_first_trial_of_a_substance_in_man_is_recognised_and_its_changed_plan_is_not_followed() -> None:
    draft = asked(
        "first_in_human_dose",
        VD_1=f"""{REPORT}# First trial of VDT-660 in man
The plan provided for an initial dose of 30 mg. The first subject was given 10 mg by mouth.
Doses were then raised to 20 and 40 mg, each given once to three volunteers.
""",
    )
    assert draft.short.startswith("10 mg")


def test_a_single_injection_by_any_route_is_a_single_dose() -> None:
    draft = asked(
        "highest_dose",
        NCT00000011=f"""{REGISTRY}# VDT-660 in Macular Edema
## Brief summary
Cohorts receive a single suprachoroidal injection of 1 mg or 4 mg VDT-660.
## Detailed description
This is a Phase 1 study.
""",
        NCT00000012=f"""{REGISTRY}# Repeated VDT-660 in Macular Edema
## Brief summary
Phase II study. VDT-660 2 mg is injected monthly for 6 months.
## Detailed description
Visual acuity is measured.
""",
    )
    assert draft.short.startswith("2 mg")


def test_an_arm_removed_before_anyone_was_assigned_to_it_was_not_given() -> None:
    draft = asked(
        "highest_dose",
        VD_3=f"""{REPORT}# Phase II study of VDT-660 in gout
Patients received VDT-660 5 mg or 10 mg once daily for 12 weeks.
The 20 mg arm was removed before any patient had been assigned to it.
""",
    )
    assert draft.short.startswith("10 mg")


def test_the_results_of_the_single_dose_study_and_the_habits_of_a_class_make_no_regimen() -> None:
    draft = asked(
        "regimen",
        NCT00000013=f"""{REGISTRY}# Repeat Dose Study of VDT-660 in Asthma
## Brief summary
Patients will inhale three dose levels of VDT-660 twice daily for 14 days.
## Detailed description
Kinase inhibitors given orally can cause nausea. Doses will follow from the results of the single dose study.
""",
    )
    assert draft.short.startswith("twice daily, inhaled, for 14 days")


def test_limiting_toxicities_count_in_a_table_whose_doses_stand_behind_the_cohorts() -> None:
    draft = asked(
        "highest_dose_with_sae",
        VD_4=f"""{REPORT}# VDT-660 in advanced tumours, Phase 1
| Cohort | Dose (QD) | Treated | DLTs |
|---|---|---|---|
| 1 | 30 mg | 3 | 0 |
| 2 | 60 mg | 6 | 2 (Grade 3 rash; Grade 3 fatigue) |
| 3 | 90 mg | planned, not opened | - |
""",
    )
    assert draft.short.startswith("60 mg")


def test_a_record_that_counts_who_had_an_event_reports_it() -> None:
    record = f"""{REGISTRY}# VDT-660 in Solid Tumors
## Brief summary
Patients receive VDT-660 intravenously every 21 days at 0.5, 1.5 or 2.5 mg/kg.
## Detailed description
Two of six patients at 2.5 mg/kg had dose-limiting Grade 4 thrombocytopenia.
"""
    assert asked("highest_dose_with_sae", NCT00000014=record).short.startswith("2.5 mg/kg")
    assert asked("organ_toxicity", NCT00000014=record).short.startswith("blood and bone marrow (humans")


def test_patients_who_had_an_event_before_the_study_are_no_event() -> None:
    record = f"""{REGISTRY}# VDT-660 in Asthma
## Brief summary
Patients who had a severe attack under 20 mg VDT-660 are excluded.
## Detailed description
VDT-660 20 mg is given once daily.
"""
    assert not asked("highest_dose_with_sae", NCT00000015=record).present


def test_exposure_multiples_in_brackets_keep_their_species() -> None:
    draft = asked(
        "margin_of_safety",
        VD_6="""@document_type: Investigator's Brochure
# VDT-660 Investigator's Brochure
Relative to patients on 60 mg the exposure multiples of VDT-660 are 0.6 (rat) and 0.8 (monkey).
""",
    )
    assert draft.short.startswith("0.6-fold (rat) and 0.8-fold (monkey)")


def test_a_recovery_after_withdrawal_is_no_reason_and_the_resolution_to_end_all_work_is_one() -> None:
    draft = asked(
        "discontinuation_reason",
        VD_7=f"""{REPORT}# VDT-660 in gastric ulcer
One man had agranulocytosis under VDT-660. He recovered after the drug was withdrawn because of it.
""",
        VD_8=f"""{MINUTES}# Minutes of the research board
The Board resolved to end all work on VDT-660 on account of the bone marrow findings in dogs.
""",
    )
    assert "bone marrow findings" in draft.short
    assert "recovered" not in draft.short


def test_a_rationale_introduces_the_reasons_of_a_decision() -> None:
    draft = asked(
        "discontinuation_reason",
        VD_9=f"""{MINUTES}# Decision record VDT-660
Decision: Terminate VDT-660 (all indications).

Rationale:
1. Insufficient activity in Phase 2.
2. Interstitial lung disease.
""",
    )
    assert draft.short.startswith("Insufficient activity in Phase 2; Interstitial lung disease")


@pytest.mark.parametrize(
    "lead", ["Reasons", "Reasons:", "The Board gave the following:", "This rests on:", "The arguments:"]
)
@pytest.mark.parametrize("mark", ["- ", "1. "])
def test_a_bare_line_introduces_the_reasons_below_it(lead: str, mark: str) -> None:
    draft = asked(
        "discontinuation_reason",
        VD_9=f"""{MINUTES}# Minutes of the board on VDT-660
The Board decided to stop VDT-660.

{lead}

{mark}kidney stones in the rat
{mark}no partner
""",
    )
    assert draft.short.startswith("kidney stones in the rat; no partner")


@pytest.mark.parametrize("lead", ["Next steps:", "The Board asked for the following:", "Present:"])
def test_a_list_below_a_line_that_speaks_of_no_reason_is_none(lead: str) -> None:
    draft = asked(
        "discontinuation_reason",
        VD_9=f"""{MINUTES}# Minutes of the board on VDT-660
The Board decided to stop VDT-660.

{lead}

- tell the clinic
- store the substance
""",
    )
    assert not draft.present


@pytest.mark.parametrize(
    "sentence",
    [
        "The development of VDT-660 was stopped because of renal toxicity. The oral study VD-CL-4 goes on.",
        "The development of VDT-660 was stopped because of renal toxicity; no indication is pursued.",
    ],
)
def test_an_end_beside_what_is_only_finished_is_that_of_the_molecule(sentence: str) -> None:
    draft = asked("discontinuation_reason", VD_9=f"{MINUTES}# Minutes of the board\n{sentence}\n")
    assert draft.headline.startswith("VDT-660 was discontinued")


def test_what_the_controls_have_too_and_what_is_not_related_is_no_toxicity() -> None:
    draft = asked(
        "organ_toxicity",
        VD_14=f"""{TOXICOLOGY}# VDT-660 subcutaneously in rats
Injection site inflammation was seen in all groups including vehicle. Kidney lesions were seen at 5 mg/kg.
""",
        VD_15=f"""{REPORT}# VDT-660 in volunteers
One subject on 10 mg VDT-660 had pneumonitis, which was not considered related.
""",
    )
    assert draft.short.startswith("kidney (rat")
    assert "skin" not in draft.short
    assert "lung" not in draft.short


def test_the_number_of_a_report_is_no_molecule() -> None:
    draft = asked(
        "organ_toxicity",
        VD_16=f"""{REPORT}# Clinical Study Report HRM-201: Phase 2 Study of VDT-660 in Cancer
Adverse events considered related were interstitial lung disease and diarrhoea.
""",
        VD_17="""# Overview
HRM-201 enrolled 40 patients. HRM-201 and HRM-202 were conducted in Europe with VDT-660.
""",
    )
    assert "lung (humans" in draft.short


@pytest.mark.parametrize(
    ("question", "organs"),
    [
        ("Did VDT-660 cause lung toxicity?", ["lung"]),
        ("Did VDT-660 harm the kidney or the skin?", []),
        ("Which organs, such as the kidney, showed toxicity of VDT-660?", []),
        ("Is VDT-660 toxic?", ["lung", "adrenal"]),
        ("What toxicity did VDT-660 show in the lung of monkeys?", ["lung"]),
        ("What were the effects of VDT-660 on the kidney, the lung and the skin?", ["lung"]),
        ("Is VDT-660 hepatotoxic?", []),
        ("What toxicity did VDT-660 show other than in the lung?", []),
        ("Besides the lung, what did VDT-660 harm?", []),
        ("Was the toxicity of VDT-660 seen only in the lung?", []),
        ("What is the toxicity of VDT-660 in liver cancer patients?", []),
        ("What toxicity had VDT-660 in dogs with hepatic impairment?", []),
        ("What toxicity had VDT-660 in rats with liver damage?", []),
        ("What toxicity was seen with VDT-660 eye drops?", []),
        ("What toxicity was seen with the VDT-660 skin patch?", []),
        ("What toxicity was seen when VDT-660 was applied to the skin?", []),
        ("What toxicity was seen in the heart failure study of VDT-660?", []),
        ("What is the toxicity of brain-penetrant VDT-660?", []),
        ("Toxicity of VDT-660 after bone marrow transplant?", []),
        ("What non-hepatic toxicity did VDT-660 have?", []),
    ],
)
def test_a_question_about_one_organ_is_not_answered_with_others(question: str, organs: list[str]) -> None:
    brochure = """@document_type: Investigator's Brochure
# VDT-660 Investigator's Brochure
The target organs were the lung in the monkey and the adrenal cortex in the rat. The kidney was normal.
"""
    read = replace(from_texts(VD_14=brochure).research_input("VDT-660"), question=question)
    draft = EXTRACTORS["organ_toxicity"](read)
    assert sorted({field.value for field in draft.fields if field.field == "organ"}) == sorted(organs)
    assert draft.present == bool(organs)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What was the highest dose of VDT-660 in Phase I?", "120 mg (Phase I; single dose"),
        ("What was the highest dose of VDT-660?", "120 mg (Phase I; single dose"),
        ("What was the highest repeated dose of VDT-660?", "60 mg once daily"),
    ],
)
def test_a_given_single_dose_goes_before_a_planned_repeated_one(question: str, told: str) -> None:
    texts = from_texts(
        VD_16=f"""{REPORT}# VDT-660: Phase 1 single ascending dose study in healthy men
Five cohorts received single oral doses of 5, 30, 60 or 120 mg VDT-660.
""",
        VD_17="""@document_type: Clinical study protocol
# Protocol of multiple ascending doses of VDT-660 in healthy men, Phase 1
Three cohorts will receive 15, 30 or 60 mg VDT-660 once daily for 14 days.
""",
    )
    read = replace(texts.research_input("VDT-660"), question=question)
    assert EXTRACTORS["highest_dose"](read).short.startswith(told)


@pytest.mark.parametrize(
    ("title", "question", "told"),
    [
        ("in healthy men", "Which indication is VDT-660 developed for?", ""),
        ("in healthy men", "What are the target and the indication of VDT-660?", "RIPK1 inhibitor"),
        (
            "in healthy subjects and in patients with ulcerative colitis",
            "Which indication is VDT-660 developed for?",
            "RIPK1 inhibitor (studied in: ulcerative colitis)",
        ),
    ],
)
def test_another_field_does_not_stand_for_the_indication(title: str, question: str, told: str) -> None:
    texts = from_texts(VD_18=f"{REPORT}# VDT-660 {title}\nVDT-660 (RIPK1 inhibitor) was given.\n")
    read = replace(texts.research_input("VDT-660"), question=question)
    assert EXTRACTORS["mechanism"](read).short == told
