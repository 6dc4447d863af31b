"""`pestle train reranker` on invented judgements, and a question answered with what it made."""

import json
from pathlib import Path

import pytest

from tests.adapters.cli.conftest import Pestle
from tests.retrieval.train.judged import judged_folder
from tests.support.models import libraries

pytestmark = pytest.mark.timeout(300)  # importing torch takes long on a busy machine


def test_weights_are_learnt_measured_and_used(
    pestle: Pestle, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    libraries()
    out = tmp_path / "out"
    ended = pestle("train", "reranker", str(judged_folder(tmp_path / "data")), "--out", str(out))
    assert ended.code == 0
    assert "learning weights 5 of 5" in ended.err
    assert "learnt weights" in ended.out
    assert len(json.loads((out / "late-interaction.json").read_text())["piece"]) == 384
    assert home.is_dir()  # the archive that is asked
    monkeypatch.setenv("PESTLE_RERANKER_MODEL", str(out / "late-interaction.json"))
    assert "4 mg" in pestle("ask", "What was the first-in-human dose of KP-100?").out


def test_data_that_are_missing_are_named(pestle: Pestle, tmp_path: Path) -> None:
    libraries()
    ended = pestle("train", "reranker", str(tmp_path), "--out", str(tmp_path / "out"))
    assert (ended.code, "scifact" in ended.err) == (3, True)
