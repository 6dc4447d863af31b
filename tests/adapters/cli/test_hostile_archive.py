"""`pestle ingest` of a folder that wants to stop its reader: each file is told, the good ones are found."""

import json
import re
import resource
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.adapters.cli.conftest import Pestle
from tests.support.drills import ONE_IN
from tests.support.hostile_archive import GOOD, hostile_archive, molecule

CORE_SECONDS = 480
"""Four minutes of two cores."""
MOST_MB = 1_500


class Memory:
    """The most that a process and those that it started had in memory together."""

    def __init__(self, pid: int) -> None:
        self.most_mb, self._ended = 0.0, threading.Event()
        self._looks = threading.Thread(target=self._look, args=(pid,))
        self._looks.start()

    def end(self) -> float:
        """Look no more; the most that was seen, in MB."""
        self._ended.set()
        self._looks.join()
        return self.most_mb

    def _look(self, pid: int) -> None:
        while not self._ended.wait(0.25):
            self.most_mb = max(self.most_mb, sum(map(_pss_mb, _with_children(pid))))


def _with_children(pid: int) -> Iterator[int]:
    yield pid
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from _with_children(int(child))


def _pss_mb(pid: int) -> float:
    """What a process has in memory; what several share counts in parts."""
    with suppress(OSError):
        if found := re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M):
            return int(found[1]) / 1024
    return 0.0


@pytest.mark.drill
@pytest.mark.skipif(ONE_IN > 1, reason="it takes many minutes, and is for the full drills")
@pytest.mark.timeout(1_800)
def test_every_file_is_told_and_the_good_ones_are_found_in_time(
    home: Path, tmp_path: Path, pestle: Pestle, start: Callable[..., subprocess.Popen[str]]
) -> None:
    folder = tmp_path / "archive"
    there = hostile_archive(folder)
    process = start("ingest", "--json", str(folder))
    memory = Memory(process.pid)
    out, errors = process.communicate()
    most = memory.end()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    report = json.loads(out)
    assert errors == ""
    told = len(report["added"]) + len(report["skipped"])
    assert told == there, sorted(one["path"] for one in report["skipped"])
    assert used.ru_utime + used.ru_stime < CORE_SECONDS
    assert most < MOST_MB
    for number in range(len(GOOD)):
        found = pestle("ask", f"Which dose of {molecule(number)} did rats receive?")
        assert "10 mg/kg" in found.out
