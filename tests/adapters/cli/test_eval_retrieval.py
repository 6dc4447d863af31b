"""`pestle eval retrieval` on a collection of six documents, with the default encoder."""

import json
from pathlib import Path

import pytest

from retrieval.rerank.late_interaction import LateInteraction
from tests.adapters.cli.conftest import Pestle
from tests.retrieval.minilm import minilm

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
    ended = pestle(
        "eval",
        "retrieval",
        str(collection),
        "--json",
        str(file),
        "--compare",
        "words",
        "meaning",
        "--rerank",
        "3",
    )
    assert (ended.code, ended.err) == (0, "")
    assert "6 documents, 3 queries" in ended.out
    assert "in use - words" in ended.out
    written = json.loads(file.read_text())
    assert written["systems"][0]["mean"]["ndcg"] == 1.0
    reranker = LateInteraction(minilm()).name
    assert written["systems"][-1]["note"] == f"{reranker}, best 3"
    assert [one["first"] for one in written["comparisons"]][-1] == "words"
    again = pestle("eval", "retrieval", str(collection), "--against", str(file))
    assert "words - earlier" in again.out
    assert (home / "cache" / "vectors.db").is_file()
    assert len(json.loads(pestle("documents", "--json").out)["documents"]) == 2


def test_a_row_that_there_is_not_is_named(pestle: Pestle, collection: Path) -> None:
    ended = pestle("eval", "retrieval", str(collection), "--compare", "words", "magic")
    assert (ended.code, "There is no row 'magic'" in ended.err) == (2, True)


def test_a_folder_without_judgements_says_what_is_expected(pestle: Pestle, collection: Path) -> None:
    (collection / "qrels" / "test.tsv").unlink()
    ended = pestle("eval", "retrieval", str(collection))
    assert (ended.code, "qrels" in ended.err) == (3, True)


def test_a_calibration_for_another_encoder_stops_the_search(pestle: Pestle, home: Path) -> None:
    (home / "calibration.json").write_text('{"encoder": "another"}')
    ended = pestle("ask", "What was the first-in-human dose of KP-100?")
    assert (ended.code, "learnt for the encoder another" in ended.err) == (2, True)


def test_a_calibration_is_learnt_shown_and_used(pestle: Pestle, home: Path, collection: Path) -> None:
    assert "the defaults apply" in pestle("calibrate", "--show").out
    tried = pestle("calibrate", str(collection), "--dry-run")
    assert (tried.code, "not written" in tried.out) == (0, True)
    assert not (home / "calibration.json").exists()
    ended = pestle("calibrate", str(collection), "--rerank")
    assert (ended.code, ended.err) == (0, "")
    assert "held-out" in ended.out
    written = json.loads((home / "calibration.json").read_text())
    assert written["encoder"] == "all-MiniLM-L6-v2"
    assert 0.2 < written["dense_threshold"] < 0.9
    assert written["rerank_threshold"] > 0
    assert written["learnt_on"]["queries"] == 3
    for arguments in (("calibrate", "--show"), ("settings",)):
        assert written["learnt_on"]["sha256"] in pestle(*arguments).out
    assert pestle("ask", "What was the first-in-human dose of KP-100?").code == 0


def test_calibrate_without_a_folder_says_what_it_needs(pestle: Pestle) -> None:
    ended = pestle("calibrate")
    assert (ended.code, "BEIR" in ended.err) == (2, True)


def test_elasticsearch_that_is_not_set_is_asked_for(pestle: Pestle, collection: Path) -> None:
    ended = pestle("eval", "retrieval", str(collection), "--index", "elasticsearch")
    assert (ended.code, "PESTLE_ELASTICSEARCH_URL" in ended.err) == (2, True)
