"""`pestle eval questions` on a small folder, and on the archive that is set."""

import json
from pathlib import Path

from tests.adapters.cli.conftest import DOCUMENTS, Pestle

QUOTE = "discontinued because of liver toxicity in the dog"
ASKED = (
    {
        "id": "1",
        "question": "Why was KP-100 discontinued?",
        "kind": "fact",
        "accept": ["liver"],
        "quotes": [QUOTE],
    },
    {"id": "2", "question": "Which pill colour had KP-100?", "kind": "fact", "accept": ["purple"]},
)


def question_set(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, ASKED)))
    return folder


def test_a_set_is_scored_and_each_miss_is_told(pestle: Pestle, tmp_path: Path) -> None:
    documents = question_set(tmp_path / "set") / "docs"
    documents.mkdir()
    for name, text in DOCUMENTS.items():
        (documents / name).write_text(text, encoding="utf-8")

    ended = pestle("eval", "questions", str(tmp_path / "set"), "--json", str(tmp_path / "figures.json"))

    assert ended.code == 0
    assert "purple" in ended.out
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert figures["figures"]["pestle"]["all"]["right"] == 0.5


def test_without_documents_the_archive_that_is_set_is_asked(
    pestle: Pestle, home: Path, tmp_path: Path
) -> None:
    file = tmp_path / "figures.json"
    ended = pestle("eval", "questions", str(question_set(tmp_path / "set")), "--json", str(file))
    assert ended.code == 0
    assert json.loads(file.read_text())["figures"]["pestle"]["all"]["helped"] == 0.5


def test_the_plain_prompt_needs_a_model(pestle: Pestle, tmp_path: Path) -> None:
    ended = pestle("eval", "questions", str(question_set(tmp_path / "set")), "--baseline", "plain")
    assert ended.code == 2
    assert "PESTLE_MODEL_BASE_URL" in ended.err
