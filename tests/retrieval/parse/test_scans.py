"""Pages that are pictures: read by OCR, and reported where there is none."""

from pathlib import Path

import pytest
from PIL import Image

from retrieval.errors import DocumentError
from retrieval.parse import parse
from retrieval.parse.ocr import Tesseract
from tests.retrieval.parse import build
from tests.support.services import program

SCANNED = "STUDY REPORT\n\nRats received 30 mg/kg of the test article.\nAll animals survived until Day 28."


class Reader:
    """An `OcrEngine` that knows what stands on the page, and keeps the pictures that it was given."""

    name = "reader"

    def __init__(self, text: str) -> None:
        self.text = text
        self.seen: list[bytes] = []

    def read(self, image_png: bytes) -> str:
        self.seen.append(image_png)
        return self.text


def test_a_scanned_page_without_ocr_is_reported_with_its_number(tmp_path: Path) -> None:
    found = parse(build.scan(tmp_path / "a.pdf", [SCANNED], written=1))
    (warning,) = found.warnings
    assert warning.startswith("Page 2: scanned and not read.")
    assert "tesseract" in warning
    assert "On page 1 it is told" in found.text
    assert [page.number for page in found.pages] == [1, 2]
    assert found.pages[-1].end == len(found.text)


def test_many_scanned_pages_are_one_warning(tmp_path: Path) -> None:
    (warning,) = parse(build.scan(tmp_path / "a.pdf", [SCANNED] * 3, written=1)).warnings
    assert warning.startswith("Pages 2–4: scanned and not read.")


def test_a_scanned_page_is_read_by_the_engine(tmp_path: Path) -> None:
    engine = Reader("# Report\n\nRats received 30 mg/kg.")
    found = parse(build.scan(tmp_path / "a.pdf", [SCANNED], written=1), engine)
    assert found.warnings == ()
    page = found.pages[1]
    assert found.text[page.start : page.end].strip() == "# Report\n\nRats received 30 mg/kg."
    assert [picture[:4] for picture in engine.seen] == [b"\x89PNG"]


def test_a_scan_in_which_the_engine_finds_nothing_is_reported(tmp_path: Path) -> None:
    (warning,) = parse(build.scan(tmp_path / "a.pdf", [SCANNED]), Reader(" ")).warnings
    assert "reader" in warning


def test_an_engine_that_fails_on_a_page_does_not_cost_the_others(tmp_path: Path) -> None:
    class Failing(Reader):
        def read(self, image_png: bytes) -> str:
            if super().read(image_png) and len(self.seen) == 1:
                raise DocumentError("The engine is out of order. Repair it.")
            return self.text

    found = parse(build.scan(tmp_path / "a.pdf", [SCANNED, SCANNED], written=1), Failing("Read."))
    assert found.warnings == ("Page 2: scanned and not read. The engine is out of order. Repair it.",)
    assert found.text.endswith("Read.\n")


@pytest.mark.parametrize(("name", "kind"), [("a.tif", "TIFF"), ("a.png", "PNG"), ("a.jpg", "JPEG")])
def test_a_picture_is_a_page(tmp_path: Path, name: str, kind: str) -> None:
    build.picture(SCANNED, (200, 300)).save(tmp_path / name, kind)
    assert parse(tmp_path / name, Reader("Found.")).text.strip() == "Found."
    assert "1" in parse(tmp_path / name).warnings[0]


def test_each_picture_of_a_tiff_is_a_page(tmp_path: Path) -> None:
    frames = [Image.new("L", (50, 50), shade) for shade in (0, 100, 255)]
    frames[0].save(tmp_path / "a.tif", "TIFF", save_all=True, append_images=frames[1:])
    found = parse(tmp_path / "a.tif", Reader("Found."))
    assert [found.text[page.start : page.end].strip() for page in found.pages] == ["Found."] * 3


def test_a_page_with_neither_text_nor_picture_is_no_scan(tmp_path: Path) -> None:
    canvas = build.sheet(tmp_path / "a.pdf")
    build.prose(canvas, build.TOP)
    canvas.showPage()
    canvas.showPage()
    canvas.save()
    assert parse(tmp_path / "a.pdf").warnings == ()


def test_tesseract_reads_a_scan(tmp_path: Path) -> None:
    engine = Tesseract(program("tesseract"))
    found = parse(build.scan(tmp_path / "a.pdf", [SCANNED]), engine)
    assert found.warnings == ()
    assert "Rats received 30 mg/kg of the test article." in " ".join(found.text.split())
