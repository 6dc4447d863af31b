"""PDF: sentences stay whole, captions stay with their tables, raised characters stay raised."""

from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from retrieval.parse import parse
from retrieval.passages import passages_of
from retrieval.values import Document, DocumentRecord, TableRow
from tests.retrieval.parse import build
from tests.retrieval.parse.build import TOP

SENTENCE = (
    "Rats received QX-77 once daily by gavage for four weeks at 0, 4, 12 or",
    "36 mg/kg/day. Each group had ten animals per sex, and five more in the",
    "control group and the highest dose group were kept for two weeks.",
)
CELLS = [[str(number), str(100 + number), str(200 + number), str(300 + number)] for number in range(1, 31)]


def rows_of(path: Path) -> list[TableRow]:
    text = parse(path).text
    found = passages_of(Document(DocumentRecord("a", "a", "", "pdf", "A"), text))
    return [passage.row for passage in found if passage.row]


def paragraph(canvas: Canvas, y: float, bold: int = -1) -> None:
    for number, line in enumerate(SENTENCE * 2):
        build.write(canvas, line, y - 12 * number, size=9.5, bold=number == bold)


def test_prose_is_no_heading_where_most_print_is_in_smaller_tables(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    build.write(canvas, "2 Methods", TOP, size=12, bold=True)
    paragraph(canvas, TOP - 40)
    for i, row in enumerate(CELLS):
        for j, cell in enumerate(row):
            build.write(canvas, cell * 2, 640 - 12 * i, 72 + 90 * j, size=8)
    canvas.save()
    text = parse(tmp_path / "a.pdf").text
    assert [line for line in text.splitlines() if line.startswith("#")] == ["## 2 Methods"]
    assert " ".join(SENTENCE) in text


def test_a_line_in_bold_within_a_sentence_does_not_cut_it(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    paragraph(canvas, TOP, bold=1)
    canvas.save()
    assert parse(tmp_path / "a.pdf").text.startswith(" ".join(SENTENCE))


def test_a_heading_over_two_lines_is_one(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    build.write(canvas, "QX-77: four-week oral toxicity study in Wistar", TOP, size=16, bold=True)
    build.write(canvas, "rats with a recovery period", TOP - 19, size=16, bold=True)
    paragraph(canvas, TOP - 60)
    canvas.save()
    first = parse(tmp_path / "a.pdf").text.splitlines()[0]
    assert first == "# QX-77: four-week oral toxicity study in Wistar rats with a recovery period"


def test_bold_captions_of_two_lines_belong_to_the_table_that_follows(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    paragraph(canvas, TOP)
    for y, name in ((660, "males"), (520, "females")):
        build.write(
            canvas,
            f"Supplementary table: organ weights of {name} at the end of treatment (ten",
            y,
            size=9,
            bold=True,
        )
        build.write(canvas, "animals in each group)", y - 11, size=9, bold=True)
        build.ruled(canvas, build.DOSES, y - 20)
    canvas.save()
    assert {row.caption for row in rows_of(tmp_path / "a.pdf")} == {
        "Supplementary table: organ weights of males at the end of treatment (ten animals in each group)",
        "Supplementary table: organ weights of females at the end of treatment (ten animals in each group)",
    }


def test_captions_below_their_tables_are_moved_up_in_documents_that_write_them_so(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    build.ruled(canvas, build.DOSES, TOP)
    build.write(canvas, "Table 1. Doses of the first part.", TOP - 90)
    build.ruled(canvas, build.DOSES, TOP - 110)
    build.write(canvas, "Table 2. Doses of the second part.", TOP - 200)
    canvas.save()
    captions = [row.caption for row in rows_of(tmp_path / "a.pdf")]
    assert captions == ["Table 1. Doses of the first part."] * 4 + ["Table 2. Doses of the second part."] * 4


def test_the_unit_at_the_corner_of_a_table_is_read_with_its_caption(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    paragraph(canvas, TOP)
    build.write(canvas, "Table 3. Breathing volume", 650)
    build.ruled(canvas, build.DOSES, 640)
    build.write(canvas, "*: P<0.05", 550)
    build.write(canvas, "(mL/min)", 550, 480)
    canvas.save()
    assert {row.caption for row in rows_of(tmp_path / "a.pdf")} == {"Table 3. Breathing volume (mL/min)"}


def test_a_footer_does_not_part_a_table_from_its_rows_on_the_next_page(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    for page in (1, 2):
        build.write(canvas, "Report of Norrland Laboratories", 820, size=8)
        if page == 1:
            paragraph(canvas, TOP)
            build.write(canvas, "Table 1. Doses and animals.", 140)
            build.ruled(canvas, build.DOSES, 130)
        else:
            build.ruled(canvas, [build.DOSES[0], ["4", "300", "8"]], TOP)
        build.write(canvas, "Norrland Laboratories - confidential", 30, size=8)
        build.write(canvas, f"Page {page}", 30, 500, size=8)
        canvas.showPage()
    canvas.save()
    last = rows_of(tmp_path / "a.pdf")[-1]
    assert (last.caption, last.cells) == ("Table 1. Doses and animals.", ("4", "300", "8"))
    assert "Page 2" not in parse(tmp_path / "a.pdf").text


def test_raised_letters_and_powers_do_not_run_into_what_stands_before(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    build.prose(canvas, TOP)
    for x, base, high in ((72, "12.5", "a"), (200, "10", "3"), (300, "kg", "−1")):
        build.write(canvas, base, 600, x)
        build.write(canvas, high, 604, x + canvas.stringWidth(base, "Helvetica", 10), size=6)
    canvas.save()
    text = parse(tmp_path / "a.pdf").text
    assert all(part in text for part in ("12.5 ᵃ", "10³", "kg⁻¹"))
