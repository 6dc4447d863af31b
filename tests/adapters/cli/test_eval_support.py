"""`pestle eval support`: of a run, of a set, and of a run whose document says something else now."""

import json
import re
from pathlib import Path

import pytest

from agents.archive.evaluate.support import cut_by_gate
from agents.evidence.values import Citation
from agents.reports.values import Points, Report, Section, Statement
from agents.trust.values import Claim
from tests.adapters.cli.conftest import DOCUMENTS, QUESTION, Pestle
from tests.adapters.cli.test_eval_questions import question_set


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


def test_every_answer_of_a_set_is_checked(pestle: Pestle, tmp_path: Path) -> None:
    documents = question_set(tmp_path / "set") / "docs"
    documents.mkdir()
    for name, text in DOCUMENTS.items():
        (documents / name).write_text(text, encoding="utf-8")

    ended = pestle("eval", "support", str(tmp_path / "set"))

    assert ended.code == 0
    said = " ".join(ended.out.split())
    assert "2 reports: 0 not carried" in said
    assert re.search(r"0 of [1-9]\d* judged statements cut", said)


def test_statements_that_the_gate_changes_are_counted() -> None:
    citation = Citation(1, "E1", "D", "Report", "The ALT was 41 U/L.", 0, 19)
    said = (Statement(text, (1,), Claim(text, ("E1",))) for text in ("The ALT was 41 U/L.", "It was 97 U/L."))
    section = Section("answer", "Answer", (Points(tuple(said)),), (citation,))
    counted = cut_by_gate(Report("ALT?", "Answer", "", True, (section,)))
    assert (counted.statements, counted.cut) == (2, 1)
