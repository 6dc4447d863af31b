"""An answer exported and read back: the content is all there, and text from documents stays text."""

import io
import json
import re
from dataclasses import replace

import docx as python_docx
import pypdfium2
import pytest
from markdown_it import MarkdownIt

from adapters.export import bundle, typeset
from adapters.export.markdown import escape
from agents.archive.answer import Answer, AnswerOutcome, SearchedPlace
from agents.evidence.values import Citation
from agents.kinds import RunView
from agents.reports.gate import gated
from agents.reports.values import PROPOSED, Cell, Code, Origin, Paragraph, Points, Statement, Table
from agents.runs.records import RunState
from retrieval.values import Domain
from tests.agents.reports.test_origins import BY, CODE, OUT, report, says
from tests.support.archive import view_of

HOSTILE = "<b>bold</b> & | pipe * star\x00 <script>alert(1)</script>"

CITATION = Citation(
    1, "E1", "ZX-CL-1", "First study", f"6 subjects received 25 µg {HOSTILE}", 0, 10, ("Design",), 3
)
ANSWER = Answer(
    question="What was the first-in-human dose of ZX-12?",
    short="25 µg as a single dose",
    blocks=(
        Paragraph("The first-in-human dose was 25 µg.", strong=True),
        Points((Statement("The first subject received 25 µg.", (1,)),)),
        Table("Doses", ("Dose", "Subjects"), ((Cell("25 µg", (1,)), Cell("6", (1,))),)),
        Code("r", "mean(c(25, 25))", origin=Origin(PROPOSED, "the designer")),
    ),
    outcome=AnswerOutcome.ANSWERED,
    citations=(CITATION,),
    not_found=("Strategic documents say nothing about the dose.",),
    searched=(SearchedPlace("first dose", Domain.CLINICAL, 4),),
    partial="it was stopped",
)
VIEW = view_of(ANSWER, RunState.STOPPED)


def test_markdown_keeps_text_from_documents_as_text() -> None:
    text = typeset("md", VIEW).decode()

    assert text.startswith("# What was the first-in-human dose of ZX-12?\n")
    assert "- The first subject received 25 µg. **[1]**" in text
    assert "| 25 µg **[1]** | 6 |" in text
    assert "ZX-CL-1, page 3, Design" in text
    assert "<script>" not in text
    assert "it was stopped" in text


@pytest.mark.parametrize("name", ["md", "docx", "pdf"])
def test_every_block_is_exported(name: str) -> None:
    text = read(name)

    assert "The first-in-human dose was 25 µg." in text
    assert "The first subject received 25 µg." in text
    assert "mean(c(25, 25))" in text


@pytest.mark.parametrize("name", ["docx", "pdf"])
def test_documents_can_be_opened_and_hold_everything(name: str) -> None:
    text = read(name)

    assert text.count("The first-in-human dose was 25 µg.") == 1
    assert "ZX-CL-1, page 3, Design" in text
    assert "<b>bold</b> & | pipe" in text
    assert "Strategic documents" in text
    assert "Run r1" in text


def test_no_table_leaves_its_title_behind_on_a_page_of_the_pdf() -> None:
    rows = tuple((Cell("25 µg", (1,)), Cell("6", (1,))) for _ in range(7))
    tables = tuple(Table(f"Title {n}", (f"Head {n}", "Subjects"), rows) for n in range(12))
    made = typeset("pdf", view_of(replace(ANSWER, blocks=tables), RunState.STOPPED))
    pages = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(made)]
    for n in range(12):
        assert any(f"Title {n}" in page and f"Head {n}" in page for page in pages)


def test_the_bundle_is_complete_json() -> None:
    content = json.loads(bundle(VIEW, (), ()))

    assert content["report"]["citations"][0]["quote"].endswith(HOSTILE)
    assert content["run"]["run_id"] == "r1"


def read(name: str, view: RunView = VIEW) -> str:
    data = typeset(name, view)
    if name in ("md", "html"):
        return re.sub(r"<[^>]+>", "", data.decode()) if name == "html" else data.decode()
    if name == "pdf":
        return " ".join(
            page.get_textpage().get_text_range().replace("\r\n", " ") for page in pypdfium2.PdfDocument(data)
        )
    document = python_docx.Document(io.BytesIO(data))
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    return "\n".join([*(paragraph.text for paragraph in document.paragraphs), *cells])


LINKS = "[click here](http://evil.example) ![x](http://evil.example/p) <http://a.example> [1] [E3] of day E14"
TRAP = Answer(
    question=LINKS,
    short=LINKS,
    blocks=(
        Paragraph(LINKS),
        Points((Statement(f"{LINKS}\n\n[r]: http://evil.example", (1,)),)),
        Table(LINKS, (LINKS, "\ue0001\ue001"), ((Cell(LINKS, (1,)), Cell("\ue0001\ue001")),)),
        Code("r", f"{LINKS}\n````\n{LINKS}", origin=Origin(PROPOSED, "A [x](http://evil.example)")),
        Paragraph("\ufffe \ue0001\ue001"),
    ),
    outcome=AnswerOutcome.ANSWERED,
    citations=(Citation(1, "E1", LINKS, LINKS, LINKS, 0, 10, (LINKS,), 3),),
    not_found=(LINKS,),
)


def written(name: str) -> bytes:
    return typeset(name, view_of(TRAP))


def test_no_link_of_a_document_is_live_in_markdown() -> None:
    text = written("md").decode()
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(text)
    inside = [token for block in tokens for token in block.children or ()]
    assert not [token for token in inside if token.type in ("link_open", "image", "html_inline")]
    shown = "".join(token.content for token in inside)
    assert shown.count(LINKS) >= 8


def test_a_structure_in_backticks_can_be_copied_from_markdown() -> None:
    assert escape("`C[C@H](N)C#N` for [it](x)") == r"`C[C@H](N)C#N` for \[it\](x)"


def test_no_link_of_a_document_is_live_in_word() -> None:
    document = python_docx.Document(io.BytesIO(written("docx")))
    assert "hyperlink" not in document.element.xml
    assert not [rel for rel in document.part.rels.values() if rel.reltype.endswith("/hyperlink")]


def test_no_link_of_a_document_is_live_in_pdf() -> None:
    assert b"/Annots" not in written("pdf")
    assert b"/URI" not in written("pdf")


def test_only_the_reports_own_citations_are_marked_as_such() -> None:
    document = python_docx.Document(io.BytesIO(written("docx")))
    cells = [cell for table in document.tables for row in table.rows for cell in row.cells]
    paragraphs = [*document.paragraphs, *(p for cell in cells for p in cell.paragraphs)]
    raised = [run.text for p in paragraphs for run in p.runs if run.font.superscript]
    assert raised == ["[1]"] * 3  # the statement, the source, the cell
    assert sum(p.text.count("[1] [E3] of day E14") for p in paragraphs) >= 8
    assert written("md").decode().count("**[1]**") == 3


@pytest.mark.parametrize("name", ["md", "docx", "pdf", "html"])
def test_every_export_tells_what_is_computed_and_by_whom(name: str) -> None:
    assert VIEW.history is not None
    told = gated(report(says("The IC50 of P-3 is 5.2 nM.", BY.origin), Code("r", CODE, OUT, BY.origin)))
    view = replace(VIEW, history=replace(VIEW.history, written=told))
    text = " ".join(read(name, view).split())
    assert "The IC50 of P-3 is 5.2 nM. (computed)" in text
    assert "Accuracy 0.873" in text
    program = f"program {BY.program[:8]}"
    assert text.count(f"Computed by fold.R ({program}) from fold.R, counts.csv.") == 2
    (section,) = json.loads(bundle(view, (), ()))["report"]["sections"]
    assert section["blocks"][0]["statements"][1]["origin"]["key"] == BY.key
