"""One huge file: it is bounded, told while it lasts, and nothing waits behind it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from retrieval.ingest import meaning, prepare, update
from retrieval.ingest.folder import Folder
from retrieval.ingest.update import ingest
from retrieval.values import IngestReport
from tests.support.hashing import HashingEncoder
from tests.support.memory_index import MemoryIndex
from tests.support.parsing import InThread

ENCODER = HashingEncoder(64)
LINE = "Rats received QX-1001 10 mg/kg and were well and the liver showed no change "


class Desk:
    """A folder with a huge line among small files, an index, and what was told."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.index = MemoryIndex(ENCODER)
        self.told: list[tuple[int, int, str, int]] = []
        self.stored: list[int] = []
        for name in ("a.md", "c.md"):
            (folder / name).write_text(f"# {name}\n\nMen took QX-1001 5 mg.")
        (folder / "b.txt").write_text(LINE * 3_000)

    @property
    def taken_in(self) -> list[str]:
        """Names of the files told as done. A slow machine is also told which one is being read."""
        names = (name for _, _, name, _ in self.told)
        return [name for name in names if not (name.startswith("reading ") or "meaning" in name)]

    def _progress(self, *step: object) -> None:
        self.told.append(step)  # type: ignore[arg-type]
        with closing(sqlite3.connect(self.index._path)) as connection:
            self.stored.append(connection.execute("SELECT count(*) FROM documents").fetchone()[0])

    async def ingest(self, most_chunks: int = 5_000) -> IngestReport:
        return await ingest(
            Folder(self.folder),
            self.index,
            ENCODER,
            InThread(),
            progress=self._progress,
            most_chunks=most_chunks,
        )


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


async def test_chunks_of_a_document_are_bounded_and_the_bound_can_be_raised(desk: Desk) -> None:
    cut = await desk.ingest(most_chunks=20)
    (warning,) = cut.warnings
    assert (warning.path, cut.chunks) == ("b.txt", 22)
    assert "first 20 chunks can be found, 2" in warning.reason
    assert "PESTLE_INGEST_FILE_CHUNKS" in warning.reason
    assert (await desk.ingest(most_chunks=20)).unchanged == 3
    assert (await desk.ingest(most_chunks=10)).unchanged == 3
    whole = await desk.ingest(most_chunks=1_000)
    assert (whole.updated, whole.warnings, whole.unchanged) == (("b",), (), 2)
    record = next(r for r in await desk.index.records() if r.doc_id == "b")
    assert record.warnings == ()


async def test_other_documents_are_stored_before_a_large_one_and_progress_is_told_within_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prepare, "FIRST", 32)
    monkeypatch.setattr(meaning, "BATCH", 16)
    report = await desk.ingest()
    met = zip(desk.told, desk.stored, strict=True)
    within = [(step, n) for step, n in met if step[2].endswith(": b.txt") and step[1] == 1]
    assert [step[0] for step, _ in within] == [0] * len(within)
    assert [step[2] for step, _ in within[:2]] == [
        "0% found by meaning: b.txt",
        "17% found by meaning: b.txt",
    ]
    assert {n for _, n in within} == {3}  # its own words, too
    told = [step[:2] for step in desk.told if step[2] in ("a.md", "b.txt", "c.md")]
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert set(report.added) == {"a", "b", "c"}


async def test_a_large_file_is_read_after_the_others(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(update, "LARGE", 100_000)
    report = await desk.ingest()
    assert desk.taken_in == ["a.md", "c.md", "b.txt"]
    assert set(report.added) == {"a", "b", "c"}


@pytest.mark.drill
async def test_few_large_files_are_in_memory_at_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(update, "AHEAD_BYTES", 320_000)
    for n in range(4):
        (desk.folder / f"{n}.txt").write_text(f"{n} {LINE * 2_000}")
    opened: list[int] = []

    class Source(Folder):
        def opened(self, file):  # type: ignore[no-untyped-def]
            opened.append(len(desk.taken_in))
            return super().opened(file)

    await ingest(Source(desk.folder), desk.index, ENCODER, InThread(), progress=desk._progress)
    assert opened[:3] == [0, 0, 1]  # the third one when the first has been taken in
