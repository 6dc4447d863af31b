"""`pestle eval vigilance` over a loaded label of an invented drug."""

from pathlib import Path

import orjson
import pytest
from typer.testing import CliRunner

from adapters.cli.main import app


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PESTLE_HOME", str(tmp_path / "home"))
    gold = tmp_path / "gold"
    gold.mkdir()
    (gold / "classes.csv").write_text(
        "drug_category,outcome,label\ninventol,stroke,increase\ninventol,gout,no-effect-verified\n"
    )
    label = {
        "set_id": "a-1",
        "effective_time": "20240101",
        "openfda": {"generic_name": ["INVENTOL"], "brand_name": ["INVENTA"], "substance_name": ["INVENTOL"]},
        "warnings": ["Inventol can cause stroke."],
        "adverse_reactions": ["Stroke was reported in 3% of patients."],
    }
    (tmp_path / "labels.json").write_bytes(orjson.dumps({"results": [label]}))
    return tmp_path


def test_cells_and_figures_are_told_and_kept(home: Path) -> None:
    run = CliRunner().invoke
    assert run(app, ["eval", "vigilance", str(home / "gold")]).exit_code != 0
    loaded = run(app, ["sources", "load", str(home / "labels.json")])
    assert loaded.exit_code == 0, loaded.output
    searched = run(app, ["labels", "strokes", "--drug", "inventa", "--section", "warnings"])
    assert "Inventol can cause stroke." in searched.output
    assert "3%" not in searched.output
    assert "INVENTOL" not in run(app, ["documents"]).output
    report = home / "report.json"
    asked = ["--json", str(report)]
    done = run(app, ["eval", "vigilance", str(home / "gold"), *asked])
    assert done.exit_code == 0, done.output
    told = orjson.loads(report.read_bytes())
    assert (told["coverage"], told["ade"]["auc"], told["effect"]["f1"]) == (1.0, 1.0, 1.0)
    assert told["calibration"]["bins"][0].keys() == {"said", "observed", "cells"}
    assert "word match in adverse reactions" in told["baselines"]
