"""Reports as agencies and companies publish them: cells of their tables, read with caption and header."""

from functools import cache
from pathlib import Path

import pytest

from retrieval.parse import parse
from retrieval.passages import passages_of
from retrieval.values import Document, DocumentRecord, TableRow
from tests.support.services import shared


@cache
def rows(path: Path) -> tuple[TableRow, ...]:
    found = parse(path)
    passages = passages_of(Document(DocumentRecord("a", "a", "", "pdf", "A"), found.text, found.pages))
    return tuple(passage.row for passage in passages if passage.row)


def matching(path: Path, caption: str, *cells: str) -> TableRow:
    """The only row under such a caption that has all these cells."""
    found = [row for row in rows(path) if caption in row.caption and set(cells) <= set(row.cells)]
    assert len(found) == 1, [row.cells for row in rows(path) if caption in row.caption]
    return found[0]


@pytest.mark.parametrize(
    ("caption", "cells", "header", "value"),
    [
        ("Table 2", ("Control", "Mean"), "pre", "91.7"),
        ("Table 2", ("Compound A 100 mg/kg", "Mean"), "1", "186.2 *"),
        ("Table 2", ("Compound A 1000 mg/kg", "SD"), "8", "6.0"),
        ("Table 3", ("Compound A 1000 mg/kg", "Mean"), "4", "0.998 *"),
        ("Table 4", ("Compound A 100 mg/kg", "N"), "2", "5"),
        ("Appendix 2", ("Compound A 100 mg/kg", "01M05"), "4", "203.1"),
        ("Appendix 4", ("Compound A 1000 mg/kg", "02M03"), "2", "73.2"),
    ],
)
def test_study_report(caption: str, cells: tuple[str, ...], header: str, value: str) -> None:
    row = matching(shared("data/documents/study_reports/CJ16050_final_report.pdf"), caption, *cells)
    (place,) = [i for i, name in enumerate(row.header) if name.split(" / ")[-1] == header]
    assert row.cells[place] == value


def test_study_design_of_the_report() -> None:
    path = shared("data/documents/study_reports/CJ16050_final_report.pdf")
    (row,) = [row for row in rows(path) if "6 (02M01-02M06)" in row.cells]
    assert "1000" in " ".join(row.cells)
    read_as = dict(zip(row.header, row.cells, strict=True))
    assert next(value for name, value in read_as.items() if "(mg/mL)" in name) == "100"
    assert any("Dose Group" in name and "(mg/kg)" in name for name in row.header)


@pytest.mark.parametrize(
    ("cells", "header", "value"),
    [
        (("Group 1", "Vehicle"), "Number of Animals / Main / NonRecovery / F", "10"),
        (("Group 1", "Vehicle"), "Number of Animals / TK / M", "0"),
        (("Group 4", "200 mg/kg"), "Dose Concentration", "200mg/kg"),
        (("Group 3", "3R"), "Element in each Epoch / Recovery", "Recovery"),
    ],
)
def test_reviewers_guide_with_headers_of_three_levels(
    cells: tuple[str, ...], header: str, value: str
) -> None:
    path = shared("data/documents/reviewer_guides/PointCross_study_data_reviewers_guide.pdf")
    found = [row for row in rows(path) if set(cells) <= set(row.cells) and header in row.header]
    assert [row.cells[row.header.index(header)] for row in found] == [value]


def test_a_table_of_contents_is_text_and_no_scan() -> None:
    guide = "data/documents/reviewer_guides/PointCross_study_data_reviewers_guide.pdf"
    found = parse(shared(guide))
    assert found.warnings == ()
    assert "Study Design Summary" in found.text[found.pages[1].start : found.pages[1].end]


def test_pages_of_pictures_are_all_reported() -> None:
    found = parse(shared("data/documents/pdf_parsing/docling_nemotron_multipage.pdf"))
    assert len(found.pages) == 4
    assert [told.partition(":")[0] for told in found.warnings] == ["Pages 1–4"]


def test_a_paper_in_two_columns_is_read_column_by_column() -> None:
    found = parse(shared("data/documents/pdf_parsing/multi-column.pdf"))
    text = found.text[: found.pages[3].end]
    assert max(map(len, text.splitlines())) > 300
    assert text.count("\n|") < 40


def test_ligatures_are_letters_of_their_word() -> None:
    text = parse(shared("data/documents/pdf_parsing/multi-column.pdf")).text
    assert "Who first voiced" in text
    assert "f irst" not in text
