"""`pestle ingest` of a folder that wants to stop its reader: each file is told, the good ones are found."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.adapters.cli.conftest import Pestle
from tests.support.drills import ONE_IN
from tests.support.hostile_archive import GOOD, hostile_archive, molecule
from tests.support.tree_memory import Memory

MOST_MB = 1_500
SCALE, TEXTS = (1.0, 4_096) if ONE_IN == 1 else (0.02, 4)
"""How large the large files are, and how many texts of each are encoded: short drills take little of both."""


@pytest.mark.drill
@pytest.mark.timeout(1_800)
def test_every_file_is_told_and_the_good_ones_are_found(
    home: Path,
    tmp_path: Path,
    pestle: Pestle,
    start: Callable[..., subprocess.Popen[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PESTLE_INGEST_FILE_TEXTS", str(TEXTS))
    folder = tmp_path / "archive"
    there = hostile_archive(folder, SCALE)
    process = start("ingest", "--json", str(folder))
    memory = Memory(process.pid)
    out, errors = process.communicate()
    most = memory.end()
    report = json.loads(out)
    assert process.returncode == 0, errors
    told = len(report["added"]) + len(report["skipped"])
    assert told == there, sorted(one["path"] for one in report["skipped"])
    assert most < MOST_MB
    for number in range(len(GOOD)):
        found = pestle("ask", f"Which dose of {molecule(number)} was given?")
        assert re.search(r"10 mg/kg|Dose \(mg/kg\):? 10\b", found.out), found.out
