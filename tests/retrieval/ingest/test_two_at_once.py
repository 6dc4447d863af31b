"""Two ingests at once leave what one after the other would have left."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrieval.ingest.check import check
from retrieval.ingest.folder import Folder
from retrieval.ingest.update import ingest
from retrieval.ports import Index, Paged, unpaged
from retrieval.values import Document, IngestReport
from tests.support.hashing import HashingEncoder
from tests.support.memory_index import MemoryIndex
from tests.support.parsing import InThread

ENCODER = HashingEncoder(64)
Work = Callable[[], Coroutine[Any, Any, object]]


class Between:
    """A parser that lets something else happen before it gives a document: another process's ingest."""

    def __init__(self, *others: Work) -> None:
        self._others = list(others)

    async def parse(self, path: Path, name: str, sha256: str, paged: Paged = unpaged) -> Document:
        document = await InThread().parse(path, name, sha256)
        if self._others:
            await self._others.pop(0)()
        return document


async def take_in(folder: Path, index: Index, *others: Work) -> IngestReport:
    return await ingest(Folder(folder), index, ENCODER, Between(*others))


def folder(path: Path, **texts: str) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (path / f"{name}.md").write_text(text)
    return path


async def same(index: Index, *folders: Path) -> None:
    """The archive is what one ingest after the other gives."""
    alone = MemoryIndex(ENCODER)
    for one in folders:
        await take_in(one, alone)
    assert await index.molecules() == await alone.molecules()
    assert await index.records() == await alone.records()


NOTICE = "# Notice\n\nQL-418 was renamed AF-2107. AF-2107 goes on. AF-2107 is new."
REPORT = "# Study in man\n\nPatients took QL-418 5 mg and were well. QL-418 was safe."


async def test_a_name_that_another_ingest_explains_meanwhile(tmp_path: Path) -> None:
    one, other = folder(tmp_path / "a", report=REPORT), folder(tmp_path / "b", notice=NOTICE)
    index = MemoryIndex(ENCODER)
    await take_in(one, index, lambda: take_in(other, index))
    assert {r.doc_id: r.molecules for r in await index.records()} == {
        "report": ("AF-2107",),
        "notice": ("AF-2107",),
    }
    await same(index, other, one)


class WrittenMeanwhile(MemoryIndex):
    """Lets another ingest write once, after the records were read for the last look at the archive."""

    meanwhile: Work | None = None
    looks = 0
    writing = False

    @asynccontextmanager
    async def write(self):  # type: ignore[no-untyped-def]
        async with super().write() as writer:
            self.writing = True
            yield writer
            self.writing = False

    async def molecules(self) -> list[Any]:
        found = await super().molecules()
        if self.meanwhile is not None and not self.writing:
            self.looks += 1
            if self.looks == 2:  # the first is that of the ingest's beginning
                work, self.meanwhile = self.meanwhile, None
                await work()
        return found


@pytest.mark.parametrize("explained_first", [True, False])
async def test_what_comes_while_the_archive_is_consolidated(tmp_path: Path, explained_first: bool) -> None:
    texts = (NOTICE, REPORT) if explained_first else (REPORT, NOTICE)
    one, other = (folder(tmp_path / name, **{name: text}) for name, text in zip("ab", texts, strict=True))
    index = WrittenMeanwhile(ENCODER)
    index.meanwhile = lambda: take_in(other, index)
    await take_in(one, index)
    assert index.meanwhile is None
    await same(index, one, other)


async def test_one_id_for_two_files_that_are_read_at_once(tmp_path: Path) -> None:
    one, other = folder(tmp_path / "a", report=REPORT), folder(tmp_path / "b", report=NOTICE)
    index = MemoryIndex(ENCODER)
    report = await take_in(one, index, lambda: take_in(other, index))
    assert [record.doc_id for record in await index.records()] == ["report", "report~2"]
    assert report.added == ("report~2",)
    assert "is also that of" in report.warnings[0].reason
    assert {chunk.doc_id for chunk in await index.chunks(["report#0", "report~2#0"])} == {
        "report",
        "report~2",
    }


async def test_a_copy_that_is_read_at_once_is_no_second_document(tmp_path: Path) -> None:
    one, other = folder(tmp_path / "a", report=REPORT), folder(tmp_path / "b", report=REPORT)
    index = MemoryIndex(ENCODER)
    report = await take_in(one, index, lambda: take_in(other, index))
    assert (report.added, "The same document" in report.skipped[0].reason) == ((), True)
    await same(index, other, one)


async def test_the_same_folder_at_once(tmp_path: Path) -> None:
    one = folder(tmp_path / "a", report=REPORT, notice=NOTICE, x="---\ndoc_id: report\n---\n# Other\n\nText.")
    index = MemoryIndex(ENCODER)
    await asyncio.gather(*(take_in(one, index) for _ in range(3)))
    await same(index, one)


async def test_a_check_finds_and_repairs_what_two_writers_once_left(tmp_path: Path) -> None:
    one, other = folder(tmp_path / "a", report=REPORT), folder(tmp_path / "b", notice=NOTICE)
    index = MemoryIndex(ENCODER)
    await take_in(one, index)
    await take_in(other, index)
    assert (await check(index)).wrong == ()
    async with index.write() as writer:  # what an older version left
        stored = await index.document("report")
        assert stored is not None
        wrong = replace(stored.record, molecules=("QL-418",), main_molecules=("QL-418",))
        await writer.put_record(wrong)
    assert (await take_in(one, index)).unchanged == 1  # no ingest sees it
    async with index.write() as writer:
        twice = replace(stored.record, doc_id="report~2")
        await writer.put(replace(stored, record=twice), (), np.zeros((0, 64), np.float32))
    looked = await check(index, repair=False)
    assert (looked.repaired, [line.path for line in looked.wrong][:2]) == (False, ["report~2", "report"])
    assert "AF-2107, stored was QL-418" in looked.wrong[1].reason
    assert (await check(index)).repaired
    await same(index, one, other)
    assert (await check(index)).wrong == ()
