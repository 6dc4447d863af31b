"""Tables as reports print them: levels of headers, notes, labels, broken rules, contents and drawings."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.pdfgen.canvas import Canvas

from retrieval.parse import parse
from retrieval.parse.image_rules import image_rules
from retrieval.parse.ocr import Tesseract
from retrieval.passages import passages_of
from retrieval.values import Document, DocumentRecord, ParsedFile, TableRow
from tests.retrieval.parse import build
from tests.support.services import program

Drawn = tuple[float, float, float]
Written = tuple[float, float, str]


def rows(found: ParsedFile) -> list[TableRow]:
    document = Document(DocumentRecord("a", "a", "", "pdf", "A"), found.text, found.pages)
    return [passage.row for passage in passages_of(document) if passage.row]


def drawn(path: Path, rules: Sequence[Drawn], texts: Sequence[Written]) -> ParsedFile:
    """A page with horizontal rules (x0, x1, y) and texts (x, y, text), parsed."""
    canvas = build.sheet(path)
    build.prose(canvas, build.TOP)
    for x0, x1, y in rules:
        canvas.line(x0, y, x1, y)
    for x, y, text in texts:
        build.write(canvas, text, y, x)
    canvas.save()
    return parse(path)


def study_table(path: Path) -> ParsedFile:
    """A table between rules: notes, a header over a partial rule, groups of rows parted by blanks."""
    rules = [(72, 500, 640), (72, 500, 612), (260, 500, 596), (72, 500, 582), (72, 500, 450)]
    texts: list[Written] = [
        (72, 650, "Table 2 Respiratory rate"),
        (72, 628, "Study No.: AB-12"),
        (400, 628, "Sex: Male"),
        (72, 616, "Species: Rat"),
        (400, 616, "Route: oral"),
        (72, 600, "Treatment"),
        (310, 600, "Time after dosing (hours)"),
    ]
    texts += [(x, 586, text) for x, text in ((280, "pre"), (380, "1"), (470, "2"))]
    y = 568.0
    for first, second in (("Control", ""), ("Compound A", "100 mg/kg")):
        for label, name, values in ((first, "Mean", "91.7 94.8 112.5"), (second, "SD", "18.0 21.3 14.8")):
            texts += [(72, y, label)] if label else []
            texts += [
                (x, y, text) for x, text in zip((200, 280, 380, 470), (name, *values.split()), strict=True)
            ]
            y -= 13
        y -= 16
    return drawn(path, rules, texts)


def test_a_title_over_a_partial_rule_names_the_columns_over_that_rule(tmp_path: Path) -> None:
    row = rows(study_table(tmp_path / "a.pdf"))[0]
    hours = "Time after dosing (hours) / "
    assert row.header == ("Treatment", "", f"{hours}pre", f"{hours}1", f"{hours}2")


def test_a_label_of_two_lines_stands_in_each_row_of_its_group(tmp_path: Path) -> None:
    found = rows(study_table(tmp_path / "a.pdf"))[1:]
    assert [row.cells[:2] for row in found] == [
        ("Control", "Mean"),
        ("Control", "SD"),
        ("Compound A 100 mg/kg", "Mean"),
        ("Compound A 100 mg/kg", "SD"),
    ]
    assert found[0].cells[2:] == ("91.7", "94.8", "112.5")


def test_notes_between_caption_and_header_are_read_with_the_caption(tmp_path: Path) -> None:
    row = rows(study_table(tmp_path / "a.pdf"))[-1]
    assert row.caption == "Table 2 Respiratory rate Study No.: AB-12; Sex: Male Species: Rat; Route: oral"


def test_labels_beside_values_are_rows_without_a_header(tmp_path: Path) -> None:
    texts = [
        (72, 640, "Species:"), (230, 640, "Rat"),
        (72, 626, "Age at the start of"), (230, 626, "8 weeks, and 9 weeks for the animals of the second"),
        (72, 612, "treatment:"), (230, 612, "part of the study"),
        (72, 598, "Route:"), (230, 598, "oral gavage"),
    ]  # fmt: skip
    header, *found = rows(drawn(tmp_path / "a.pdf", [], texts))
    assert header.cells == ("", "")
    assert [row.cells for row in found] == [
        ("Species:", "Rat"),
        (
            "Age at the start of treatment:",
            "8 weeks, and 9 weeks for the animals of the second part of the study",
        ),
        ("Route:", "oral gavage"),
    ]


def test_rules_drawn_cell_by_cell_show_the_cells(tmp_path: Path) -> None:
    columns = ((72, 157), (158.5, 228), (229.5, 330))
    rules = [(*column, y) for y in (640, 620, 560) for column in columns]
    rules += [(*column, y) for y in (600, 580) for column in columns[:2]]
    texts = [(x + 5, 626, text) for (x, _), text in zip(columns, ("Day", "Dose", "Animals"), strict=True)]
    for y, day, dose in ((606, "1", "0"), (586, "8", "10"), (566, "15", "30")):
        texts += [(77, y, day), (164, y, dose)]
    texts.append((270, 586, "4"))
    found = rows(drawn(tmp_path / "a.pdf", rules, texts))
    assert [row.cells for row in found[1:]] == [("1", "0", "4"), ("8", "10", "4"), ("15", "30", "4")]


def test_a_table_of_contents_is_a_list(tmp_path: Path) -> None:
    titles = ("Summary", "Methods", "Results", "Conclusion")
    texts = [(72, 640 - 14 * i, f"{i + 1}.") for i in range(4)]
    texts += [(110, 640 - 14 * i, title) for i, title in enumerate(titles)]
    texts += [(480, 640 - 14 * i, str(4 + i)) for i in range(4)]
    found = drawn(tmp_path / "a.pdf", [], texts)
    assert rows(found) == []
    assert "- 2. Methods 5\n- 3. Results 6" in found.text


def boxes(canvas: Canvas) -> None:
    canvas.rect(60, 400, 460, 250)
    for x, y, text in ((90, 600, "Receive data"), (300, 600, "Create datasets"), (90, 450, "Write the plan")):
        canvas.rect(x, y, 120, 30)
        build.write(canvas, text, y + 10, x + 10)
    build.write(canvas, "Building the package of the whole submission", 520, 150)


def test_boxes_of_a_drawing_are_no_table(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    build.prose(canvas, build.TOP)
    boxes(canvas)
    canvas.save()
    found = parse(tmp_path / "a.pdf")
    assert not any("Building the package" in cell for row in rows(found) for cell in row.cells)
    assert "Building the package of the whole submission" in found.text


def scanned_table(skew: float) -> Image.Image:
    image = Image.new("L", (1700, 1100), 252)
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(44)
    for i, row in enumerate(
        (("Dose", "Rats", "Deaths"), ("10", "12", "0"), ("30", "14", "2"), ("100", "16", "7"))
    ):
        for j, text in enumerate(row):
            draw.text((160 + 480 * j, 215 + 110 * i), text, 0, font)
    for i in range(5):
        draw.line((140, 190 + 110 * i, 1580, 190 + 110 * i), 150, 2)
    for j in range(4):
        draw.line((140 + 480 * j, 190, 140 + 480 * j, 630), 150, 2)
    return image.rotate(skew, Image.Resampling.BICUBIC, fillcolor=252)


@pytest.mark.parametrize("skew", [0.0, 0.3, -0.3])
def test_the_lines_of_a_scanned_table_are_found_and_taken_out(skew: float) -> None:
    image = scanned_table(skew)
    rules, cleaned = image_rules(image, 300)
    assert [sum(rule.horizontal for rule in rules), sum(not rule.horizontal for rule in rules)] == [5, 4]
    left = cleaned.crop((800, 170, 900, 660)).point(lambda level: 255 * (level < 190))
    assert left.getbbox() is None


def test_a_picture_without_lines_is_left_as_it_is() -> None:
    page = build.picture("Rats received 30 mg/kg of the test article, and nothing else was done.")
    assert image_rules(page, 150) == ([], page)


def test_tesseract_reads_a_skewed_table_by_its_lines(tmp_path: Path) -> None:
    engine = Tesseract(program("tesseract"))
    path = tmp_path / "a.png"
    scanned_table(0.3).save(path, dpi=(300, 300))
    found = rows(parse(path, engine))
    assert [row.cells for row in found] == [
        ("Dose", "Rats", "Deaths"),
        ("10", "12", "0"),
        ("30", "14", "2"),
        ("100", "16", "7"),
    ]
