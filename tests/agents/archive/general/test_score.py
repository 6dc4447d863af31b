"""What counts as told at an amount that the question names."""

import pytest

from agents.archive.general.candidates import candidates_of
from agents.archive.general.question import analyse_question
from agents.archive.general.score import score
from agents.archive.tools import LoadedDocument
from retrieval.passages import passages_of
from retrieval.values import Document, DocumentRecord

SIGNS = "Which clinical signs were seen at 1000 mg/kg?"
TOLD = "Decreased activity was a clinical sign in all animals at 1000 mg/kg."


def conditions(question: str, *sentences: str) -> list[float]:
    """How far each sentence says the numbers of the question."""
    document = Document(DocumentRecord("r", "r.md", "0" * 64, "md", "Report"), " ".join(sentences))
    loaded = LoadedDocument(document, passages_of(document))
    found = score(analyse_question(question), candidates_of(loaded, [(0, len(document.text), 1.0)]))
    by_text = {item.passage.text: item.conditions for item in found}
    return [by_text.get(sentence, 0.0) for sentence in sentences]


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        ("No clinical signs were seen at 100 mg/kg.", 0.0),
        ("No clinical signs were seen at 0.1 g/kg.", 0.0),
        ("The clinical signs ceased within 2 hours.", 0.7),
        ("Clinical signs were seen at 1 g/kg too.", 0.7),
    ],
)
def test_a_sentence_about_another_amount_is_not_about_the_one_before(second: str, expected: float) -> None:
    assert conditions(SIGNS, TOLD, second) == [1.0, expected]
