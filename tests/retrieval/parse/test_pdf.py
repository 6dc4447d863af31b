"""PDF with a text layer: reading order, headings, items, tables, pages."""

import logging
import tracemalloc
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4

from retrieval.parse import parse
from retrieval.passages import passages_of
from retrieval.values import Document, DocumentRecord, ParsedFile, TableRow
from tests.retrieval.parse import build
from tests.retrieval.parse.build import TOP

DOSES = [list(row) for row in build.DOSES]


def tables(found: ParsedFile) -> list[list[list[str]]]:
    """The pipe tables of a text, without the dashes."""
    made: list[list[list[str]]] = [[]]
    for line in found.text.splitlines():
        if not line.startswith("|"):
            made += [[]] if made[-1] else []
        elif set(line) - set("|- "):
            made[-1].append([cell.strip() for cell in line.strip("|").split("|")])
    return [table for table in made if table]


def test_a_report(tmp_path: Path) -> None:
    found = parse(build.report(tmp_path / "a.pdf"))
    assert found.text.strip() == (
        "# Toxicity of the Test Article in Rats\n\n## 1. Study Design\n\n"
        "The animals were observed daily and nothing unusual was seen in line 1 of it. "
        "The animals were observed daily and nothing unusual was seen in line 2 of it. "
        "The animals were observed daily and nothing unusual was seen in line 3 of it.\n\n"
        "- Species: Rat\n- Route: oral gavage\n\n"
        "Table 1. Doses and animals.\n| Group | Dose (mg/kg) | Animals |\n|---|---|---|\n"
        "| 1 | 0 | 6 |\n| 2 | 30 | 6 |\n| 3 | 100 | 5 |"
    )
    assert [(page.number, page.start) for page in found.pages] == [(1, 0)]
    assert found.pages[-1].end == len(found.text)


def test_rows_are_read_with_caption_and_header(tmp_path: Path) -> None:
    found = parse(build.report(tmp_path / "a.pdf"))
    rows = [
        passage.row for passage in passages_of(Document(DocumentRecord("a", "a", "", "pdf", "A"), found.text))
    ]
    last = [row for row in rows if row][-1]
    assert last.caption == "Table 1. Doses and animals."
    assert dict(zip(last.header, last.cells, strict=True)) == {
        "Group": "3",
        "Dose (mg/kg)": "100",
        "Animals": "5",
    }


def test_a_table_without_rules(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    build.prose(canvas, TOP)
    build.write(canvas, "Table 2. Exposure on Day 28.", 700)
    build.unruled(canvas, DOSES, 680, (72, 200, 330))
    build.prose(canvas, 600)
    canvas.save()
    found = parse(tmp_path / "a.pdf")
    assert tables(found) == [DOSES]
    assert "Table 2. Exposure on Day 28.\n| Group" in found.text


def test_a_header_of_two_lines_is_one_row(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    rows = [
        ["Group", "Dose Group", "Concentration", "Number of"],
        ["No.", "(mg/kg)", "(mg/mL)", "Animals"],
        ["1", "0", "0", "6"],
        ["2", "30", "3", "6"],
        ["3", "100", "10", "5"],
    ]
    build.prose(canvas, TOP)
    build.unruled(canvas, rows, 680, (72, 160, 270, 400))
    canvas.save()
    (table,) = tables(parse(tmp_path / "a.pdf"))
    assert table == [
        ["Group No.", "Dose Group (mg/kg)", "Concentration (mg/mL)", "Number of Animals"],
        *rows[2:],
    ]


def test_a_ruled_header_of_two_rows_names_each_column_in_full(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    rows = [["Dose", "Animals", ""], ["", "M", "F"], ["30", "6", "5"], ["100", "4", "3"]]
    spans = [("SPAN", (1, 0), (2, 0)), ("SPAN", (0, 0), (0, 1))]
    build.ruled(canvas, rows, 700, spans)
    canvas.save()
    (table,) = tables(parse(tmp_path / "a.pdf"))
    assert table == [["Dose", "Animals / M", "Animals / F"], ["30", "6", "5"], ["100", "4", "3"]]


def test_a_cell_that_spans_rows_is_read_in_each(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    rows = [
        ["Group", "Animal", "Weight (g)"],
        ["Low", "M01", "250"],
        ["", "M02", "251"],
        ["High", "M03", "240"],
    ]
    build.ruled(canvas, rows, 700, [("SPAN", (0, 1), (0, 2))])
    canvas.save()
    (table,) = tables(parse(tmp_path / "a.pdf"))
    assert [row[0] for row in table] == ["Group", "Low", "Low", "High"]


def test_a_group_label_is_carried_to_the_rows_below_it(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    groups = (("Control", "91.7", "94.8"), ("30 mg/kg", "89.5", "186.2"), ("100 mg/kg", "89.3", "102.1"))
    rows = [["Treatment", "", "pre", "1 h"]]
    for name, first, second in groups:
        rows += [[name, "N", "6", "6"], ["", "Mean", first, second], ["", "SD", "18.0", "21.3"]]
    build.prose(canvas, TOP)
    build.unruled(canvas, rows, 680, (72, 180, 260, 340))
    canvas.save()
    (table,) = tables(parse(tmp_path / "a.pdf"))
    assert ["30 mg/kg", "Mean", "89.5", "186.2"] in table
    assert ["100 mg/kg", "SD", "18.0", "21.3"] in table


def test_a_cell_of_several_lines_stays_one(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    rows = [["Parameter", "Method"], ["Route", "Oral gavage,\nonce daily"], ["Species", "Rat | Wistar"]]
    build.ruled(canvas, rows, 700)
    canvas.save()
    text = parse(tmp_path / "a.pdf").text
    assert "| Route | Oral gavage, once daily |" in text
    assert "| Species | Rat \\| Wistar |" in text


@pytest.mark.parametrize("repeated", [True, False])
def test_a_table_over_two_pages_keeps_its_header(tmp_path: Path, repeated: bool) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    build.write(canvas, "Table 3. Animals.", 150)
    build.ruled(canvas, [["Animal", "Dose (mg/kg)"], ["M01", "0"], ["M02", "30"]], 140)
    canvas.showPage()
    build.ruled(
        canvas, [*([["Animal", "Dose (mg/kg)"]] if repeated else []), ["M03", "100"], ["M04", "300"]], TOP
    )
    canvas.save()
    found = parse(tmp_path / "a.pdf")
    passages = passages_of(Document(DocumentRecord("a", "a", "", "pdf", "A"), found.text, found.pages))
    last = passages[-1]
    assert last.row == TableRow("Table 3. Animals.", ("Animal", "Dose (mg/kg)"), ("M04", "300"))
    assert last.page == 2
    assert [passage.row.cells[0] for passage in passages if passage.row][1:] == ["M01", "M02", "M03", "M04"]


def test_running_headers_and_page_numbers_are_left_out(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    for number in range(1, 6):
        build.write(canvas, "Confidential report AB-123", 810, size=8)
        build.prose(canvas, TOP, words=f"On page {number} the animals were seen")
        build.write(canvas, f"Page {number} of 5", 30, x=280, size=8)
        canvas.showPage()
    canvas.save()
    found = parse(tmp_path / "a.pdf")
    pages = [found.text[page.start : page.end] for page in found.pages]
    assert found.text.count("Confidential") <= 1
    assert "of 5" not in found.text
    assert all(f"On page {number} " in page for number, page in enumerate(pages, 1))


def test_two_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    for number in range(30):
        build.write(canvas, f"left line {number} of the running text", TOP - 14 * number, 60, 9)
        build.write(canvas, f"right line {number} of the running text", TOP - 14 * number, 320, 9)
    canvas.save()
    text = parse(tmp_path / "a.pdf").text
    assert text.index("left line 29 ") < text.index("right line 0 ")
    assert tables(ParsedFile(text)) == []


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_turned_page_is_read_as_it_is_shown(tmp_path: Path, turn: int) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    width, height = A4
    origin = {90: (height, 0), 180: (width, height), 270: (0, width)}[turn]
    canvas.translate(*origin)
    canvas.rotate(turn)
    canvas.setPageRotation(turn)
    build.write(canvas, "Rats were dosed once daily.", 400)
    build.write(canvas, "They were weighed weekly.", 380)
    canvas.save()
    text = parse(tmp_path / "a.pdf").text
    assert text.index("Rats were dosed once daily.") < text.index("They were weighed weekly.")


def test_a_word_broken_at_the_end_of_a_line_is_joined(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    build.prose(canvas, TOP, 2, "The bioavailability was calculated for all of the animals")
    build.write(canvas, "In rats of both sexes, and in dogs of either age alike, the absolute bioavail-", 700)
    build.write(canvas, "ability was high, and it did not depend on the dose-", 687)
    canvas.save()
    assert "the absolute bioavailability was high" in parse(tmp_path / "a.pdf").text


def test_libraries_neither_warn_nor_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = build.report(tmp_path / "a.pdf")
    path.write_bytes(
        path.read_bytes().replace(b"/FontBBox", b"/FontBBoy").replace(b"startxref", b"startxxxx")
    )
    with caplog.at_level(logging.WARNING, "pestle"):
        assert "Study Design" in parse(path).text
    assert not [record for record in caplog.records if record.name.startswith("pestle")]


def test_memory_does_not_grow_with_the_number_of_pages(tmp_path: Path) -> None:
    def peak(pages: int) -> float:
        path = build.scan(tmp_path / f"{pages}.pdf", [], written=pages)
        tracemalloc.start()
        text = parse(path).text
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert f"On page {pages} it is told" in text
        return used

    peak(2)
    assert peak(40) - peak(8) < 32 * 60_000


@pytest.mark.parametrize("title", ["", "Toxicity in Rats"])
def test_the_title_of_the_file_is_metadata(tmp_path: Path, title: str) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    canvas.setTitle(title)
    build.prose(canvas, TOP)
    canvas.save()
    assert parse(tmp_path / "a.pdf").metadata.get("title", "") == title


@pytest.mark.parametrize("y", [400, 100])
def test_a_last_row_of_numbers_is_no_page_number(tmp_path: Path, y: float) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    build.prose(canvas, build.TOP)
    build.unruled(canvas, build.DOSES, y + 3 * 14, (72, 200, 330))
    canvas.save()
    (table,) = tables(parse(tmp_path / "a.pdf"))
    assert table[-1] == ["3", "100", "5"]


def test_a_wide_table_over_two_columns_of_prose_stays_whole(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    for x0, x1, y in ((60, 530, 775), (60, 530, 755), (60, 530, 710)):
        canvas.line(x0, y, x1, y)
    build.unruled(canvas, DOSES, 762, (70, 230, 450))
    for number in range(24):
        build.write(canvas, f"left line {number} of the running text", 660 - 14 * number, 60, 9)
        build.write(canvas, f"right line {number} of the running text", 660 - 14 * number, 320, 9)
    canvas.save()
    found = parse(tmp_path / "a.pdf")
    assert tables(found) == [DOSES]
    order = [found.text.index(mark) for mark in ("| 3 |", "left line 23 ", "right line 0 ")]
    assert order == sorted(order)


def test_a_title_may_begin_small_and_its_joined_letters_are_read(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    canvas.setPageCompression(0)
    build.write(canvas, "zoo: E~ects of Doses", TOP, size=18)
    build.prose(canvas, TOP - 80)
    canvas.save()
    (tmp_path / "b.pdf").write_bytes((tmp_path / "a.pdf").read_bytes().replace(b"E~ects", b"E\x1bects"))
    assert parse(tmp_path / "b.pdf").text.startswith("# zoo: Effects of Doses\n")
