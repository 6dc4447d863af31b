"""Markdown, plain text, HTML and comma-separated values."""

from pathlib import Path

import pytest

from retrieval.errors import CorruptDocument
from retrieval.parse import parse

TEXT = "# Bericht\n\nDosis: 30 µg/kg, 20 °C, Größe  doppelt.\n\n| a | b |\n| - | - |\n| 1 |  |\n"


def stored(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("name", ["note.md", "note.txt", "NOTE.MARKDOWN"])
def test_text_is_kept_verbatim_in_every_encoding(tmp_path: Path, name: str, encoding: str) -> None:
    assert parse(stored(tmp_path, name, TEXT.encode(encoding))).text == TEXT


def test_latin_1_is_told_from_utf_8(tmp_path: Path) -> None:
    text = "Die höchste Dosis betrug 30 mg/kg für männliche Hunde; die Verträglichkeit war gut.\n" * 5
    assert parse(stored(tmp_path, "alt.txt", text.encode("latin-1"))).text == text


def test_windows_newlines_become_plain_ones(tmp_path: Path) -> None:
    assert parse(stored(tmp_path, "a.txt", b"one\r\ntwo\rthree\n")).text == "one\ntwo\nthree\n"


def test_front_matter_becomes_metadata(tmp_path: Path) -> None:
    found = parse(stored(tmp_path, "a.md", b"---\ntitle: A study\nspecies: [rat, dog]\n---\n# A study\n"))
    assert found.metadata == {"title": "A study", "species": ["rat", "dog"]}
    assert found.text == "# A study\n"


def test_front_matter_cannot_make_objects(tmp_path: Path) -> None:
    text = "---\ntitle: !!python/object/apply:os.getcwd []\n---\nBody.\n"
    assert parse(stored(tmp_path, "a.md", text.encode())).metadata == {"title": []}


@pytest.mark.parametrize("head", ["title: [broken", "a: &a [x]\nb: [*a, *a]", "only a sentence"])
def test_front_matter_that_is_no_plain_yaml_is_reported_and_kept(tmp_path: Path, head: str) -> None:
    text = f"---\n{head}\n---\nBody.\n"
    found = parse(stored(tmp_path, "a.md", text.encode()))
    assert found.text == text
    assert found.metadata == {}
    assert "YAML" in found.warnings[0]


def test_a_rule_at_the_top_is_no_front_matter(tmp_path: Path) -> None:
    text = "---\nA sentence.\n---\nBody.\n"
    assert parse(stored(tmp_path, "a.md", text.encode())).text == text


HTML = b"""<html><head><title>A study</title><script>alert('run')</script><style>p {}</style></head><body>
<nav>Home</nav><h1>A study</h1><div>Loose <b>text</b><p>Rats were  dosed.</p></div><h3>Doses</h3>
<ul><li>low</li><li>high<ul><li>very high</li></ul></li></ul><!-- hidden -->
<table><caption>Table 1. Doses.</caption><tr><th>Group</th><th colspan="2">Dose</th></tr>
<tr><td rowspan="2">Control</td><td>0</td><td>a|b</td></tr><tr><td>1</td><td>c</td></tr></table>
<img src="http://example.invalid/x.png"></body></html>"""


def test_html_is_read_by_its_structure(tmp_path: Path) -> None:
    found = parse(stored(tmp_path, "a.html", HTML))
    assert found.metadata == {"title": "A study"}
    assert found.text.split("\n\n") == [
        "# A study",
        "Loose text",
        "Rats were dosed.",
        "### Doses",
        "- low\n- high\n  - very high",
        "Table 1. Doses.\n| Group | Dose | Dose |\n|---|---|---|\n"
        "| Control | 0 | a\\|b |\n| Control | 1 | c |\n",
    ]


def test_html_in_its_declared_encoding(tmp_path: Path) -> None:
    page = '<html><head><meta charset="iso-8859-1"></head><body><p>Größe 5 µm</p></body></html>'
    assert parse(stored(tmp_path, "a.htm", page.encode("latin-1"))).text == "Größe 5 µm\n"


@pytest.mark.parametrize(("name", "mark"), [("doses.csv", ","), ("doses.csv", ";"), ("doses.tsv", "\t")])
def test_separated_values_become_a_table(tmp_path: Path, name: str, mark: str) -> None:
    rows = [["Group", "Dose (mg/kg)", "Finding"], ["1", "0.5", "none"], ["2", "30", "salivation"]]
    data = "\n".join(mark.join(row) for row in rows).encode()
    assert parse(stored(tmp_path, name, data)).text == (
        "| Group | Dose (mg/kg) | Finding |\n|---|---|---|\n| 1 | 0.5 | none |\n| 2 | 30 | salivation |\n"
    )


def test_html_keeps_powers_and_notes_apart_from_numbers(tmp_path: Path) -> None:
    rows = (
        "<tr><th>C<sub>max</sub></th><th>n</th></tr>",
        "<tr><td>53.6<sup>†</sup></td><td><p>12</p><p>of 14<sup>a,b</sup></p></td></tr>",
    )
    heading = "<h2>Count (10<sup>3</sup>/µL) per m<sup>2</sup></h2>"
    (tmp_path / "a.html").write_text(f"{heading}<table>{''.join(rows)}</table>")
    text = parse(tmp_path / "a.html").text
    assert "## Count (10³/µL) per m²" in text
    assert "| Cmax | n |" in text
    assert "| 53.6† | 12 of 14 ᵃ,ᵇ |" in text


MAIL = b"""From: Ada Berg <ada@kv.example>
To: KV team <kv@kv.example>
Date: Tue, 12 Oct 2021 16:42:00 +0200
Subject: =?utf-8?q?300_=C2=B5g_is_out?=
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="XX"

--XX
Content-Type: multipart/alternative; boundary="YY"

--YY
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

The dose of 300 =B5g was dropped.

--YY
Content-Type: text/html; charset=utf-8

<p>Nobody reads this.</p>
--YY--
--XX
Content-Type: application/pdf
Content-Disposition: attachment; filename="table 3.pdf"
Content-Transfer-Encoding: base64

JVBERi0=
--XX--
"""


def test_a_mail_tells_its_fields_then_its_plain_text_and_names_what_is_attached(tmp_path: Path) -> None:
    found = parse(stored(tmp_path, "a.eml", MAIL))
    assert found.text == (
        "From: Ada Berg <ada@kv.example>\nTo: KV team <kv@kv.example>\n"
        "Date: Tue, 12 Oct 2021 16:42:00 +0200\n"
        "Subject: 300 µg is out\n\nThe dose of 300 µg was dropped."
    )
    assert found.warnings == ("Attached and not read: table 3.pdf. Save it beside the mail to have it read.",)


def test_a_mail_in_html_alone_is_read_without_its_scripts(tmp_path: Path) -> None:
    table = b"<table><tr><th>Dose</th></tr><tr><td>3 mg</td></tr></table>"
    html = b"<p>The <b>dose</b> was 3 mg.</p>" + table + b"<script>x()</script>"
    found = parse(stored(tmp_path, "a.eml", b"From: a@b.example\nContent-Type: text/html\n\n" + html))
    assert "The dose was 3 mg." in found.text.replace("**", "")
    assert "| 3 mg |" in found.text
    assert "x()" not in found.text


@pytest.mark.parametrize(
    "data",
    [
        b"no mail at all",
        b"From: a@b.example\n\n",
        b"From: a@b.example\nContent-Type: application/pdf\n\n%PDF",
        b"Subject: nobody sent it\n\nText.",
    ],
)
def test_what_is_no_mail_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(CorruptDocument, match="no mail"):
        parse(stored(tmp_path, "a.eml", data))


@pytest.mark.parametrize("charset", ["x-unknown", "utf-8", "us-ascii"])
def test_a_mail_whose_encoding_is_wrong_is_read_all_the_same(tmp_path: Path, charset: str) -> None:
    head = f"From: a@b.example\nContent-Type: text/plain; charset={charset}\n\n".encode()
    assert "was given" in parse(stored(tmp_path, "a.eml", head + "3 µg was given".encode("latin-1"))).text
