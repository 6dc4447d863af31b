"""`pestle eval support`: of a run, and of one whose document says something else now."""

import json
from pathlib import Path

import pytest

from tests.adapters.cli.conftest import DOCUMENTS, QUESTION, Pestle


def asked(pestle: Pestle) -> str:
    return str(json.loads(pestle("ask", "--json", QUESTION).out)["run_id"])


def test_every_value_of_a_run_is_carried_by_the_stored_text(pestle: Pestle, home: Path) -> None:
    ended = pestle("eval", "support", asked(pestle))
    assert ended.code == 0
    assert "0 not carried" in " ".join(ended.out.split())
    assert int(ended.out.split()[0]) > 0


def test_a_value_that_the_document_no_longer_states_ends_with_code_seven(
    pestle: Pestle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PESTLE_HOME", str(tmp_path / "home"))
    archive = tmp_path / "archive"
    archive.mkdir()
    for name, text in DOCUMENTS.items():
        (archive / name).write_text(text, encoding="utf-8")
    assert pestle("ingest", str(archive)).code == 0
    run = asked(pestle)
    changed = archive / "KP-CL-01.md"
    changed.write_text(changed.read_text(encoding="utf-8").replace("4 mg", "9 mg"), encoding="utf-8")
    assert pestle("ingest", str(archive)).code == 0

    ended = pestle("eval", "support", run)

    assert ended.code == 7
    assert "'4 mg'" in ended.out
