"""Follow-ups in their usual forms become whole questions."""

import pytest

from agents.archive.answer import Question
from agents.archive.follow_up import whole_question
from retrieval.values import Molecule

REGISTRY = (Molecule("VX-12", ("vextorol",)), Molecule("VX-30", ()), Molecule("QB-71", ()))


def whole(asked: str, text: str, molecule: str = "VX-12", document: str = "VX-TX-4") -> str:
    question = Question(text, (molecule,), (asked,), thread_document=document)
    return whole_question(question, REGISTRY)


NOAEL = "What was the NOAEL of VX-12 in the rat?"
TOP = "What was the highest dose of VX-12?"
WHY = "Why was VX-12 stopped?"


@pytest.mark.parametrize(
    ("asked", "text", "expected"),
    [
        (NOAEL, "and in dogs?", "What was the NOAEL of VX-12 in dogs?"),
        (NOAEL, "in women", "What was the NOAEL of VX-12 in women?"),
        (NOAEL, "And in male rats?", "What was the NOAEL of VX-12 in male rats?"),
        (NOAEL, "what about QB-71?", "What was the NOAEL of QB-71 in the rat?"),
        ("Was 54 mg of VX-30 given?", "no, I meant 45 mg", "Was 45 mg of VX-30 given?"),
        ("Was 54 mg of VX-30 given?", "Wrong dose, I meant to write 45 mg.", "Was 45 mg of VX-30 given?"),
        ("What was the Cmax of VX-30?", "I meant 45 mg", "What was the Cmax of VX-30 at 45 mg?"),
        (NOAEL, "no, I meant VX-30", "What was the NOAEL of VX-30 in the rat?"),
        (NOAEL, "Sorry, I mean QB-71.", "What was the NOAEL of QB-71 in the rat?"),
        (NOAEL, "same for VX-30", "What was the NOAEL of VX-30 in the rat?"),
        (NOAEL, "vextorol in mice?", "What was the NOAEL of vextorol in mice?"),
        (NOAEL, "and the LOAEL?", "What was the LOAEL of VX-12 in the rat?"),
        (NOAEL, "at week 4?", "What was the NOAEL of VX-12 in the rat at week 4?"),
        ("What was the lowest dose in VX-CL-2?", "and the highest?", "What was the highest dose in VX-CL-2?"),
        ("How many dogs had ulcers at 4 mg/kg?", "and at 9 mg/kg?", "How many dogs had ulcers at 9 mg/kg?"),
        ("Compare VX-12 and VX-30 in doses", "and QB-71?", "Compare VX-12 and VX-30 and QB-71 in doses?"),
        (WHY, "and when?", "When was VX-12 stopped?"),
        (WHY, "who decided that?", "Who decided that (Why was VX-12 stopped)?"),
        (WHY, "when was that?", "When was that (Why was VX-12 stopped)?"),
        ("Was VX-12 stopped?", "why?", "Why was VX-12 stopped?"),
        ("Was VX-12 stopped?", "by whom?", "By whom was VX-12 stopped?"),
        ("Which lesion was seen in rats?", "at which dose?", "At which dose was lesion seen in rats?"),
        (NOAEL, "what was its clearance?", "What was the clearance of VX-12?"),
        (WHY, "was it toxic?", "Was VX-12 toxic?"),
        (NOAEL, "How many animals were in that study?", "How many animals were in the study VX-TX-4?"),
        (NOAEL, "What was the control there?", "What was the control in VX-TX-4?"),
        (WHY, "who decided that", "Who decided that (Why was VX-12 stopped)?"),
        ("How many patients were in VX-CL-2?", "and VX-CL-3?", "How many patients were in VX-CL-3?"),
        ("How long was VX-12 given?", "by which route?", "By which route was VX-12 given?"),
        ("Who led the study VX-CL-2?", "when did it end?", "When did VX-CL-2 end?"),
        ("What toxicity of VX-12 was seen in rats at 9 mg/kg?", "What about recovery?",
         "What is known about recovery of VX-12 in rats at 9 mg/kg?"),
        ("How many dogs vomited?", "and the ulcers?", "How many dogs vomited: ulcers?"),
        (NOAEL, "tell me more", "What is known about VX-12?"),
    ],
)  # fmt: skip
def test_a_follow_up_becomes_a_whole_question(asked: str, text: str, expected: str) -> None:
    assert whole(asked, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "What was the half-life of VX-30 in man?",
        "Why was QB-71 stopped?",
        "Which lot of capsules was used?",
        "highest single dose of VX-30?",
        "Summarise what we know about VX-30.",
        "How many patients took part in study VX-CL-9?",
    ],
)
def test_a_question_that_stands_for_itself_is_left_alone(text: str) -> None:
    assert whole(NOAEL, text) == text


def test_without_an_earlier_question_nothing_is_made_up() -> None:
    assert whole_question(Question("and in dogs?"), REGISTRY) == "and in dogs?"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("List all studies in dogs", "List all studies in dogs"),
        ("Rank the molecules by NOAEL", "Rank the molecules by NOAEL"),
        ("Name all molecules", "Name all molecules"),
        ("table of all molecules", "table of all molecules"),
        ("Tell me the half-life", "Tell me the half-life"),
        ("Give me the half-life of QB-71", "Give me the half-life of QB-71"),
        ("show me its half-life", "Show me the half-life of VX-12?"),
    ],
)
def test_a_request_stands_by_itself_or_is_of_the_threads_molecule(text: str, expected: str) -> None:
    assert whole(WHY, text) == expected
