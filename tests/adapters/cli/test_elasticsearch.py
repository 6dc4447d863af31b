"""The program with the archive in Elasticsearch: same commands, same answers."""

import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from tests.adapters.cli.conftest import QUESTION, Pestle
from tests.support.services import elasticsearch_url


@pytest.fixture
def archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A PESTLE_HOME whose index is on the server; the name of the archive there."""
    alias = f"test-{secrets.token_hex(6)}"
    monkeypatch.setenv("PESTLE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PESTLE_ELASTICSEARCH_URL", elasticsearch_url())
    monkeypatch.setenv("PESTLE_ELASTICSEARCH_ALIAS", alias)
    monkeypatch.setenv("PESTLE_ELASTICSEARCH_REPLICAS", "0")
    yield alias
    for name in (alias, f"{alias}-labels"):
        gone = f"{elasticsearch_url()}/{name}-v000001,{name}-v000002?ignore_unavailable=true"
        with urlopen(Request(gone, method="DELETE")):
            pass


def test_an_archive_on_elasticsearch_is_ingested_asked_and_reindexed(
    pestle: Pestle, archive: str, documents: Path
) -> None:
    assert pestle("ingest", str(documents)).out.startswith("2 added")
    assert pestle("ingest", str(documents)).out.startswith("0 added, 0 updated, 2 unchanged")
    assert "4 mg" in pestle("ask", QUESTION).out
    moved = pestle("reindex")
    assert f"are in {archive}-v000002 now, with the vectors they had" in moved.out
    assert "4 mg" in pestle("ask", QUESTION).out
    assert pestle("remove", "KP-MIN-02").code == 0
    listed = json.loads(pestle("documents", "--json").out)["documents"]
    assert [record["doc_id"] for record in listed] == ["KP-CL-01"]


def test_a_server_that_is_away_is_told_while_it_is_waited_for(
    pestle: Pestle, archive: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as away:
        away.setenv("PESTLE_ELASTICSEARCH_URL", "http://127.0.0.1:9")
        away.setenv("PESTLE_ELASTICSEARCH_PATIENCE", "0.5")
        ended = pestle("documents")
    assert ended.code == 6
    assert ended.err.count("does not answer") == 2
    assert "Trying again for up to" in ended.err
    assert "Check that it runs" in ended.err


def test_reindex_without_a_server_says_what_to_do_instead(pestle: Pestle, home: Path) -> None:
    ended = pestle("reindex")
    assert (ended.code, "ingest again" in ended.err) == (2, True)


def test_reindex_before_any_ingest_says_so(pestle: Pestle, archive: str) -> None:
    ended = pestle("reindex")
    assert (ended.code, "Ingest documents first" in ended.err) == (3, True)


def test_labels_lie_beside_the_archive_and_are_reindexed_too(
    pestle: Pestle, archive: str, tmp_path: Path
) -> None:
    passage = {"id": "1", "drug": "INVENTOL", "section": "warnings", "text": "Inventol can cause gout."}
    (tmp_path / "labels.jsonl").write_text(json.dumps(passage))
    assert pestle("sources", "load", str(tmp_path / "labels.jsonl")).code == 0
    assert f"are in {archive}-labels-v000002 now" in pestle("reindex").out
    assert "Inventol can cause gout." in pestle("labels", "gout", "--drug", "inventol").out
    assert json.loads(pestle("documents", "--json").out)["documents"] == []
