"""`pestle eval protocol --score`: protocols that were kept, judged again by the models that are named."""

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import Response

from tests.adapters.cli.conftest import Pestle
from tests.adapters.llm.fake_endpoint import says, serving
from tests.agents.protocol.kit import OBJECTIVE, write_literature

LOW = {
    "missing": ["Protocol: add a control."],
    "wrong": [],
    "misplaced": [],
    "detail": 0.2,
    "structure": 0.3,
    "reason": "No control.",
}
HIGH = {**LOW, "missing": [], "detail": 0.9, "structure": 0.9, "reason": "A blank is missing."}
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
    kept.write_text(json.dumps({"compared": [{"pair": PAIR}]}), encoding="utf-8")
    shown: list[tuple[str, str]] = []

    def judges(body: dict[str, Any]) -> Response:
        text = json.dumps(body["messages"])
        shown.append((body["model"], "peer" if "Do it." in text else "ours"))
        return says(json.dumps(LOW if "Do it." in text or body["model"] == "b" else HIGH))(body)

    with serving() as endpoint:
        endpoint.script(judges)
        monkeypatch.setenv("PESTLE_MODEL_BASE_URL", endpoint.url)
        monkeypatch.setenv("PESTLE_MODEL_NAME", "first")
        judged = ("--judge", "a", "--judge", "b")
        ended = pestle("eval", "protocol", str(tmp_path), "--score", str(kept), *judged, "--json", str(again))

    assert ended.code == 0
    written = json.loads(again.read_text(encoding="utf-8"))
    assert written["judges"] == ["a", "b"]
    assert written["prompt"].startswith("prompt/score ")
    ours, peer = written["means"]["pestle"], written["means"]["one prompt"]
    assert (ours["completeness"], ours["detail"], ours["correctness"], ours["logic"]) == (0.75, 0.55, 0.5, 1)
    assert (ours["overall"], peer["overall"]) == pytest.approx(
        (0.75 + 0.55 + 0.5 + 1 + 0.6, 0.5 + 0.2 + 0.5 + 1 + 0.3)
    )
    (one,) = written["compared"]
    assert one["pair"] == PAIR
    assert one["peer"]["judges"]["b"]["missing"] == LOW["missing"]
    assert one["ours"]["proxies"]["steps"] == 1
    assert sorted(shown) == [("a", "ours"), ("a", "peer"), ("b", "ours"), ("b", "peer")], "one call each"
    assert "A blank is missing." in ended.out


@pytest.mark.parametrize("content", ["{}", '{"compared": []}'])
def test_a_file_without_protocols_is_refused(pestle: Pestle, tmp_path: Path, content: str) -> None:
    (tmp_path / "kept.json").write_text(content, encoding="utf-8")
    ended = pestle("eval", "protocol", str(tmp_path), "--score", str(tmp_path / "kept.json"))
    assert ended.code != 0
    assert "holds no protocols" in ended.err


def test_the_filter_is_held_against_given_verdicts(pestle: Pestle, tmp_path: Path) -> None:
    folder = write_literature(tmp_path / "articles")
    file, told = tmp_path / "verdicts.json", tmp_path / "told.json"
    file.write_text(json.dumps({OBJECTIVE.whole: {"10.9/airway": True, "PMID 7": False}}), encoding="utf-8")
    ended = pestle("eval", "protocol", str(folder), "--verdicts", str(file), "--json", str(told))
    assert ended.code == 0
    assert "accuracy: 1.0" in ended.out
    assert json.loads(told.read_text(encoding="utf-8"))["kept"] == 1
    file.write_text("[]", encoding="utf-8")
    assert "holds no verdicts" in pestle("eval", "protocol", str(folder), "--verdicts", str(file)).err
