"""How passages are led in for a language model."""

from agents.archive.answer import Question
from agents.archive.reading.shown import Excerpt, asked, lead, table_head
from retrieval.values import DocumentRecord, Passage, PassageKind, TableRow


def excerpt(doc_id: str, start: int) -> Excerpt:
    """A sentence of a document."""
    record = DocumentRecord(doc_id, f"{doc_id}.md", "0" * 64, "md", doc_id)
    return Excerpt(Passage(doc_id, start, start + 5, "Done.", PassageKind.SENTENCE), record)


def test_the_lead_counts_the_documents_of_what_is_shown() -> None:
    two = [excerpt("A", 0), excerpt("A", 9), excerpt("B", 0)]

    assert lead(two, {"A", "B", "C"}) == "Passages from 2 of 3 documents, best first:"
    assert lead(two, {"A", "C"}, "QX-7") == (
        "Passages from 1 of 2 documents about QX-7 and 1 other, best first:"
    )


def test_a_long_head_over_several_columns_is_told_once() -> None:
    over = "Plasma concentrations of the metabolite after a single dose"
    row = TableRow("", ("Animal", f"{over} / 1 h", f"{over} / 2 h", "Sex"), ("", "", "", ""))

    told = table_head(Passage("A", 0, 1, "|", row=row))

    assert told == f"| Animal | {over} / 1 h | … / 2 h | Sex |"


def test_a_question_is_asked_once_unless_it_was_read_in_other_words() -> None:
    text = "What was the dose of QX-7?"
    assert "written so" not in asked(Question(text, written="what was the dose of QX-7 ?"))
    assert "dosis" in asked(Question(text, written="what was the dosis of QX-7?"))
