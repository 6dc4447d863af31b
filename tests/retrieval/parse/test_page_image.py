"""Pictures of pages with quotes marked in them."""

import io
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from retrieval.errors import CorruptDocument
from retrieval.parse import parse
from retrieval.parse.page_image import MARK, page_png
from tests.retrieval.parse import build


def pixels(png: bytes) -> NDArray[np.uint8]:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def marked(path: Path, quote: str, page: int = 1) -> NDArray[np.intp]:
    """(n, 2) rows and columns of the pixels in the marker's colour."""
    return np.argwhere((pixels(page_png(path, page, [quote])) == MARK).all(axis=2))


def test_a_quote_is_marked_where_it_stands(tmp_path: Path) -> None:
    path = build.report(tmp_path / "a.pdf")
    found = marked(path, "nothing unusual was seen in line 2 of it.")
    height = pixels(page_png(path, 1, [])).shape[0]
    baseline = height - 2 * (build.TOP - 80 - 13)
    assert len(found) > 1000
    assert abs(found[:, 0].mean() - baseline) < 16
    assert found[:, 1].min() > 2 * 150


def test_text_stays_legible_under_the_mark(tmp_path: Path) -> None:
    path = build.report(tmp_path / "a.pdf")
    plain, shown = pixels(page_png(path, 1, [])), pixels(page_png(path, 1, ["Route: oral gavage"]))
    dark = (plain < 40).all(axis=2)
    assert (shown[dark] < 60).all()
    assert not np.array_equal(plain, shown)


def test_each_row_of_the_parsed_table_can_be_marked(tmp_path: Path) -> None:
    path = build.report(tmp_path / "a.pdf")
    rows = [line for line in parse(path).text.splitlines() if line.startswith("| ")]
    heights = [marked(path, row)[:, 0].mean() for row in rows]
    assert len(rows) == 4
    assert heights == sorted(heights)


def test_all_rows_of_a_quoted_table_are_marked_and_not_the_last_one_alone(tmp_path: Path) -> None:
    path = build.report(tmp_path / "a.pdf")
    rows = [line for line in parse(path).text.splitlines() if line.startswith("|")]
    each = [marked(path, row) for row in rows if "---" not in row]
    assert len(marked(path, "\n".join(rows))) == sum(map(len, each)) > len(each[-1])


@pytest.mark.parametrize("quote", ["words that the page does not have", "", " | "])
def test_a_quote_that_is_not_there_marks_nothing(tmp_path: Path, quote: str) -> None:
    path = build.report(tmp_path / "a.pdf")
    assert np.array_equal(pixels(page_png(path, 1, [quote])), pixels(page_png(path, 1, [])))


def test_a_quote_that_goes_over_lines_and_hyphens(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    build.write(canvas, "the absolute bioavail-", 700)
    build.write(canvas, "ability was high", 680)
    canvas.save()
    found = marked(tmp_path / "a.pdf", "absolute bioavailability was high")
    assert np.ptp(found[:, 0]) > 2 * 20


def test_a_row_with_a_label_carried_from_above_is_marked(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    rows = [
        ["Group", "Animal", "Weight"],
        ["Control", "M01", "250.1"],
        ["", "M02", "251.7"],
        ["High", "M03", "240"],
    ]
    build.ruled(canvas, rows, 700, [("SPAN", (0, 1), (0, 2))])
    canvas.save()
    found = marked(tmp_path / "a.pdf", "| Low | M02 | 251.7 |")
    assert 2 * (841 - 670) < found[:, 0].mean() < 2 * (841 - 640)


def test_a_quote_on_a_turned_page(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    canvas.setPageRotation(90)
    build.write(canvas, "Rats were dosed once daily.", 400)
    canvas.save()
    found = marked(tmp_path / "a.pdf", "Rats were dosed once daily.")
    assert np.ptp(found[:, 0]) > 2 * 100 > np.ptp(found[:, 1])


def test_a_scan_is_shown_as_it_is(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (40, 30), colour) for colour in ("white", "red")]
    frames[0].save(tmp_path / "a.tif", "TIFF", save_all=True, append_images=frames[1:])
    assert (pixels(page_png(tmp_path / "a.tif", 2, ["anything"])) == (255, 0, 0)).all()
    with pytest.raises(CorruptDocument, match="page 3"):
        page_png(tmp_path / "a.tif", 3, [])


def test_slides_are_not_shown(tmp_path: Path) -> None:
    with pytest.raises(CorruptDocument, match="Open the file"):
        page_png(build.deck(tmp_path / "a.pptx"), 1, [])


@pytest.mark.parametrize("page", [0, 2, -1])
def test_a_page_that_the_document_does_not_have(tmp_path: Path, page: int) -> None:
    with pytest.raises(CorruptDocument, match="1 page"):
        page_png(build.report(tmp_path / "a.pdf"), page, [])


def test_a_file_that_is_gone_or_no_pdf(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(b"no PDF")
    for name in ("a.pdf", "gone.pdf"):
        with pytest.raises(CorruptDocument):
            page_png(tmp_path / name, 1, [])


def test_a_huge_page_is_rendered_smaller(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    canvas.setPageSize((14_000, 1_000))
    canvas.showPage()
    canvas.save()
    assert max(pixels(page_png(tmp_path / "a.pdf", 1, [], 5)).shape) <= 6_000
