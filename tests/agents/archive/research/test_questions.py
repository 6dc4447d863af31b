"""Every question type on fictitious archives of many styles: the right value first, or "not stated"."""

import re
from functools import cache
from pathlib import Path

import pytest

from agents.archive.research import EXTRACTORS
from agents.archive.values import Draft
from tests.agents.archive.research.archives import QUESTIONS, Archive, from_folder

FOLDER = Path(__file__).parent / "fictitious"
EXPECTED = {
    ("oncology", "NVX-310"): {
        "Q2": r"Intravenous$",
        "Q3": r"20 mg/kg every 3 weeks \(Phase I;",
        "Q4": r"20 mg/kg",
        "Q5": r"10 mg/kg every 3 weeks \(melanoma",
        "Q6": r"0\.3 mg/kg, 1 mg/kg, 3 mg/kg, 10 mg/kg or 20 mg/kg every 3 weeks, intravenous \(",
        "Q7": r"9-fold \(monkey\)",
        "Q8": r".*hepatotoxicity.*competitive landscape",
        "Q9": r"liver \(humans: hepatitis.*monkey: .*necrosis",
    },
    ("inhaled", "BX 7720"): {
        "Q1": None,
        "Q2": r"Inhaled$",
        "Q3": r"400 µg \(Phase I;",
        "Q4": r"200 µg \(.*fibrillation",
        "Q5": r"200 µg once daily",
        "Q6": r"50 µg, 100 µg, 200 µg or 400 µg once daily, inhaled, for 14 days",
        "Q7": None,
        "Q8": None,
    },
    ("backup", "QLM-88"): {
        **dict.fromkeys(("Q1", "Q2", "Q3", "Q4", "Q5", "Q6")),
        "Q8": r".*nephrotoxicity",
        "Q9": r"kidney \(rat: degeneration",
    },
    ("protocol_and_report", "DZ-1450"): {
        "Q1": r"3 mg \(single dose, subcutaneous",
        "Q2": r"Subcutaneous$",
        "Q3": r"40 mg once weekly",
        "Q4": r"100 mg \(syncope",
        "Q5": None,
        "Q6": r"10 mg, 20 mg or 40 mg once weekly, subcutaneous, for 4 weeks",
        "Q7": r"15-fold \(rabbit\)",
        "Q8": r"injection-site reactions.*antibodies",
        "Q9": r".*skin",
    },
    ("eye", "OCX-902"): {
        "Q1": None,
        "Q2": r"Intravitreal$",
        "Q3": r"2\.5 mg every 4 weeks \(Phase II",
        "Q4": r"2\.5 mg \(retinal vasculitis",
        "Q5": r"2\.5 mg \(",
        "Q6": r"1 mg or 2\.5 mg every 4 weeks, intravitreal",
        "Q7": None,
        "Q8": r".*vasculitis",
        "Q9": r".*eye",
    },
    ("antibiotic", "HK 204"): {
        "Q1": None,
        "Q2": r"Intravenous$",
        "Q3": r"1 g t\.i\.d\. \(Phase I",
        "Q4": r"1 g t\.i\.d\. \(.*nephritis",
        "Q5": r"500 mg t\.i\.d\.",
        "Q6": r"250 mg, 500 mg or 1 g three times daily, intravenous, for seven days",
        "Q8": r".*nephrotoxicity",
        "Q9": r"kidney \(monkey: necrosis.*humans: nephritis",
    },
    ("antibiotic", "HK 377"): {
        **dict.fromkeys(("Q1", "Q4", "Q7")),
        "Q8": r".*recruitment difficulties",
    },
    ("renamed", "LMX-330"): {
        "Q1": r"5 mg",
        "Q2": r"Subcutaneous$",
        "Q4": r"300 mg every 4 weeks",
        "Q5": r"50 mg and 75 mg",
        "Q7": None,
        "Q8": r".*leukoencephalopathy.*lack of efficacy",
    },
    ("corrected", "TRX-505"): {},
    ("ineffective", "SRN-40"): {
        "Q3": r"40 mg",
        "Q5": None,
        "Q7": r"No margin of safety",
        "Q8": r".*lack of efficacy",
        "Q9": r"nervous system \(dog: convulsions\)$",
    },
    ("old_style", "AB 4411"): {
        "Q1": r"25 mg \(single dose",
        "Q2": r"Oral \(capsules\)$",
        "Q3": r"50 mg three times daily",
        "Q4": r"150 mg \(vomiting",
        "Q5": r"50 mg three times daily",
        "Q6": r"50 mg three times daily, for 28 days",
        "Q7": r"4-fold \(dog\) and 8-fold \(rat\)",
        "Q8": r".*agranulocytosis",
        "Q9": r"blood.*humans: agranulocytosis.*liver \(rat: .*eye .*dog: cataracts",
    },
    ("combination", "ZYM-220"): {
        "Q1": None,
        "Q2": r"Intravenous$",
        "Q3": r"900 mg",
        "Q4": r"900 mg \(infusion-related reactions",
        "Q5": None,
        "Q6": r"150 mg, 300 mg, 600 mg or 900 mg once weekly, intravenous",
        "Q8": r".*portfolio prioritisation",
        "Q9": r".*spleen",
    },
    ("cream", "DMT-77"): {
        "Q2": r"Topical$",
        "Q3": r"2 % ",
        "Q5": r"2 % ",
        "Q6": r"0\.5 % or 2 % twice daily, topical, for 4 weeks",
    },
}
CELLS = [
    pytest.param(folder, molecule, question, pattern, id=f"{molecule}-{question}")
    for (folder, molecule), answers in EXPECTED.items()
    for question, pattern in answers.items()
]


@cache
def archive(folder: str) -> Archive:
    return from_folder(FOLDER / folder)


def answer(folder: str, molecule: str, question: str) -> Draft:
    return EXTRACTORS[QUESTIONS[question]](archive(folder).research_input(molecule))


@pytest.mark.parametrize(("folder", "molecule", "question", "pattern"), CELLS)
def test_the_answer_begins_with_the_value_asked_for(
    folder: str, molecule: str, question: str, pattern: str | None
) -> None:
    draft = answer(folder, molecule, question)
    if pattern is None:
        assert not draft.present, draft.short
        assert draft.short == ""
        assert draft.headline.endswith((".", "?"))
    else:
        assert draft.present, draft.headline
        assert re.match(pattern, draft.short), draft.short


@pytest.mark.parametrize(("folder", "molecule"), EXPECTED)
@pytest.mark.parametrize("question_type", EXTRACTORS)
def test_drafts_rest_on_the_passages_of_the_dossier_and_are_the_same_every_time(
    folder: str, molecule: str, question_type: str
) -> None:
    research_input = archive(folder).research_input(molecule)
    draft = EXTRACTORS[question_type](research_input)
    passages = {passage for document in research_input.documents for passage in document.passages}
    assert draft == EXTRACTORS[question_type](research_input)
    assert draft.present == bool(draft.claims)
    assert all(claim.passages and set(claim.passages) <= passages for claim in draft.claims)
    assert all(field.passages and set(field.passages) <= passages for field in draft.fields)


@pytest.mark.parametrize("question_type", EXTRACTORS)
def test_an_empty_dossier_gives_an_absent_draft(question_type: str) -> None:
    research_input = archive("eye").research_input("ABC-1234567")
    assert research_input.documents == ()
    assert not EXTRACTORS[question_type](research_input).present


def test_other_question_types_answer_from_reports() -> None:
    assert EXTRACTORS["mechanism"](archive("oncology").research_input("NVX-310")).short.startswith(
        "humanized monoclonal antibody"
    )
    assert EXTRACTORS["mechanism"](archive("inhaled").research_input("BX 7720")).short.startswith(
        "long-acting muscarinic antagonist"
    )
