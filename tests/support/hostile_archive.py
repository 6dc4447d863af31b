"""A folder of some 80 files that want to stop whoever reads it, with good ones among them."""

import io
import os
import random
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import docx
import openpyxl
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from tests.retrieval.parse import build
from tests.support.hostile import ESCAPES

GOOD = ("first.md", "deep/down/second.txt", "third.docx", "fourth.pdf", "fifth.xlsx", "last.html")
"""The good files. Each tells of one molecule that no other file knows: `molecule(0)` and so on."""
WORDS = ("rats", "received", "article", "daily", "and", "were", "well", "the", "liver", "showed", "change")


def molecule(number: int) -> str:
    """The molecule that a good file tells of."""
    return f"QZX-{7001 + number}"


def hostile_archive(folder: Path, scale: float = 1.0) -> int:
    """Fill the folder; how many files there are, links and pipes included. `scale` is of the large ones."""
    folder.mkdir(parents=True)
    for number, name in enumerate(GOOD):
        _good(folder / name, molecule(number))
    for name, make in (*_texts(scale), *_tables(scale), *_packed(scale), *_pages(scale)):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        make(path)
    _places(folder)
    return sum(1 for _, folders, names in os.walk(folder) for _ in names) + sum(
        Path(at, name).is_symlink() for at, folders, _ in os.walk(folder) for name in folders
    )


def _good(path: Path, name: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    told = f"Rats received {name} 10 mg/kg once daily for four weeks. Two animals lost weight."
    if path.suffix == ".docx":
        document = docx.Document()
        document.add_heading(f"{name}: a study in rats", 1)
        document.add_paragraph(told)
        document.save(str(path))
    elif path.suffix == ".xlsx":
        book = openpyxl.Workbook()
        book.active.append(("Molecule", "Dose (mg/kg)", "Finding"))  # type: ignore[union-attr]
        book.active.append((name, 10, "weight loss in two animals"))  # type: ignore[union-attr]
        book.save(path)
    elif path.suffix == ".pdf":
        canvas = build.sheet(path)
        build.write(canvas, f"{name}: a study in rats", build.TOP, size=18, bold=True)
        build.write(canvas, told, build.TOP - 50)
        canvas.save()
    elif path.suffix == ".html":
        path.write_text(f"<html><body><h1>{name} in rats</h1><p>{told}</p></body></html>")
    else:
        path.write_text(f"# {name}: a study in rats\n\n{told}\n")


Made = Iterator[tuple[str, Callable[[Path], object]]]


def _texts(scale: float) -> Made:
    """Lines, letters and nesting without end."""
    size = int(20_000_000 * scale)
    line = _prose(size)
    yield "one-line.txt", lambda path: path.write_text(line)
    yield "one-word.txt", lambda path: path.write_text("a" * size)
    yield "one-line.md", lambda path: path.write_text(line[: size // 4])
    yield "digits.txt", lambda path: path.write_text("0123456789" * (size // 40))
    yield "blanks.txt", lambda path: path.write_text(" " * (size // 4) + "end")
    yield "newlines.md", lambda path: path.write_text("\n" * (size // 4) + "end")
    yield "quotes.md", lambda path: path.write_text(">" * 50_000 + " deep")
    yield "list.md", lambda path: path.write_text("".join(f"{' ' * n}- item {n}\n" for n in range(2_000)))
    yield "headings.md", lambda path: path.write_text("".join(f"# Heading {n}\n\n" for n in range(20_000)))
    yield "brackets.md", lambda path: path.write_text("[" * 100_000 + "](" * 50_000)
    yield "stars.md", lambda path: path.write_text("*_" * 200_000)
    yield "backticks.md", lambda path: path.write_text("`" * 99_999 + "\n" + "~" * 99_999)
    yield "pipes.md", lambda path: path.write_text("|" * 200_000 + "\n" + "|-" * 100_000 + "\n")
    yield "front.md", lambda path: path.write_text("---\na: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n---\nText.")
    yield "front-deep.md", lambda path: path.write_text("---\n" + "[" * 20_000 + "\n---\nText.")
    yield "codes.txt", lambda path: path.write_text(" ".join(f"AB-{n}" for n in range(100_000)))
    yield "dates.txt", lambda path: path.write_text("2019-05-02 " * 50_000)
    yield "combining.txt", lambda path: path.write_text("a" + "\u0301" * 200_000)
    yield "zero-width.txt", lambda path: path.write_text("\u200b\u202e" * 100_000 + "end")
    yield "nul.txt", lambda path: path.write_bytes(b"text\x00text " * 10_000)
    yield "utf16.txt", lambda path: path.write_bytes(line[:100_000].encode("utf-16"))
    yield "half.txt", lambda path: path.write_bytes("Größe ".encode("latin-1") * 10_000)
    yield "random.txt", lambda path: path.write_bytes(random.Random(7).randbytes(1_000_000))
    yield "deep.html", lambda path: path.write_text("<div>" * 50_000 + "deep" + "</div>" * 50_000)
    yield "attributes.html", lambda path: path.write_text("<p " + "a=b " * 200_000 + ">text</p>")
    yield "unclosed.html", lambda path: path.write_text("<table><tr><td>" * 20_000 + "text")
    yield "script.html", lambda path: path.write_text("<script>" + "while(1);" * 100_000 + "</script>Text.")
    yield "entities.html", lambda path: path.write_text("&amp;" * 200_000 + "&#x110000;" * 1_000)
    yield "parts.eml", lambda path: path.write_bytes(_mail(2_000))
    yield "header.eml", lambda path: path.write_text(f"Subject: {'x' * 1_000_000}\n\nText.")


def _tables(scale: float) -> Made:
    """Tables of thousands of columns or rows."""
    wide, rows = int(5_000 * scale) + 50, int(400 * scale) + 5
    header = [f"Parameter {n} (mg/kg)" for n in range(wide)]
    values = [[f"{n * m % 977 / 10}" for n in range(wide)] for m in range(rows)]
    lines = ["|".join(row) for row in (header, ["-"] * wide, *values)]
    cells = ("</td><td>".join(row) for row in (header, *values))
    long = "".join(f"{n},{n % 9}\n" for n in range(int(2e5 * scale)))
    yield "wide.csv", lambda path: path.write_text("\n".join(",".join(row) for row in (header, *values)))
    yield "wide.md", lambda path: path.write_text("".join(f"|{line}|\n" for line in lines))
    yield "wide.xlsx", lambda path: _book(path, [header, *values[: rows // 8]])
    yield (
        "wide.html",
        lambda path: path.write_text(f"<table><tr><td>{'</td></tr><tr><td>'.join(cells)}</td></tr></table>"),
    )
    yield "long.csv", lambda path: path.write_text(f"id,dose\n{long}")
    yield "ragged.csv", lambda path: path.write_text("\n".join("," * (n % 900) for n in range(5_000)))
    yield "quote.csv", lambda path: path.write_text('a,b\n"' + "never closed, " * 100_000)
    yield "cell.csv", lambda path: path.write_text("a,b\n1," + "word " * 400_000)
    yield (
        "spans.html",
        lambda path: path.write_text(
            "<table><tr><td colspan=1000 rowspan=65000>a</td></tr>" + "<tr><td>b</td></tr>" * 500 + "</table>"
        ),
    )
    yield "far.xlsx", _far_cell


def _packed(scale: float) -> Made:
    """Bombs, and what is not what its name says."""
    bomb = bytes(int(300_000_000 * scale) + 20_000_000)
    for suffix, make in ((".docx", build.word), (".pptx", build.deck), (".xlsx", build.book)):
        yield f"bomb{suffix}", lambda path, make=make: _added(make(path), "bomb.bin", bomb)
        yield f"cut{suffix}", lambda path, make=make: _cut(make(path))
        yield f"fake{suffix}", lambda path: path.write_bytes(b"MZ" + bytes(10_000))
    lol = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    laughs = f'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY e0 "lol">{lol}]><d>&e9;</d>'.encode()
    yield "laughs.docx", lambda path: _added(build.word(path), "word/document.xml", laughs)
    yield "deep.docx", lambda path: _added(build.word(path), "word/document.xml", _nested_word(20_000))
    yield "many.docx", lambda path: _many_parts(build.word(path), 30_000)
    yield "old.doc", lambda path: path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(5_000))
    yield "archive.zip", lambda path: _added(path, "a.txt", b"text")
    yield "program.exe", lambda path: path.write_bytes(b"MZ" + bytes(1_000))


def _pages(scale: float) -> Made:
    """PDFs and pictures."""
    yield "cut.pdf", lambda path: _cut(build.report(path))
    yield "head.pdf", lambda path: path.write_bytes(b"%PDF-1.7\n" + random.Random(9).randbytes(200_000))
    yield "text.pdf", lambda path: path.write_text("<html>error 404</html>")
    yield "loop.pdf", lambda path: path.write_bytes(_looped_pages())
    yield "huge-page.pdf", lambda path: _huge_page(path)
    yield "many-pages.pdf", lambda path: _many_pages(path, int(6_000 * max(scale, 0.9)))
    yield "crowded.pdf", lambda path: _crowded(path, int(40_000 * scale) + 1_000)
    yield "bomb.png", lambda path: _picture(path, 40_000)
    yield "cut.png", lambda path: _cut(_picture(path, 500))
    yield "fake.png", lambda path: path.write_bytes(b"GIF89a" + bytes(1_000))
    yield "cut.tif", lambda path: path.write_bytes(b"II*\x00\x08\x00\x00\x00\xff\xff" + bytes(50))


def _places(folder: Path) -> None:
    """Links, pipes, odd names, deep folders, and files of no bytes."""
    (folder / "out.md").symlink_to("/etc/passwd")
    (folder / "nowhere.md").symlink_to(folder / "no.md")
    (folder / "itself.md").symlink_to(folder / "itself.md")
    (folder / "round").symlink_to(folder)
    os.mkfifo(folder / "pipe.txt")
    (folder / "empty.pdf").touch()
    (folder / f"odd{ESCAPES}\n.md").write_text("# An odd name\n\nText.")
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff\xfe.md")).write_text("# Bytes\n\nText.")
    (folder / ("long" * 60 + ".md")).write_text("# A long name\n\nText.")
    deep = folder.joinpath(*(["d"] * 200))
    deep.mkdir(parents=True)
    (deep / "bottom.md").write_text("# At the bottom\n\nText.")


def _prose(size: int) -> str:
    chosen = random.Random(3)
    some = " ".join(chosen.choice(WORDS) + str(chosen.randrange(99)) for _ in range(20_000))
    return (some + " ") * (size // len(some) + 1)


def _mail(parts: int) -> bytes:
    nested = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(parts))
    return f"Subject: parts\n{nested}\nText.".encode()


def _book(path: Path, rows: list[list[str]]) -> None:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    for row in rows:
        sheet.append(row)
    book.save(path)


def _far_cell(path: Path) -> None:
    book = openpyxl.Workbook()
    book.active["XFD1048576"] = "far away"  # type: ignore[index]
    book.save(path)


def _added(path: Path, name: str, content: bytes) -> None:
    """A zip file with one part more, or another one in the place of a part."""
    kept = {}
    if path.exists():
        with zipfile.ZipFile(path) as there:
            kept = {one: there.read(one) for one in there.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for part, data in (kept | {name: content}).items():
            made.writestr(part, data)


def _many_parts(path: Path, count: int) -> None:
    with zipfile.ZipFile(path, "a") as made:
        for number in range(count):
            made.writestr(f"part{number}.xml", "")


def _cut(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def _nested_word(depth: int) -> bytes:
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    inside = "<w:tbl><w:tr><w:tc>" * depth + "</w:tc></w:tr></w:tbl>" * depth
    return f'<w:document xmlns:w="{space}"><w:body>{inside}</w:body></w:document>'.encode()


def _looped_pages() -> bytes:
    return (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        b"2 0 obj<</Type/Pages/Count 9/Kids[2 0 R 2 0 R]/Parent 2 0 R>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF"
    )


def _huge_page(path: Path) -> None:
    canvas = Canvas(str(path), pagesize=(14_000, 14_000))
    canvas.setFillGray(0.5)
    canvas.rect(10, 10, 13_000, 13_000, fill=1)
    canvas.save()


def _many_pages(path: Path, count: int) -> None:
    canvas = Canvas(str(path))
    for _ in range(count):
        canvas.showPage()
    canvas.save()


def _crowded(path: Path, count: int) -> None:
    """One page with so many words on top of each other."""
    canvas, chosen = build.sheet(path), random.Random(5)
    for number in range(count):
        canvas.drawString(chosen.random() * 500, chosen.random() * 800, f"word{number}")
    canvas.save()


def _picture(path: Path, side: int) -> Path:
    buffer = io.BytesIO()
    Image.new("1", (side, side)).save(buffer, "PNG")
    path.write_bytes(buffer.getvalue())
    return path
