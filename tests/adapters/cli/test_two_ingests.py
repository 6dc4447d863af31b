"""Two real ingests at once leave what one after the other leaves; `pestle check` repairs what did not."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.cli.conftest import Pestle
from tests.adapters.cli.test_processes import Start

NOTICE = "# Notice\n\nQL-418 was renamed AF-2107. AF-2107 goes on. AF-2107 is new."
REPORT = "# Study {0} in man\n\nPatients of group {0} took QL-418 {0} mg and were well. QL-418 was safe."
FILES = 12


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Reports of a molecule under its old name, and a notice of its new one among more reports."""
    both = tmp_path / "old", tmp_path / "new"
    for number, folder in enumerate(both):
        folder.mkdir()
        for count in range(FILES):
            text = REPORT.format(number * FILES + count + 1)
            (folder / f"report-{number}-{count}.md").write_text(text)
    (both[1] / "notice.md").write_text(NOTICE)
    return both


def archive(pestle: Pestle, home: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the archive knows of its documents and molecules; versions count writes and are left out."""
    monkeypatch.setenv("PESTLE_HOME", str(home))
    ended = pestle("documents", "--json")
    assert ended.code == 0, ended.err
    known: dict[str, Any] = json.loads(ended.out)
    return known


@pytest.mark.drill
def test_two_ingests_at_once_leave_what_one_after_the_other_leaves(
    pestle: Pestle,
    folders: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    start: Start,
) -> None:
    alone, together = tmp_path / "alone", tmp_path / "together"
    monkeypatch.setenv("PESTLE_HOME", str(alone))
    for folder in folders:
        assert pestle("ingest", str(folder)).code == 0
    monkeypatch.setenv("PESTLE_HOME", str(together))
    both = [start("ingest", str(folder)) for folder in folders]
    ended = [one.communicate(timeout=240) for one in both]
    assert [one.returncode for one in both] == [0, 0], ended
    expected = archive(pestle, alone, monkeypatch)
    assert archive(pestle, together, monkeypatch) == expected
    assert len(expected["documents"]) == 2 * FILES + 1
    assert pestle("check", "--look").code == 0
    with closing(sqlite3.connect(together / "archive.db")) as database:  # as an older version left it
        wrong = json.dumps(["AF-2107"])
        database.execute(
            "UPDATE documents SET record = json_set(record, '$.molecules', json(?), '$.main_molecules', "
            "json(?)) WHERE doc_id = 'report-0-3'",
            (wrong, wrong),
        )
        database.execute("UPDATE meta SET value = value + 1 WHERE key = 'version'")
        database.commit()
    assert archive(pestle, together, monkeypatch) != expected
    assert pestle("ingest", str(folders[0])).code == 0, "which repairs nothing by itself"
    found = pestle("check", "--look")
    assert (found.code, "report-0-3" in found.out) == (1, True)
    assert "Repaired" in pestle("check").out
    assert archive(pestle, together, monkeypatch) == expected
