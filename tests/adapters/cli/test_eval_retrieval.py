"""`pestle eval retrieval` on a collection of six documents, with the default encoder."""

import json
from pathlib import Path

import pytest

from tests.adapters.cli.conftest import Pestle

TEXTS = {
    "d1": ("Seizures in dogs", "Convulsions were seen in two dogs of the high dose group."),
    "d2": ("Budget", "The canteen closes at two."),
    "d3": ("Liver findings", "Liver enzymes rose in rats of the high dose group."),
    "d4": ("Kidney findings", "Kidney weights were higher in males."),
    "d5": ("First dose in man", "Healthy volunteers received four milligrams."),
    "d6": ("Eye", "The cornea was clear in all animals."),
}
ASKED = {
    "q1": ("liver enzymes in rats", "d3"),
    "q2": ("kidney weights of males", "d4"),
    "q3": ("was the cornea clear", "d6"),
}


@pytest.fixture
def collection(tmp_path: Path) -> Path:
    folder = tmp_path / "judged"
    (folder / "qrels").mkdir(parents=True)
    documents = [{"_id": name, "title": title, "text": text} for name, (title, text) in TEXTS.items()]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, documents)))
    queries = [{"_id": name, "text": text} for name, (text, _) in ASKED.items()]
    (folder / "queries.jsonl").write_text("\n".join(map(json.dumps, queries)))
    (folder / "qrels" / "test.tsv").write_text("".join(f"{q}\t{d}\t1\n" for q, (_, d) in ASKED.items()))
    return folder


def test_figures_comparisons_and_json(pestle: Pestle, home: Path, collection: Path, tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    ended = pestle("eval", "retrieval", str(collection), "--json", str(file), "--rerank", "3")
    assert (ended.code, ended.err) == (0, "")
    assert "6 documents, 3 queries" in " ".join(ended.out.split())
    assert "both - words" in ended.out
    assert "reranked - both" in ended.out
    written = json.loads(file.read_text())
    assert written["rankings"][0]["mean"]["ndcg"] == 1.0
    assert home.is_dir()
    assert len(json.loads(pestle("documents", "--json").out)["documents"]) == 2


def test_a_folder_without_judgements_says_what_is_expected(pestle: Pestle, collection: Path) -> None:
    (collection / "qrels" / "test.tsv").unlink()
    ended = pestle("eval", "retrieval", str(collection))
    assert (ended.code, "qrels" in ended.err) == (3, True)
