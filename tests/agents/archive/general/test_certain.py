"""What is never stated as an answer, however well its words fit: headings, questions, numbers of places."""

import pytest

from agents.archive.general.answer import InPlace, is_certain
from agents.archive.general.question import analyse_question
from agents.archive.general.review import ReviewedPassage
from agents.archive.general.spans import has_answer_type
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
