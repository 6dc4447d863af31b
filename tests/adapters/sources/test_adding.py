"""Files of a source that adds up: each is taken in where the others lie, whole or not at all."""

import asyncio
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from adapters.sources.bulk import BulkFolder
from agents.databases.label_format import LABELS, SOURCE
from agents.errors import WrongFile

ROOT = Path(__file__).resolve().parents[3]


def labels(folder: Path, name: str, drugs: range, text: str = "It can cause gout.") -> Path:
    """A file as openFDA has it, with a label for each drug."""
    results = [
        {
            "set_id": f"set-{number}",
            "effective_time": "20260102",
            "warnings": [text],
            "openfda": {"generic_name": [f"drug{number}"]},
        }
        for number in drugs
    ]
    path = folder / name
    path.write_text(json.dumps({"meta": {}, "results": results}))
    return path


async def found(bulk: BulkFolder, number: int) -> int:
    return len(await bulk.rows(SOURCE, f"drug{number}"))


async def test_a_file_is_added_where_the_others_lie_and_labels_that_are_there_are_not_taken_again(
    tmp_path: Path,
) -> None:
    bulk = BulkFolder(tmp_path / "db")
    bulk.load(LABELS, [labels(tmp_path, "1.json", range(30))])
    place = (tmp_path / "db" / f"{SOURCE}.db").stat().st_ino
    assert bulk.load(LABELS, [labels(tmp_path, "2.json", range(20, 50))]).rows == 50
    assert (tmp_path / "db" / f"{SOURCE}.db").stat().st_ino == place
    assert [await found(bulk, one) for one in (0, 25, 49, 50)] == [1, 1, 1, 0]
    assert sorted(one.name for one in (tmp_path / "db").iterdir()) == [f"{SOURCE}.db"]


async def test_a_file_that_is_cut_short_adds_nothing(tmp_path: Path) -> None:
    bulk = BulkFolder(tmp_path / "db")
    bulk.load(LABELS, [labels(tmp_path, "1.json", range(3))])
    cut = labels(tmp_path, "2.json", range(3, 3000))
    cut.write_text(cut.read_text()[:-50])
    with pytest.raises(WrongFile, match="cut short"):
        bulk.load(LABELS, [cut])
    assert [await found(bulk, one) for one in (1, 4)] == [1, 0]
    release = bulk.release(SOURCE)
    assert release is not None
    assert (release.file, release.rows) == ("1.json", 3)


def test_two_loads_at_once_are_both_kept(tmp_path: Path) -> None:
    bulk = BulkFolder(tmp_path / "db")
    bulk.load(LABELS, [labels(tmp_path, "1.json", range(1))])
    files = [labels(tmp_path, f"{n}.json", range(n * 100, n * 100 + 100)) for n in (2, 3, 4)]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda file: bulk.load(LABELS, [file]), files))
    release = bulk.release(SOURCE)
    assert release is not None
    assert release.rows == 301


KILLED = """
import os, signal, sys
from pathlib import Path
from adapters.sources.bulk import BulkFolder
from agents.databases import label_format
from dataclasses import replace
def dies(lines):
    for number, pair in enumerate(label_format.LABELS.parse(lines)):
        yield pair
        if number == 5_500:
            os.kill(os.getpid(), signal.SIGKILL)
BulkFolder(Path(sys.argv[1])).load(replace(label_format.LABELS, parse=dies), [Path(sys.argv[2])])
"""


async def test_a_load_that_is_killed_leaves_what_was_there_and_the_next_one_goes_on(tmp_path: Path) -> None:
    bulk = BulkFolder(tmp_path / "db")
    bulk.load(LABELS, [labels(tmp_path, "1.json", range(3))])
    more = labels(tmp_path, "2.json", range(3, 3000))
    command = [sys.executable, "-c", KILLED, str(tmp_path / "db"), str(more)]
    died = await asyncio.to_thread(
        subprocess.run, command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}
    )
    assert died.returncode == -9
    assert [await found(bulk, one) for one in (1, 4)] == [1, 0]
    assert bulk.load(LABELS, [more]).rows == 3000
    assert [await found(bulk, one) for one in (1, 4)] == [1, 1]
