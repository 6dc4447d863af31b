"""Files of labels taken into an index of their own, on SQLite and on Elasticsearch: whole or not at all."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from adapters.sources import lines
from adapters.sources.bulk import BulkFolder
from adapters.sources.documents import load_documents
from agents.databases import label_format
from agents.databases.label_documents import LABELS
from agents.databases.label_store import LabelStore
from agents.errors import WrongFile
from retrieval.index.sqlite import SqliteIndex
from retrieval.ports import Encoder, Index
from retrieval.search import HybridRetriever
from tests.support.elastic import TrialIndex
from tests.support.hashing import HashingEncoder
from tests.support.memory_index import MemoryIndex

ROOT = Path(__file__).resolve().parents[3]
ENCODER = HashingEncoder(64)
INDEXES: dict[str, Callable[[Path, Encoder], Index]] = {
    "memory": lambda folder, encoder: MemoryIndex(encoder),
    "elasticsearch": lambda folder, encoder: TrialIndex(encoder),
    "sqlite": lambda folder, encoder: SqliteIndex(folder / "labels.db", encoder),
}


@pytest.fixture(params=INDEXES)
async def index(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Index]:
    made = INDEXES[request.param](tmp_path, ENCODER)
    yield made
    await made.close()


def labels(folder: Path, name: str, drugs: range, text: str = "It can cause gout.") -> Path:
    """A file as openFDA has it, with a label for each drug."""
    results = [
        {
            "set_id": f"set-{number}",
            "effective_time": "20260102",
            "boxed_warning": [f"# Drug{number} needs care."],
            "warnings": [text, f"Rash was seen with drug{number}."],
            "openfda": {"generic_name": [f"DRUG{number} HYDROCHLORIDE"], "brand_name": [f"Brand{number}"]},
        }
        for number in drugs
    ]
    path = folder / name
    path.write_text(json.dumps({"meta": {}, "results": results}))
    return path


async def load(index: Index, folder: Path, file: Path) -> int:
    """How many labels there are then."""
    bulk = BulkFolder(folder / "db")
    return (await load_documents(index, ENCODER.dimension, bulk, LABELS, [file])).rows


def store(index: Index) -> LabelStore:
    return LabelStore(index, HybridRetriever(index, ENCODER))


async def test_files_add_up_and_a_label_that_is_there_is_not_taken_again(
    index: Index, tmp_path: Path
) -> None:
    assert await load(index, tmp_path, labels(tmp_path, "1.json", range(5))) == 5
    assert await load(index, tmp_path, labels(tmp_path, "2.json", range(3, 8))) == 8
    assert await load(index, tmp_path, labels(tmp_path, "2.json", range(3, 8))) == 8
    release = BulkFolder(tmp_path / "db").release(LABELS.source)
    assert release is not None
    assert (release.file, release.rows) == ("2.json", 8)


async def test_a_label_is_found_by_all_its_names_and_its_sections_word_for_word(
    index: Index, tmp_path: Path
) -> None:
    await load(index, tmp_path, labels(tmp_path, "1.json", range(3)))
    for name in ("drug1", "Drug1 Hydrochloride", "BRAND1"):
        read = await store(index).passages((name,))
        told = [(one.id, one.text) for one in read if one.section in ("boxed_warning", "warnings")]
        assert told == [
            ("set-1@2026-01-02/boxed_warning/1", "# Drug1 needs care."),
            ("set-1@2026-01-02/warnings/1", "It can cause gout."),
            ("set-1@2026-01-02/warnings/2", "Rash was seen with drug1."),
        ]
        assert {(one.set_id, one.effective) for one in read} == {("set-1", "2026-01-02")}
        document = await index.document("set-1@2026-01-02")
        assert document is not None
        assert all(one.text in document.text for one in read)
    assert await store(index).known(("drug2",))
    assert not await store(index).known(("drug9",))
    assert await store(index).passages(("drug9",)) == ()


async def test_labels_are_searched_by_words_within_a_drug_and_a_section(index: Index, tmp_path: Path) -> None:
    await load(index, tmp_path, labels(tmp_path, "1.json", range(3)))
    found = await store(index).search(("drug1",), "rashes that were seen or gout")
    assert {one.id.split("@")[0] for one in found} == {"set-1"}
    assert found[0].text == "Rash was seen with drug1."
    boxed = await store(index).search(("drug1",), "drug1 rash", sections=("boxed_warning",))
    assert [one.section for one in boxed] == ["boxed_warning"]
    anywhere = await store(index).search((), "gout", limit=9)
    assert [one.text for one in anywhere] == ["It can cause gout."]


async def test_of_all_labels_only_the_newest_version_is_found(index: Index, tmp_path: Path) -> None:
    old = labels(tmp_path, "1.json", range(1), "It can cause old gout.")
    await load(index, tmp_path, old)
    new = labels(tmp_path, "2.json", range(1), "It can cause new gout.")
    new.write_text(new.read_text().replace("20260102", "20260202"))
    assert await load(index, tmp_path, new) == 2
    assert [one.text for one in await store(index).search((), "gout")] == ["It can cause new gout."]
    read = [one for one in await store(index).passages(("drug0",)) if one.section == "warnings"]
    assert read[0].text == "It can cause new gout."


async def test_a_file_that_is_cut_short_adds_nothing(index: Index, tmp_path: Path) -> None:
    await load(index, tmp_path, labels(tmp_path, "1.json", range(3)))
    cut = labels(tmp_path, "2.json", range(3, 600))
    cut.write_text(cut.read_text()[:-50])
    with pytest.raises(WrongFile, match="cut short"):
        await load(index, tmp_path, cut)
    assert len(await index.records()) == 3
    release = BulkFolder(tmp_path / "db").release(LABELS.source)
    assert release is not None
    assert (release.file, release.rows) == ("1.json", 3)


async def test_a_file_on_one_line_of_any_length_is_read_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "PIECE", 1000)
    monkeypatch.setattr(lines, "LONGEST", 2000)
    monkeypatch.setattr(label_format, "BLOCK", 1000)
    index, file = MemoryIndex(ENCODER), labels(tmp_path, "1.json", range(200))
    assert "\n" not in file.read_text()
    assert len(file.read_text()) > 30 * 1000
    assert await load(index, tmp_path, file) == 200


async def test_two_loads_at_once_are_both_kept(index: Index, tmp_path: Path) -> None:
    files = [labels(tmp_path, f"{n}.json", range(n * 100, n * 100 + 20)) for n in (2, 3)]
    await asyncio.gather(*(load(index, tmp_path, file) for file in files))
    assert len(await index.records()) == 40


KILLED = """
import asyncio, os, signal, sys
from dataclasses import replace
from pathlib import Path
from agents.databases.label_documents import LABELS, label_documents
from tests.adapters.sources import test_label_files as over
def dies(lines):
    for number, one in enumerate(label_documents(lines)):
        yield one
        if number == 700:
            os.kill(os.getpid(), signal.SIGKILL)
over.LABELS = replace(LABELS, documents=dies)
folder = Path(sys.argv[1])
asyncio.run(over.load(over.SqliteIndex(folder / "labels.db", over.ENCODER), folder, Path(sys.argv[2])))
"""


async def test_a_load_that_is_killed_leaves_what_was_there_and_the_next_one_goes_on(tmp_path: Path) -> None:
    index = SqliteIndex(tmp_path / "labels.db", ENCODER)
    await load(index, tmp_path, labels(tmp_path, "1.json", range(3)))
    more = labels(tmp_path, "2.json", range(3, 900))
    command = [sys.executable, "-c", KILLED, str(tmp_path), str(more)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    died = await asyncio.to_thread(subprocess.run, command, cwd=ROOT, env=environment)
    assert died.returncode == -9
    assert len(await index.records()) == 3
    assert await load(index, tmp_path, more) == 900
    await index.close()
