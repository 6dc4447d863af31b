import gzip
import json
from pathlib import Path

import pytest

from retrieval.errors import ArchiveNotFound, JudgementsError
from retrieval.evaluate.beir import Article, read_collection
from tests.support.services import shared

CORPUS = [{"_id": 1, "title": "Liver", "text": " Enzymes rose. "}, {"_id": "2", "text": "Kidney weight."}]
QUERIES = [{"_id": "q1", "text": "liver?"}, {"_id": "q2", "text": "heart?"}]
QRELS = "query-id\tcorpus-id\tscore\nq1\t1\t2\nq1\t2\t0\nq2\t99\t1\n"


def lines(values: list[dict[str, object]]) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "corpus.jsonl").write_text(lines(CORPUS))
    (tmp_path / "queries.jsonl").write_text(lines(QUERIES))
    (tmp_path / "qrels" / "test.tsv").write_text(QRELS)
    return tmp_path


def test_a_collection_holds_what_can_be_scored(folder: Path) -> None:
    found = read_collection(folder)
    assert found.articles == (Article("1", "Liver", "Enzymes rose."), Article("2", "", "Kidney weight."))
    assert found.queries == {"q1": "liver?"}
    assert found.grades == {"q1": {"1": 2, "2": 0}}
    assert (found.split, found.judgements) == ("test", 2)


def test_compressed_files_and_queries_of_another_name_are_read_alike(folder: Path) -> None:
    plain = read_collection(folder)
    (folder / "corpus.jsonl.gz").write_bytes(gzip.compress((folder / "corpus.jsonl").read_bytes()))
    (folder / "corpus.jsonl").unlink()
    (folder / "queries.jsonl").rename(folder / "queries_nometa.jsonl")
    (folder / "qrels" / "test.tsv").rename(folder / "qrels.tsv")
    found = read_collection(folder)
    assert (found.articles, found.queries, found.grades) == (plain.articles, plain.queries, plain.grades)


def test_of_the_first_documents_only_their_queries_are_left(folder: Path) -> None:
    (folder / "qrels" / "test.tsv").write_text("q1\t1\t1\nq2\t2\t1\n")
    found = read_collection(folder, documents=1)
    assert ([article.doc_id for article in found.articles], list(found.queries)) == (["1"], ["q1"])
    assert list(read_collection(folder, documents=0).queries) == ["q1", "q2"]


def test_another_text_gives_another_hash(folder: Path) -> None:
    before = read_collection(folder).sha256
    (folder / "queries.jsonl").write_text(lines([{"_id": "q1", "text": "Liver?"}]))
    assert read_collection(folder).sha256 != before


def test_of_several_splits_one_is_to_be_named(folder: Path) -> None:
    (folder / "qrels" / "train.tsv").write_text("q2\t2\t1\n")
    with pytest.raises(JudgementsError, match=r"test\.tsv, train\.tsv.*--split"):
        read_collection(folder)
    assert list(read_collection(folder, "train").queries) == ["q2"]


@pytest.mark.parametrize("name", ["corpus.jsonl", "queries.jsonl", "qrels/test.tsv"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(ArchiveNotFound, match="BEIR"):
        read_collection(folder)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("corpus.jsonl", '{"_id": "1"}\n', "line 1 has no"),
        ("queries.jsonl", '{"_id": "q1", "text": "a"}\n{\n', "line 2 is not JSON"),
        ("qrels/test.tsv", "q1\t1\t1\nq1 1 1\n", "line 2: expected"),
        ("qrels/test.tsv", "q1\t1\t1\nq1\t2\tyes\n", "line 2: expected"),
        ("qrels/test.tsv", "q1\t1\t0\n", "No query"),
    ],
)
def test_a_line_that_is_not_in_form_is_named(folder: Path, name: str, text: str, reason: str) -> None:
    (folder / name).write_text(text)
    with pytest.raises(JudgementsError, match=reason):
        read_collection(folder)


def test_scifact_is_read_whole() -> None:
    found = read_collection(shared("data/scifact"))
    assert (len(found.articles), len(found.queries), found.judgements) == (5183, 535, 606)


@pytest.mark.parametrize(
    ("name", "damaged"),
    [
        ("corpus.jsonl", '{"_id": "1", "text": "café"}'.encode("latin-1")),
        ("corpus.jsonl.gz", gzip.compress(lines(CORPUS).encode(), mtime=0)[:-12]),
        ("corpus.jsonl.gz", b"not compressed"),
        ("qrels/test.tsv", b"q1\t1\t1\xff"),
    ],
)
def test_a_damaged_file_is_named(folder: Path, name: str, damaged: bytes) -> None:
    if name.endswith(".gz"):
        (folder / "corpus.jsonl").unlink()
    (folder / name).write_bytes(damaged)
    with pytest.raises(JudgementsError, match=f"{name} cannot be read"):
        read_collection(folder)
