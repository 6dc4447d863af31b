"""`pestle eval protocol --score`: protocols that were kept, judged again by the model that is set."""

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import Response

from tests.adapters.cli.conftest import Pestle
from tests.adapters.llm.fake_endpoint import says, serving

LOW = {"completeness": 2, "detail": 2, "correctness": 2, "logic": 2, "reason": "No control."}
HIGH = {"completeness": 4, "detail": 5, "correctness": 4, "logic": 3, "reason": "A blank is missing."}
PAIR = {
    "objective": {"text": "Find the genes", "conditions": [], "requirements": ["figures"]},
    "ours": "## Data\n1. Read them.",
    "peer": "1. Do it.",
    "notes": [],
}


def test_kept_protocols_are_scored_again_each_alone(
    pestle: Pestle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, again = tmp_path / "kept.json", tmp_path / "again.json"
    kept.write_text(json.dumps({"compared": [{"pair": PAIR, "ours": LOW, "peer": LOW}]}), encoding="utf-8")
    shown: list[str] = []

    def judges(body: dict[str, Any]) -> Response:
        shown.append(json.dumps(body["messages"]))
        return says(json.dumps(LOW if "Do it." in shown[-1] else HIGH))(body)

    with serving() as endpoint:
        endpoint.script(judges)
        monkeypatch.setenv("PESTLE_MODEL_BASE_URL", endpoint.url)
        monkeypatch.setenv("PESTLE_MODEL_NAME", "first")
        ended = pestle("eval", "protocol", str(tmp_path), "--score", str(kept), "--json", str(again))

    assert ended.code == 0
    written = json.loads(again.read_text(encoding="utf-8"))
    assert (written["means"]["pestle"]["overall"], written["means"]["one prompt"]["overall"]) == (4.0, 2.0)
    assert written["compared"][0]["pair"] == PAIR
    assert ["Read them." in one for one in shown] == [True, False]
    assert "A blank is missing." in ended.out


def test_a_file_without_protocols_is_refused(pestle: Pestle, tmp_path: Path) -> None:
    (tmp_path / "kept.json").write_text("{}", encoding="utf-8")
    ended = pestle("eval", "protocol", str(tmp_path), "--score", str(tmp_path / "kept.json"))
    assert ended.code != 0
    assert "holds no protocols" in ended.err
