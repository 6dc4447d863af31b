"""An answer exported and read back: the content is all there, and text from documents stays text."""

import io
import json

import docx as python_docx
import pypdfium2
import pytest

from adapters.export import FORMATS
from agents.archive.answer import Answer, AnswerTable, Cell, Finding, SearchedPlace
from agents.evidence.values import Citation
from agents.runs.records import RunRecord
from agents.trust.values import Claim, Verdict
from retrieval.values import Stage

HOSTILE = "<b>bold</b> & | pipe * star\x00 <script>alert(1)</script>"

ANSWER = Answer(
    question="What was the first-in-human dose of ZX-12?",
    short="25 µg as a single dose",
    text="25 µg as a single dose [1]",
    present=True,
    findings=(
        Finding(
            Stage.CLINICAL,
            "first_in_human_dose",
            "ZX-12",
            True,
            "The first-in-human dose was 25 µg.",
            claims=(
                Claim("The first subject received 25 µg.", ("E1",), verdict=Verdict.SUPPORTED),
                Claim("It was well liked.", ("E2",), verdict=Verdict.UNSUPPORTED),
            ),
        ),
    ),
    tables=(AnswerTable("Doses", ("Dose", "Subjects"), ((Cell("25 µg", ("E1",)), Cell("6")),)),),
    citations=(
        Citation(1, "E1", "ZX-CL-1", "First study", f"received 25 µg {HOSTILE}", 0, 10, ("Design",), 3),
    ),
    not_found=("Strategic documents say nothing about the dose.",),
    searched=(SearchedPlace("first dose", Stage.CLINICAL, 4, 31),),
    partial="it was stopped",
)
RUN = RunRecord("run-1", "archive", "{}", "key", created="2026-01-01T00:00:00Z")


def test_markdown_keeps_text_from_documents_as_text() -> None:
    text = FORMATS["md"][1](ANSWER, RUN, (), ()).decode()

    assert text.startswith("# What was the first-in-human dose of ZX-12?\n")
    assert "- The first subject received 25 µg. [1]" in text
    assert "| 25 µg [1] | 6 |" in text
    assert "ZX-CL-1, page 3, Design" in text
    assert "<script>" not in text
    assert "it was stopped" in text


@pytest.mark.parametrize("name", ["md", "docx", "pdf"])
def test_what_the_evidence_does_not_carry_is_not_exported(name: str) -> None:
    assert "well liked" not in read(name)
    assert "The first subject received 25 µg." in read(name)


@pytest.mark.parametrize("name", ["docx", "pdf"])
def test_documents_can_be_opened_and_hold_everything(name: str) -> None:
    text = read(name)

    assert "25 µg as a single dose" in text
    assert "ZX-CL-1, page 3, Design" in text
    assert "<b>bold</b> & | pipe" in text
    assert "Strategic documents" in text
    assert "run-1" in text


def test_the_bundle_is_complete_json() -> None:
    content = json.loads(FORMATS["json"][1](ANSWER, RUN, (), ()))

    assert content["answer"]["citations"][0]["quote"].endswith(HOSTILE)
    assert content["run"]["run_id"] == "run-1"


def read(name: str) -> str:
    data = FORMATS[name][1](ANSWER, RUN, (), ())
    if name == "md":
        return data.decode()
    if name == "pdf":
        return " ".join(
            page.get_textpage().get_text_range().replace("\r\n", " ") for page in pypdfium2.PdfDocument(data)
        )
    document = python_docx.Document(io.BytesIO(data))
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    return "\n".join([*(paragraph.text for paragraph in document.paragraphs), *cells])
