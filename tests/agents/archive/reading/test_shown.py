"""How passages are led in for a language model."""

from agents.archive.reading.shown import Excerpt, lead
from retrieval.values import DocumentRecord, Passage, PassageKind


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
