"""Files that cannot be used: each gets the error of its kind, which says what to do next."""

import io
import re
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from retrieval.errors import (
    CorruptDocument,
    DocumentError,
    DocumentTooLarge,
    EncryptedDocument,
    UnsupportedFormat,
)
from retrieval.parse import DEFAULT_LIMITS, parse
from tests.retrieval.parse import build
from tests.support.drills import examples

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + "EncryptedPackage".encode("utf-16-le") + bytes(1000)
ADVICE = re.compile(r"(?:Get|Give|Save|Split|Scan|Check|Remove) ")


def rejected(path: Path, kind: type[DocumentError], **limits: int) -> str:
    """The message of the error; it must say what to do next."""
    with pytest.raises(kind) as caught:
        parse(path, limits=replace(DEFAULT_LIMITS, **limits))
    message = str(caught.value)
    assert ADVICE.search(message)
    return message


def with_member(path: Path, name: str, data: bytes) -> Path:
    """The packed file with a member added or replaced."""
    with zipfile.ZipFile(path) as package:
        members = {member: package.read(member) for member in package.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for member, content in {**members, name: data}.items():
            package.writestr(member, content)
    return path


@pytest.mark.parametrize(
    "suffix", [".md", ".txt", ".html", ".csv", ".pdf", ".docx", ".pptx", ".xlsx", ".png"]
)
def test_an_empty_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.touch()
    assert "empty" in rejected(path, CorruptDocument)


@pytest.mark.parametrize("suffix", [".pdf", ".docx", ".pptx", ".xlsx", ".png", ".tif"])
@pytest.mark.parametrize(
    "content", [b"%PDF-1.4 and no more", b"PK\x03\x04 and no more", b"<html>error 404</html>"]
)
def test_a_damaged_file_or_one_that_is_not_what_its_name_says(
    tmp_path: Path, suffix: str, content: bytes
) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(content)
    rejected(path, CorruptDocument)


@pytest.mark.parametrize("suffix", [".docx", ".pptx", ".xlsx"])
def test_a_packed_file_of_another_kind(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("readme.txt", "not an Office file")
    rejected(path, CorruptDocument)


@pytest.mark.parametrize("suffix", [".txt", ".md", ".html", ".csv"])
def test_binary_data_named_as_text(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(bytes(range(256)) * 40)
    rejected(path, CorruptDocument)


@pytest.mark.parametrize("name", ["a.exe", "a.doc", "a.xls", "a.zip", "noname"])
def test_an_unknown_kind(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"anything")
    rejected(tmp_path / name, UnsupportedFormat)


def test_an_encrypted_pdf(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    canvas = Canvas(str(path), encrypt=StandardEncryption("secret", "owner"))
    canvas.drawString(72, 700, "hidden")
    canvas.save()
    assert "password" in rejected(path, EncryptedDocument)


@pytest.mark.parametrize("suffix", [".docx", ".pptx", ".xlsx"])
def test_an_encrypted_office_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(OLE)
    assert "password" in rejected(path, EncryptedDocument)


@pytest.mark.parametrize("suffix", [".docx", ".pptx", ".xlsx"])
def test_a_zip_bomb_is_not_unpacked(tmp_path: Path, suffix: str) -> None:
    made = {".docx": build.word, ".pptx": build.deck, ".xlsx": build.book}[suffix](tmp_path / f"a{suffix}")
    assert "zip bomb" in rejected(with_member(made, "bomb.bin", bytes(50_000_000)), DocumentTooLarge)


def test_an_entity_bomb_is_not_expanded(tmp_path: Path) -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    xml = f'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY e0 "lol">{entities}]><d>&e9;</d>'
    rejected(with_member(build.word(tmp_path / "a.docx"), "word/document.xml", xml.encode()), CorruptDocument)


def test_an_external_entity_is_refused(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    path = build.word(tmp_path / "a.docx")
    with zipfile.ZipFile(path) as package:
        xml = package.read("word/document.xml").decode()
    xml = xml.replace("<w:document", f'<!DOCTYPE d [<!ENTITY x SYSTEM "{secret.as_uri()}">]><w:document', 1)
    xml = xml.replace("All animals survived.", "All &x; survived.")
    with_member(path, "word/document.xml", xml.encode())
    rejected(path, CorruptDocument)


def test_a_file_over_the_size_limit(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text " * 100)
    rejected(tmp_path / "a.txt", DocumentTooLarge, file_bytes=100)


def test_too_many_pages(tmp_path: Path) -> None:
    path = build.scan(tmp_path / "a.pdf", [], written=4)
    assert "4 pages" in rejected(path, DocumentTooLarge, pages=3)


def test_too_many_rows(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n" * 11)
    rejected(tmp_path / "a.csv", DocumentTooLarge, table_rows=10)
    rejected(build.book(tmp_path / "a.xlsx"), DocumentTooLarge, table_rows=2)


@pytest.mark.parametrize("pixels", [1_000, 2_000_000])
def test_a_picture_that_unpacks_to_too_much(tmp_path: Path, pixels: int) -> None:
    Image.new("1", (3000, 1000)).save(tmp_path / "a.png")
    rejected(tmp_path / "a.png", DocumentTooLarge, image_pixels=pixels)


def test_a_picture_over_the_library_s_own_limit(tmp_path: Path) -> None:
    Image.new("1", (20_000, 20_000)).save(tmp_path / "a.png")
    rejected(tmp_path / "a.png", DocumentTooLarge)


def test_remarks_of_the_libraries_are_kept_from_the_reader(tmp_path: Path) -> None:
    styles = (
        b'<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts/></styleSheet>'
    )
    path = with_member(build.book(tmp_path / "a.xlsx"), "xl/styles.xml", styles)
    with pytest.warns(UserWarning, match="no stylesheet"):
        openpyxl.load_workbook(path)
    assert "| 3 | 0.5 | 5 |" in parse(path).text


def test_a_folder_named_like_a_document(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").mkdir()
    rejected(tmp_path / "a.pdf", CorruptDocument)


def test_a_file_that_is_gone(tmp_path: Path) -> None:
    rejected(tmp_path / "gone.md", CorruptDocument)


BUILDERS: dict[str, Callable[[Path], Path]] = {
    ".pdf": build.report,
    ".docx": build.word,
    ".xlsx": build.book,
    ".pptx": build.deck,
}
DAMAGE = settings(
    max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("samples")
    files = {suffix: made(folder / f"a{suffix}").read_bytes() for suffix, made in BUILDERS.items()}
    out = io.BytesIO()
    build.picture("Dose", (60, 60)).save(out, "TIFF", compression="tiff_lzw")
    return {**files, ".tif": out.getvalue(), ".md": b"---\ntitle: a\n---\n# A\n", ".csv": b"a;b\n1;2\n"}


@pytest.mark.parametrize("suffix", [*BUILDERS, ".tif", ".md", ".csv"])
@DAMAGE
@given(data=st.data())
def test_damage_raises_nothing_but_a_document_error(
    tmp_path: Path, samples: dict[str, bytes], suffix: str, data: st.DataObject
) -> None:
    content = bytearray(samples[suffix])
    for place in data.draw(st.lists(st.integers(0, len(content) - 1), max_size=12), label="flipped"):
        content[place] ^= data.draw(st.integers(1, 255), label="with")
    end = data.draw(st.sampled_from([len(content)]) | st.integers(0, len(content)), label="cut at")
    path = tmp_path / f"a{suffix}"
    path.write_bytes(content[:end])
    with suppress(DocumentError):
        parse(path)
