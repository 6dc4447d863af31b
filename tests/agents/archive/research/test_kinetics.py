"""A pharmacokinetic value has the dimension of its parameter and stands where the parameter is named."""

from dataclasses import replace

import pytest

from agents.archive.research import EXTRACTORS
from tests.agents.archive.research.archives import from_texts

REPORT = "@document_type: Clinical study report\n"


def kinetics(text: str, question: str = "") -> str:
    research_input = replace(from_texts(MK_1=text).research_input("MKV-731"), question=question)
    return EXTRACTORS["pharmacokinetics"](research_input).short


@pytest.mark.parametrize(
    "sentence",
    [
        "Patients with a creatinine clearance below 30 mL/min received no MKV-731.",
        "The clearance of MKV-731 was studied after 5 mg in eight volunteers.",
        "See study MK-CL-2018 for the design of the trial of MKV-731.",
        "After food the Cmax of MKV-731 was lower, and 50 mg was chosen.",
        "The Cmax of MKV-731 fell by 40% and its half-life was not changed at 20 mg.",
        "The AUC of MKV-731 was 3.4 times higher with itraconazole.",
        "The bioavailability of MKV-731 was studied at 10 mg/kg.",
        "The volume of distribution of MKV-731 was calculated from 12 h of samples.",
    ],
)
def test_a_number_of_another_dimension_is_no_value_of_the_parameter(sentence: str) -> None:
    assert kinetics(f"{REPORT}# MKV-731 in volunteers\n{sentence}\n") == ""


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("The clearance of MKV-731 was 4.2 L/h after 5 mg.", "clearance 4.2 L/h"),
        ("The clearance of MKV-731 was 0.3 L/h/kg.", "clearance 0.3 L/h/kg"),
        (
            "The half-life of MKV-731 was 9 h and its Cmax was 40 ng/mL.",
            "half-life 9 h (human); Cmax 40 ng/mL",
        ),
        ("MKV-731 reached an AUC of 310 ng·h/mL.", "AUC 310 ng·h/mL"),
        ("The volume of distribution of MKV-731 is 41 L.", "volume of distribution 41 L"),
        ("The bioavailability of MKV-731 is 62%.", "bioavailability 62%"),
        ("The half-life of MKV-731 was misprinted as 9.8 h.\nIts half-life was 6.8 h.", "half-life 6.8 h"),
        (
            "The clearance of MKV-731 was alike in women (20.7±6.5 L/h) and men (22.8±8.7 L/h).",
            "clearance women (20.7±6.5 L/h) and men (22.8±8.7 L/h)",
        ),
    ],
)
def test_a_value_of_the_parameters_dimension_is_given(sentence: str, value: str) -> None:
    assert kinetics(f"{REPORT}# MKV-731 in volunteers\n{sentence}\n").startswith(value)


def test_a_value_is_told_with_its_day_or_meal_and_not_for_a_metabolite() -> None:
    text = """@document_type: Toxicology report
# MKV-731 in rats

| Dose (mg/kg) | Day | Sex | Cmax (ng/mL) |
|---|---|---|---|
| 50 | 1 | M | 2940 |
| 50 | 28 | M | 3050 |

| Dose (mg/kg) | Half-life on Day 1 (h) | Half-life on Day 28 (h) |
|---|---|---|
| 50 | 4.1 | 5.2 |

The AUC of MKV-731 was 310 ng·h/mL in fasted rats. The tmax of M4, formed of MKV-731, was 7 h.
"""
    assert kinetics(text, "What was the Cmax of MKV-731 in rats?") == (
        "Cmax 2940 ng/mL (rat, M, at 50 mg/kg, Day 1); Cmax 3050 ng/mL (rat, M, at 50 mg/kg, Day 28)"
    )
    assert kinetics(text, "What was the AUC of MKV-731 in rats?") == "AUC 310 ng·h/mL (rat, fasted)"
    assert kinetics(text, "What was the half-life of MKV-731 in rats?") == (
        "half-life 4.1 h (rat, at 50 mg/kg, Day 1); half-life 5.2 h (rat, at 50 mg/kg, Day 28)"
    )
    assert kinetics(text, "What was the tmax of MKV-731 in rats?") == ""


def test_a_cell_takes_unit_species_drug_and_dose_from_its_row_and_column() -> None:
    short = kinetics("""@document_type: Pharmacokinetics report
# Pharmacokinetics of MKV-731 in animals

| Parameter | MKV-731 minipig | MKV-731 rat | Teduglutide rat |
|---|---|---|---|
| Half-life (h) | 19 | 6.5 | 2.8 |
| Inhibition of CYP3A4 (µM) | 6 | 7 | 8 |

| Dose (mg/kg) | Species | Cmax, ng/mL | CL (number of samples) |
|---|---|---|---|
| 5 | Dog | 214 | 12 |
""")
    assert short == "half-life 19 h (minipig); half-life 6.5 h (rat); Cmax 214 ng/mL (dog, at 5 mg/kg)"


def test_a_measured_value_is_told_before_a_predicted_one() -> None:
    archive = from_texts(
        MK_2="""@document_type: Pharmacokinetics report
# MKV-731: pharmacokinetics in animals
Allometric scaling predicted a human half-life of 8 to 12 hours for MKV-731.
""",
        MK_3="""@document_type: Investigator's brochure
# Investigator's brochure of MKV-731
The terminal half-life of MKV-731 in man is 31 hours.
""",
    )
    draft = EXTRACTORS["pharmacokinetics"](archive.research_input("MKV-731"))
    assert draft.short == "half-life 31 hours (human)"


def test_a_value_in_brackets_belongs_to_the_words_before_them() -> None:
    short = kinetics("""@document_type: Minutes
# Minutes on MKV-731
The monkey study of MKV-731 was presented.
With a NOAEL of 6 mg/kg/day (AUC 5.2 µM·h) and a predicted human exposure of 6 µM·h nothing is left.
""")
    assert short == "AUC 5.2 µM·h (monkey)"


SEVERAL = """@document_type: Investigator's brochure
# Investigator's brochure of MKV-731
The half-life of MKV-731 was 6 h in the rat.
The half-life of MKV-731 was 19 h in the minipig.
In man the tmax of MKV-731 was 3 h.
In the rabbit the half-life of MKV-731 in the vitreous was 80 h.

| Dose (mg/kg) | Species | Cmax, ng/mL |
|---|---|---|
| 5 | Dog | 214 |
| 20 | Dog | 871 |

| Parameter | Ferret i.v. | Ferret s.c. |
|---|---|---|
| t1/2 (h) | 33 | 41 |
"""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("half-life of MKV-731 in minipigs", "half-life 19 h (minipig)"),
        ("What is the half-life of MKV-731 in patients?", ""),
        ("vitreous half-life of MKV-731 in patients", ""),
        ("vitreous half-life of MKV-731", "half-life 80 h (rabbit)"),
        ("tmax of MKV-731?", "tmax 3 h (human)"),
        ("bioavailability of MKV-731 in dogs", ""),
        ("Cmax of MKV-731 in dogs at 20 mg/kg/day", "Cmax 871 ng/mL (dog, at 20 mg/kg)"),
        ("Cmax of MKV-731 in dogs at 12 mg/kg", ""),
        ("Which Cmax of MKV-731 did dogs have at that dose?", ""),
        ("half-life of MKV-731 in ferrets after subcutaneous dosing", ""),
    ],
)
def test_only_a_value_that_fits_all_that_the_question_names_is_an_answer(question: str, answer: str) -> None:
    asked = replace(from_texts(MK_1=SEVERAL).research_input("MKV-731"), question=question)

    assert EXTRACTORS["pharmacokinetics"](asked).short == answer


def test_a_question_that_names_no_parameter_gets_the_whole_list() -> None:
    asked = replace(from_texts(MK_1=SEVERAL).research_input("MKV-731"), question="PK of MKV-731")

    assert EXTRACTORS["pharmacokinetics"](asked).short.count(";") == 6


INTERACTION = """@document_type: Clinical study report
# Interaction of MKV-731 with teduglutide in healthy volunteers
MKV-731 is a kinase inhibitor. With teduglutide the half-life of the drug was 12.4 h.

| Arm | Cmax (ng/mL) | t1/2 (h) |
|---|---|---|
| A, alone | 118 | 6.3 |
| A, with teduglutide | 240 | 12.4 |
"""
TEDUGLUTIDE = (
    "@document_type: Clinical study report\n# Teduglutide in volunteers\nTeduglutide was well tolerated.\n"
)


def of_both(name: str, interaction: str = INTERACTION, question: str = "") -> str:
    archive = from_texts(
        MK_1=interaction, TE_1=TEDUGLUTIDE, MK_2=f"{REPORT}# MKV-731 in dogs\nMKV-731 was given.\n"
    )
    asked = replace(archive.research_input(name), question=question)
    return EXTRACTORS["pharmacokinetics"](asked).short


def test_a_study_of_an_interaction_tells_no_value_of_what_was_given_beside_its_molecule() -> None:
    assert of_both("teduglutide") == ""
    assert of_both("MKV-731") == "Cmax 118 ng/mL (human); half-life 6.3 h (human)"


def test_a_chapter_on_an_interaction_is_not_about_what_was_given_beside() -> None:
    chapter = INTERACTION.replace("# Interaction of MKV-731", "# Brochure of MKV-731\n\n## Interaction")
    assert of_both("teduglutide", chapter) == ""


def test_a_row_without_a_name_has_values_of_its_documents_molecule_alone() -> None:
    notes = """@document_type: Memorandum
# Notes of the week
Teduglutide and MKV-731 were discussed. The supplier of teduglutide has changed.

| Animal | t1/2 (h) |
|---|---|
| Rat | 6.3 |
"""
    assert (of_both("teduglutide", notes), of_both("MKV-731", notes)) == ("", "")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What was the half-life of MKV-731 with teduglutide?", ""),
        ("How does the half-life of MKV-731 compare with teduglutide?", ""),
        ("What half-life was seen with MKV-731?", "half-life 6.3 h (human)"),
        ("Half-life in volunteers treated with MKV-731?", "half-life 6.3 h (human)"),
        ("What was the half-life of teduglutide with MKV-731?", ""),
        ("Half-life of MKV-731 with placebo and teduglutide?", ""),
    ],
)
def test_a_value_alone_is_none_of_what_was_given_together(question: str, answer: str) -> None:
    assert of_both("MKV-731", question=question) == answer


TABLE_OF_LETTERS = """@document_type: Pharmacokinetics report
# {title} of MKV-731

| Compound | t1/2 (h) | CL (L/h) | Vdss (L) | F (%) |
|---|---|---|---|---|
| MKV-731 | 6.2 | 8.1 | 19 | 43 |
"""


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the absolute bioavailability of MKV-731?", "bioavailability 43 %"),
        ("What is the volume of distribution of MKV-731?", "volume of distribution 19 L"),
        ("Vss of MKV-731?", "volume of distribution 19 L"),
        ("What is the CL of MKV-731?", "clearance 8.1 L/h"),
        ("What is the elimination half life of MKV-731?", "half-life 6.2 h"),
    ],
)
def test_a_letter_and_the_name_of_a_parameter_are_one(question: str, answer: str) -> None:
    archive = from_texts(MK_1=TABLE_OF_LETTERS.format(title="Parameters"))
    given = replace(archive.research_input("MKV-731"), question=question)
    assert EXTRACTORS["pharmacokinetics"](given).short.startswith(answer)


def test_the_share_of_females_is_no_bioavailability() -> None:
    table = "| Drug | N | M (%) | F (%) |\n|---|---|---|---|\n| MKV-731 | 60 | 57 | 43 |\n"
    assert kinetics(f"{REPORT}# Patients of MKV-731\n\n{table}") == ""


RISING = """# MKV-731: rising doses in healthy volunteers

| Dose (mg) | Cmax (ng/mL) | t1/2 (h) |
|---|---|---|
| 5 | 12 | 6.2 |
| 20 | 49 | 7.0 |
"""


@pytest.mark.parametrize(
    "question",
    ["What is the longest half-life of MKV-731?", "What was Cmax at the highest dose of MKV-731?"],
)
def test_no_single_value_is_told_as_an_extreme(question: str) -> None:
    assert kinetics(f"{REPORT}{RISING}", question) == ""


IN_BOTH = "The half-life of MKV-731 was 6.2 h in males and 7.9 h in females."


@pytest.mark.parametrize(
    ("sentence", "question", "told"),
    [
        (IN_BOTH, "half-life in female dogs?", "half-life 6.2 h in males and 7.9 h in females (dog)"),
        ("The half-life of MKV-731 was 6 h in males.", "half-life in female dogs?", ""),
        ("The half-life of MKV-731 was 6 h in females.", "half-life in females?", "half-life 6 h (dog)"),
        (
            "The half-life of MKV-731 was 4 h in rats and 11 h in dogs.",
            "half-life in dogs?",
            "half-life 4 h in rats and 11 h in dogs",
        ),
    ],
)
def test_several_values_are_told_in_the_words_of_their_sentence(
    sentence: str, question: str, told: str
) -> None:
    text = f"@document_type: Toxicology report\n# MKV-731: 4-week study in dogs\n\n{sentence}\n"
    assert kinetics(text, question) == told


def test_a_row_is_of_the_sex_in_its_cell() -> None:
    text = """@document_type: Toxicology report
# MKV-731: 4-week study in dogs

| Dose (mg/kg) | Sex | Cmax (ng/mL) |
|---|---|---|
| 5 | M | 214 |
| 5 | F | 305 |
"""
    assert kinetics(text).startswith(
        "Cmax 214 ng/mL (dog, M, at 5 mg/kg); Cmax 305 ng/mL (dog, F, at 5 mg/kg)"
    )


def test_a_cell_has_its_unit_from_the_column_of_units_and_its_dose_from_the_head() -> None:
    text = """@document_type: Toxicology report
# MKV-731: pharmacokinetics in dogs

| Parameter | Unit | IV 1 mg/kg | PO 5 mg/kg |
|---|---|---|---|
| t1/2 | h | 4.1 (0.5) | 4.4 (0.6) |
| Cmax | ng/mL | 1,410 (180) | 1,180 (310) |
"""
    half_lives = "half-life 4.1 h (dog, IV 1 mg/kg); half-life 4.4 h (dog, PO 5 mg/kg)"
    assert kinetics(text, "half-life in the dog?") == half_lives
    assert kinetics(text, "Cmax in dogs at 5 mg/kg?") == "Cmax 1,180 ng/mL (dog, PO 5 mg/kg)"
