"""Word, PowerPoint and Excel."""

from pathlib import Path

import docx
import openpyxl
import pptx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from pptx.util import Inches

from retrieval.parse import parse
from retrieval.values import ParsedFile
from tests.retrieval.parse import build

TABLE = "| Group | Dose (mg/kg) | Animals |\n|---|---|---|\n| 1 | 0 | 6 |\n| 2 | 30 | 6 |\n| 3 | 100 | 5 |"


def page_texts(found: ParsedFile) -> list[str]:
    """The pages' texts; they must cover the whole text without a gap."""
    starts = [page.start for page in found.pages]
    assert starts == [0, *(page.end for page in found.pages)][: len(starts)]
    assert found.pages[-1].end == len(found.text)
    assert [page.number for page in found.pages] == list(range(1, len(found.pages) + 1))
    return [found.text[page.start : page.end].strip() for page in found.pages]


def test_word_in_reading_order(tmp_path: Path) -> None:
    found = parse(build.word(tmp_path / "a.docx"))
    assert found.text.strip().split("\n\n") == [
        "# Toxicity in Rats",
        "## Study Design",
        "Rats were dosed once | daily for 28 days.",
        "- Species: Rat\n- Route: oral",
        f"Table 1. Doses and animals.\n{TABLE}",
        "All animals survived.",
    ]
    assert found.metadata["title"] == "Toxicity in Rats"


def test_a_merged_word_cell_is_read_in_every_row_it_spans(tmp_path: Path) -> None:
    document = docx.Document()
    table = document.add_table(rows=3, cols=3)
    for row, texts in zip(
        table.rows, (("Group", "Sex", "N"), ("Control", "M", "6"), ("", "F", "5")), strict=True
    ):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    document.save(str(tmp_path / "a.docx"))
    assert parse(tmp_path / "a.docx").text.splitlines()[2:] == ["| Control | M | 6 |", "| Control | F | 5 |"]


def test_slides_are_pages(tmp_path: Path) -> None:
    assert page_texts(parse(build.deck(tmp_path / "a.pptx"))) == [
        "## Portfolio\n\n- First in human in 2020\n- Phase 2 planned\n\nNotes: Ask the team.",
        f"## Doses\n\n{TABLE}",
    ]


def test_sheets_are_sections_with_their_title_line_as_caption(tmp_path: Path) -> None:
    first, second = parse(build.book(tmp_path / "a.xlsx")).text.split("## Dates")
    assert first.strip() == (
        "## Doses\n\nTable 1. Doses and animals.\n| Group | Dose (mg/kg) | Animals |\n|---|---|---|\n"
        "| 1 | 0 | 6 |\n| 2 | 30 | 6 |\n| 3 | 0.5 | 5 |"
    )
    assert second.strip().startswith("| Dosing | 2016-12-07 |")


def test_a_formula_is_not_calculated_and_its_text_not_shown(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["Name", "Value"])
    book.active.append(["sum", '=HYPERLINK("http://example.invalid", "x")'])
    book.save(tmp_path / "a.xlsx")
    assert "HYPERLINK" not in parse(tmp_path / "a.xlsx").text


@pytest.mark.parametrize("suffix", [".DOCX", ".Docx"])
def test_suffixes_in_capitals(tmp_path: Path, suffix: str) -> None:
    assert "All animals survived." in parse(build.word(tmp_path / f"a{suffix}")).text


HEADER = "| Dose | Animals / M | Animals / F |"


def test_a_merged_header_in_excel_names_each_column_in_full(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["Dose", "Animals", None], [None, "M", "F"], [30, 6, 5], [100, 4, 3]):
        book.active.append(row)
    book.active.merge_cells("B1:C1")
    book.active.merge_cells("A1:A2")
    book.save(tmp_path / "a.xlsx")
    assert parse(tmp_path / "a.xlsx").text.splitlines()[2:] == [
        HEADER,
        "|---|---|---|",
        "| 30 | 6 | 5 |",
        "| 100 | 4 | 3 |",
    ]


def test_a_merged_header_in_word_names_each_column_in_full(tmp_path: Path) -> None:
    document = docx.Document()
    table = document.add_table(rows=3, cols=3)
    rows = (("Dose", "Animals", ""), ("", "M", "F"), ("30", "6", "5"))
    for row, texts in zip(table.rows, rows, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(0, 0).merge(table.cell(1, 0))
    document.save(str(tmp_path / "a.docx"))
    assert parse(tmp_path / "a.docx").text.splitlines() == [HEADER, "|---|---|---|", "| 30 | 6 | 5 |"]


def test_a_merged_cell_on_a_slide_is_read_in_each_row(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    table = slide.shapes.add_table(3, 2, Inches(1), Inches(2), Inches(6), Inches(2)).table
    for number, texts in enumerate((("Group", "Animal"), ("Low", "M01"), ("", "M02"))):
        for place, text in enumerate(texts):
            table.cell(number, place).text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    deck.save(str(tmp_path / "a.pptx"))
    assert "| Low | M01 |\n| Low | M02 |" in parse(tmp_path / "a.pptx").text


def test_deleted_text_of_tracked_changes_is_left_out(tmp_path: Path) -> None:
    path = build.word(tmp_path / "a.docx")
    document = docx.Document(str(path))
    paragraph = document.add_paragraph("Kept.")
    run = parse_xml(f"<w:del {nsdecls('w')}><w:r><w:delText>Gone.</w:delText></w:r></w:del>")
    paragraph._p.append(run)
    document.save(str(path))
    text = parse(path).text
    assert "Kept." in text
    assert "Gone." not in text


def test_raised_runs_of_word_and_slides_are_raised(tmp_path: Path) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("Clearance was 53.6")
    paragraph.add_run("b").font.superscript = True
    paragraph.add_run(" mL/min/1.73 m")
    paragraph.add_run("2").font.superscript = True
    document.save(str(tmp_path / "a.docx"))
    assert parse(tmp_path / "a.docx").text.strip() == "Clearance was 53.6 ᵇ mL/min/1.73 m²"

    slides = pptx.Presentation()
    box = slides.slides.add_slide(slides.slide_layouts[6]).shapes.add_textbox(0, 0, 9, 9)
    written = box.text_frame.paragraphs[0]
    written.add_run().text = "10"
    high = written.add_run()
    high.text = "6"
    high.font._rPr.set("baseline", "30000")
    written.add_run().text = " cells"
    slides.save(str(tmp_path / "a.pptx"))
    assert parse(tmp_path / "a.pptx").text.strip() == "10⁶ cells"
