"""`pestle sources …`: what is loaded, taking files in, and what a wrong one says."""

import gzip
import json
from pathlib import Path

import pytest

from agents.databases.registry import DATABASES
from tests.adapters.cli.conftest import Pestle

HGNC = (
    "hgnc_id\tsymbol\tname\tlocus_group\tstatus\talias_symbol\tprev_symbol\tensembl_gene_id\tentrez_id\tuniprot_ids\n"
    "HGNC:1\tABC1\tinvented gene 1\tprotein-coding gene\tApproved\tZZ9\tOLD1\tENSG00000000001\t11\tP00001\n"
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PESTLE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_a_file_is_taken_in_and_listed_with_its_release(pestle: Pestle, tmp_path: Path) -> None:
    bare = " ".join(pestle("sources").out.split())
    assert "Nothing is loaded yet" in bare
    assert "rest on the sample" in bare
    file = tmp_path / "hgnc_complete_set.txt.gz"
    file.write_bytes(gzip.compress(HGNC.encode()))
    ended = pestle("sources", "load", "hgnc", str(file), "--release", "2026-01")
    assert (ended.code, ended.out) == (0, "hgnc: 1 rows of hgnc_complete_set.txt.gz, release 2026-01\n")
    assert pestle("sources", "--json", str(tmp_path / "out.json")).code == 0
    listed = json.loads((tmp_path / "out.json").read_text())["sources"]
    assert [one["source"] for one in listed] == [one.name for one in DATABASES]
    loaded = next(one for one in listed if one["source"] == "hgnc")["files"][0]["loaded"]
    assert (loaded["release"], loaded["rows"]) == ("2026-01", 1)
    assert "Nothing is loaded" not in pestle("sources").out


def test_records_that_lie_in_many_files_of_a_folder_are_loaded_together(
    pestle: Pestle, tmp_path: Path
) -> None:
    (tmp_path / "xml").mkdir()
    for pmid in ("1", "2", "3"):
        cited = f"<PMID>{pmid}</PMID><Article><ArticleTitle>T</ArticleTitle></Article>"
        record = f"<PubmedArticle><MedlineCitation>{cited}</MedlineCitation></PubmedArticle>"
        record = f"<PubmedArticleSet>{record}</PubmedArticleSet>"
        (tmp_path / "xml" / f"{pmid}.xml").write_text(record)
    ended = pestle("sources", "load", str(tmp_path / "xml"))
    assert "pubmed-records: 3 rows" in " ".join(ended.out.split()), ended.out


def test_the_files_of_a_folder_are_recognised_and_the_rest_is_told(pestle: Pestle, tmp_path: Path) -> None:
    folder = tmp_path / "files"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "x.txt").write_text(HGNC + HGNC.splitlines()[1].replace("ABC1", "ABC2"))
    (folder / "smaller.txt").write_text(HGNC)
    (folder / "smaller too.txt").write_text(HGNC)
    (folder / "notes.md").write_text("# Notes\n")
    (folder / "cut.gz").write_bytes(gzip.compress(HGNC.encode())[:30])
    ended = pestle("sources", "load", str(folder), "--json", str(tmp_path / "out.json"))
    assert ended.code == 0
    result = json.loads((tmp_path / "out.json").read_text())
    assert [(one["source"], one["file"], one["rows"]) for one in result["loaded"]] == [("hgnc", "x.txt", 2)]
    assert result["passed_over"]["notes.md"] == "no file of a known database"
    assert "is damaged or was not fetched whole" in result["passed_over"]["cut.gz"]
    assert "name the source to take this one" in result["passed_over"]["smaller.txt"]
    said = " ".join(ended.out.split())
    assert "no file of a known database (1 file: notes.md)" in said
    assert said.count("a larger file of the same source was taken") == 1
    assert "(2 files: smaller too.txt, smaller.txt)" in said


def test_passages_of_the_sample_s_labels_are_found_and_marked(pestle: Pestle) -> None:
    ended = pestle("labels", "swelling of the tongue", "--drug", "lisinopril", "--limit", "2")
    assert ended.code == 0
    assert "LISINOPRIL" in ended.out
    assert "shipped sample" in ended.out


def test_a_folder_is_gone_through_whatever_odd_files_lie_in_it(pestle: Pestle, tmp_path: Path) -> None:
    """Of a source the largest file that can be read is taken, and each file of labels by itself."""
    folder = tmp_path / "files"
    folder.mkdir()
    good = {"drug": "ZORBIL", "section": "warnings", "text": "It may cause rash."}
    (folder / "a.jsonl").write_text(json.dumps(good))
    for name in ("cut.jsonl", "cut too.jsonl"):
        (folder / name).write_text(json.dumps(good) + '\n{"drug": "X", "section')
    (folder / "good.txt").write_text(HGNC)
    (folder / "large.txt").write_bytes(HGNC.encode() + b"\n" * 99 + b"\0" * 999)
    for number in range(20):
        (folder / f"photo{number}.jpg").write_bytes(b"\xff\xd8\xff\0")
        (folder / f"notes{number}.md").write_text("# Notes")
    ended = pestle("sources", "load", str(folder))
    assert ended.code == 0
    assert "openfda-labels: 1 rows of a.jsonl" in ended.out
    assert "hgnc: 1 rows of good.txt" in ended.out
    passed = [line for line in ended.out.splitlines() if line.startswith("Passed over")]
    assert sum("large.txt" in line or "(2 files: cut" in line for line in passed) == 2
    assert [line for line in passed if "no file of a known database" in line] == [passed[-1]]
    assert "(40 files: notes0.md, " in passed[-1]


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("load", "hgcn", "FILE"), 2, "No files are loaded of a source 'hgcn'. Sources: hgnc"),
        (("load", "hgnc", "nowhere.txt"), 3, "There is no file or folder nowhere.txt"),
        (("load", "hgnc", "FILE"), 3, "notes.txt is no file of hgnc: it begins with '# Notes'"),
        (("load", "FILE"), 3, "No file of a known database was recognised"),
        (("load", ".", "--release", "1"), 2, "--release is that of one source"),
        (("load", "a", "b", "c"), 2, "Name a source and a file"),
    ],
)
def test_what_cannot_be_loaded_says_why(
    pestle: Pestle, tmp_path: Path, home: Path, arguments: tuple[str, ...], code: int, told: str
) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("# Notes\n")
    ended = pestle("sources", *(str(file) if one == "FILE" else one for one in arguments))
    assert (ended.code, told in ended.err) == (code, True), ended.err
    assert not list(home.glob("databases/*"))
