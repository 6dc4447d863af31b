"""`pestle learn-events`, `pestle extract-events` and `pestle eval extraction` over invented labels."""

from pathlib import Path

import orjson
from typer.testing import CliRunner

from adapters.cli.main import app

TEXT = "The most common adverse reactions were nausea, greenish vision and edema."
EVENTS = {"nausea": "Nausea", "greenish vision": "Chloropsia", "edema": "Oedema"}


def annotated(folder: Path) -> Path:
    folder.mkdir()
    rows = [
        {
            "label_id": f"invented{number}",
            "section_name": "adverse reactions",
            "section_text": TEXT,
            "adverse_events": [
                [mention, term, 1.0, term, 1.0, str(TEXT.index(mention)), str(len(mention)), "human"]
                for mention, term in EVENTS.items()
            ],
        }
        for number in range(6)
    ]
    (folder / "labels.json").write_bytes(orjson.dumps(rows))
    return folder


def test_events_are_extracted_by_rule_and_then_with_what_was_learnt(tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("PESTLE_HOME", str(tmp_path / "home"))
    text, report = tmp_path / "text.txt", tmp_path / "report.json"
    text.write_text(TEXT)
    run = CliRunner().invoke
    first = run(app, ["extract-events", str(text)])
    assert first.exit_code == 0
    assert "by the generic rule; nothing was learnt" in first.stdout
    learnt = run(app, ["learn-events", str(annotated(tmp_path / "set"))])
    assert learnt.exit_code == 0, learnt.output
    second = run(app, ["extract-events", "-", "--json", str(report)], input=TEXT)
    assert "learnt on set: 6 labels, 6 sections" in " ".join(second.stdout.split())
    events = orjson.loads(report.read_bytes())["events"]
    assert [one["term"] for one in events] == list(EVENTS.values())
    assert all(TEXT[one["start"] :].startswith(one["mention"]) for one in events)


def test_the_figures_are_written(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    folder = annotated(tmp_path / "set")
    done = CliRunner().invoke(app, ["eval", "extraction", str(folder), "--json", str(report)])
    assert done.exit_code == 0, done.output
    figures = orjson.loads(report.read_bytes())
    assert (figures["labels"], figures["folds"], figures["f1"]) == (6, 5, 1.0)
    assert set(figures["baselines"]) == {"lexicon alone", "generic rule"}


def test_a_missing_file_is_a_sentence(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["extract-events", str(tmp_path / "none.txt")])
    assert done.exit_code != 0
