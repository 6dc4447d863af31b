"""Classification by rules, and by a model with the rules as fallback."""

import pytest

from agents.archive.answer import Question
from agents.archive.classify import classify_by_rules, types_of
from agents.archive.library import default_library

LIBRARY = default_library()

QUESTIONS = [
    ("What was the first in human dose for drug X-1?", "first_in_human_dose"),
    ("At what dose did X-1 enter humans for the first time, i.e. the FIH dose?", "first_in_human_dose"),
    ("What was the route of administration in humans for X-1?", "route"),
    ("How was X-1 administered to patients?", "route"),
    ("What was the highest clinical dose in Phase I (MAD)/II for X-1?", "highest_dose"),
    (
        "What was the highest clinical dose at which there were severe adverse events for X-1?",
        "highest_dose_with_sae",
    ),
    ("At which dose of X-1 were serious adverse events seen?", "highest_dose_with_sae"),
    ("What was the efficacious dose of X-1 in the clinic?", "efficacious_dose"),
    ("Which dose of X-1 worked in patients?", "efficacious_dose"),
    ("What was the treatment regimen for X-1 in humans?", "regimen"),
    ("What do we know about the margin of safety of X-1?", "margin_of_safety"),
    ("Why was X-1 discontinued?", "discontinuation_reason"),
    ("What led to the termination of X-1?", "discontinuation_reason"),
    ("For which organs does the archive report toxicity of X-1?", "organ_toxicity"),
    ("What were the target organs of X-1 in rats?", "organ_toxicity"),
    ("What is the half-life of X-1 in dogs?", "general"),
    ("Plasma protein binding of X-1 in humans?", "general"),
    ("Why was the top dose of X-1 reduced in the dog?", "general"),
    ("Does food change the AUC of X-1?", "general"),
    ("Which enzymes are inhibited at the Cmax of X-1?", "general"),
    ("What is the mechanism of action of X-1?", "mechanism"),
    ("What was the mechanism of X-1?", "mechanism"),
    ("What is the mechanism of the liver injury of X-1?", "general"),
    ("Who was the study director of the rat study?", "general"),
    ("How many rats were used in the toxicity study of X-1?", "general"),
    ("Which lot of X-1 was used?", "general"),
    ("In how many volunteers was the Cmax of X-1 measured?", "general"),
    ("Cmax at the highest dose of X-1?", "general"),
    ("ALT on the top dose of X-1?", "general"),
    ("Was X-1 given at the highest dose?", "highest_dose"),
    ("What was the highest single oral dose of X-1 given?", "general"),
    ("What were the highest single and multiple doses of X-1?", "highest_dose"),
    ("What is the maximum tolerated multiple dose of X-1?", "general"),
    ("What colour were the tablets?", "general"),
]


@pytest.mark.parametrize(("text", "expected"), QUESTIONS)
def test_a_question_is_recognised_by_its_wording(text: str, expected: str) -> None:
    assert types_of(LIBRARY, text) == (expected,)


def test_a_question_may_be_of_several_types() -> None:
    classification = classify_by_rules(
        LIBRARY, Question("What was the route of X-1 and why was it discontinued?"), ["X-1"]
    )

    assert set(classification.question_types) == {"route", "discontinuation_reason"}


def test_an_aside_in_parentheses_explains_and_does_not_ask() -> None:
    text = "Which dose of X-1 was efficacious in patients? (A dose given by an unusual route does not count.)"

    assert types_of(LIBRARY, text) == ("efficacious_dose",)
