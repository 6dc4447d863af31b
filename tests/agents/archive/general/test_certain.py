"""What is never stated as an answer, however well its words fit: headings, questions, numbers of places."""

import pytest

from agents.archive.general.answer import InPlace, is_certain, is_cut
from agents.archive.general.certain import is_of_all, stands_alone
from agents.archive.general.extract import extract, from_row
from agents.archive.general.question import analyse_question
from agents.archive.general.review import ReviewedPassage
from agents.archive.general.spans import has_answer_type, shortest
from agents.archive.general.tables import LabelledRow
from agents.archive.review import PassageRef
from agents.archive.tools import LoadedDocument
from retrieval.values import Document, DocumentRecord, Passage, PassageKind


@pytest.mark.parametrize(
    "text",
    ["As described in Section 4.1.2, three levels are kept.", "See Table 3.2 for the dictionary version."],
)
def test_the_number_of_a_section_or_table_is_no_value(text: str) -> None:
    question = analyse_question("Which version of the dictionary was used?")
    assert not has_answer_type(text, question)
    assert has_answer_type("Version 9.1 of the dictionary was used.", question)


@pytest.mark.parametrize(
    ("text", "kind", "states"),
    [
        ("Four dogs of study KB-11 had tremor.", PassageKind.SENTENCE, True),
        ("Ruth, can you confirm that four dogs of study KB-11 had tremor?", PassageKind.SENTENCE, False),
        ("Dogs with tremor in study KB-11", PassageKind.HEADING, False),
    ],
)
def test_a_question_or_a_heading_of_a_document_states_nothing(
    text: str, kind: PassageKind, states: bool
) -> None:
    passage = Passage("mail", 0, len(text), text, kind)
    record = DocumentRecord("mail", "mail.md", "0" * 64, "md", "Mail")
    read = LoadedDocument(Document(record, text), (passage,))
    sure = ReviewedPassage(PassageRef("mail", 0), 0, confidence=0.99, fits=True, column=None)
    assert is_certain(sure, InPlace(read, 0, None)) is states


@pytest.mark.parametrize(
    ("question", "passage", "of_all"),
    [
        (
            "Body load of KV-30 in females, high dose",
            "In the low-dose group, females had 4 mg KV-30.",
            False,
        ),
        (
            "Body load of KV-30 in females, high dose",
            "In the high-dose group, females had 9 mg KV-30.",
            True,
        ),
        (
            "What is the maximum tolerated multiple dose of KV-30?",
            "The maximum tolerated single dose of KV-30 was 90 mg.",
            False,
        ),
        ("What dose of oxazepam was given?", "Oxazepam up to 15 mg is allowed as rescue.", False),
        ("What dose of oxazepam was allowed?", "Oxazepam up to 15 mg was allowed.", True),
        ("What dose of oxazepam did they receive?", "Oxazepam 15 mg may be given once.", False),
        ("What dose of oxazepam was given?", "The men were given 15 mg oxazepam.", True),
        ("Half-life of KV-30 in dogs?", "The half-life of KV-30 was 3 h in the rat.", False),
        (
            "Half-life of KV-30 in dogs?",
            "Its half-life was 3 h in the rat and 5 h in the dog (KV-30).",
            True,
        ),
        ("KV-30 level on day 14?", "On day 1 the level of KV-30 was 3 ng/mL.", False),
        ("Ki of KV-30 for LarZ?", "The Ki of KV-30 for LarQ was 4 nM.", False),
        ("MTD of KV-30?", "The maximum tolerated dose of KV-30 was 30 mg.", True),
        ("What did the rabbit study of KV-30 show?", "A rabbit study of KV-30 is in progress.", False),
        ("Which rabbit study of KV-30 is planned?", "A rabbit study of KV-30 is planned.", True),
        ("Was KV-30 given orally?", "KV-30 was given intravenously.", False),
    ],
)
def test_a_passage_of_another_group_species_time_or_name_is_no_answer(
    question: str, passage: str, of_all: bool
) -> None:
    assert is_of_all(question, passage, (), ()) is of_all


def test_the_name_of_a_document_need_not_stand_in_its_passages() -> None:
    assert is_of_all("How many dogs were in KB-11?", "Four dogs were treated.", ("KB-11",), ())
    assert not is_of_all("How many dogs were in KB-11?", "Four dogs were treated.", ("KB-12",), ())


def test_a_date_with_a_roman_month_answers_when() -> None:
    question = analyse_question("When were the dogs of KB-11 weighed?")
    assert shortest(question, "The dogs of KB-11 were weighed on 3/XI/2022 by two people.") == "3/XI/2022"


def test_nothing_is_stated_while_another_passage_is_nearly_as_likely() -> None:
    assert stands_alone(0.97, [0.8, 0.2])
    assert not stands_alone(0.97, [0.95])


def test_a_row_is_told_by_its_value_and_not_by_its_label() -> None:
    question = analyse_question("What diet did the ferrets receive?")
    row = LabelledRow(("Diet:", "Chow KB, 20 g a day"), ("", ""), "", "Husbandry")
    assert from_row(question, row, 1).short == "Chow KB, 20 g a day"


def test_of_several_values_none_is_picked() -> None:
    question = analyse_question("How many rejections were there among the 29 patients?")
    text = "Among 29 patients there were 9 rejections, against 1 rejection among 17 others."
    assert shortest(question, text) == text
    assert shortest(question, "Among 29 patients there were 9 rejections.") == "9"


@pytest.mark.parametrize(("words", "is_one"), [(12, False), (60, True)])
def test_a_sentence_that_has_to_be_cut_is_no_answer(words: int, is_one: bool) -> None:
    question = analyse_question("Average baseline viral load of the patients?", ())
    text = " ".join(["Patients with a baseline viral load below a limit were left out", *["again"] * words])
    assert is_cut(extract(question, Passage("D", 0, len(text), text), None, None)) is is_one


def test_a_level_that_rests_on_a_finding_does_not_tell_the_finding() -> None:
    told = "The NOAEL is 20 mg/kg once a month, on account of the corneal thickness at 80 mg/kg."
    assert not is_of_all("corneal thickness in rabbits at 80 mg/kg", told, ["rabbit"], [])
    assert is_of_all("NOAEL in rabbits", told, ["rabbit"], [])
    assert is_of_all("Which dose was without effect on the cornea of rabbits?", told, ["rabbit"], [])
