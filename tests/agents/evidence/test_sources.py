"""What a source is: canonical text whose id depends on the content alone."""

import pytest

from agents.evidence.sources import Origin, canonical, document_source, tool_source, upload_source
from retrieval.passages import passages_of
from retrieval.values import DocumentRecord

LABEL = tool_source(
    "openFDA drug labels",
    "Zorvatinib tablets, adverse reactions",
    "# Adverse reactions\n\nNausea was seen in 12 % of patients. Two had fever.\n",
    query="zorvatinib",
    release="2026-06",
    date="2026-07-01",
    link="https://example.org/label/1",
)


def test_a_document_is_a_source_whose_text_stays_in_the_archive() -> None:
    record = DocumentRecord("ib-1", "ib-1.pdf", "ab" * 32, "pdf", "Brochure", newest_version="ib-2")
    source = document_source(record)
    assert (source.id, source.sha256, source.text) == ("ib-1", "ab" * 32, "")
    assert source.newest_version == "ib-2"
    with pytest.raises(ValueError, match="the archive holds its text"):
        _ = source.document


def test_the_same_reply_is_the_same_source_whenever_it_was_fetched() -> None:
    again = tool_source(
        LABEL.name,
        LABEL.title,
        LABEL.text.replace("\n", "  \r\n"),
        query="zorvatinib side effects",
        release=LABEL.release,
        date="2026-07-09",
        link=LABEL.link,
    )
    assert again.id == LABEL.id
    assert again.sha256 == LABEL.sha256


@pytest.mark.parametrize("field", ["name", "title", "text", "release", "link"])
def test_another_content_is_another_source(field: str) -> None:
    given = {
        name: getattr(LABEL, name) for name in ("name", "title", "text", "query", "release", "date", "link")
    }
    assert tool_source(**{**given, field: given[field] + "x"}).id != LABEL.id


def test_an_upload_is_no_reply() -> None:
    upload = upload_source(LABEL.name, LABEL.title, LABEL.text)
    assert upload.origin is Origin.UPLOAD
    assert upload.id != LABEL.id


def test_a_source_without_text_is_refused() -> None:
    with pytest.raises(ValueError, match="nothing to cite"):
        tool_source("openFDA", "Empty", " \n\x0c\n")


def test_canonical_text_can_be_stored_and_stays_itself() -> None:
    text = canonical("a \r\nb\x00\ud800\t\rc\n\n")
    assert text == "a\nb\ufffd\ufffd\nc"
    assert canonical(text) == text


def test_passages_of_a_source_are_slices_of_its_text() -> None:
    passages = passages_of(LABEL.document)
    assert [passage.text for passage in passages] == [
        "Adverse reactions",
        "Nausea was seen in 12 % of patients.",
        "Two had fever.",
    ]
    assert all(LABEL.text[passage.start : passage.end] == passage.text for passage in passages)
    assert {passage.doc_id for passage in passages} == {LABEL.id}
