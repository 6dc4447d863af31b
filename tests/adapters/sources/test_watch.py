"""A folder that is watched: what comes, grows, changes and goes, and an index that is out of order."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest

from adapters.sources.watch import Settled, watch
from retrieval.errors import ArchiveNotFound, IndexBusy, RetrievalError
from retrieval.ingest.folder import Folder
from retrieval.ingest.update import ingest
from retrieval.ports import DocumentSource
from retrieval.values import IngestReport
from tests.support.hashing import HashingEncoder
from tests.support.memory_index import MemoryIndex
from tests.support.parsing import InThread

ENCODER = HashingEncoder(64)
PAUSE = 0.02


class Desk:
    """A folder, an index, and what watching tells."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.index = MemoryIndex(ENCODER)
        self.errors: list[RetrievalError] = []
        self.ingests = 0
        self.source = Folder(folder, by_stat=True)
        self.news = watch(self.source, self.take_in, PAUSE)

    async def take_in(self, source: DocumentSource) -> IngestReport:
        self.ingests += 1
        if self.errors:
            raise self.errors.pop()
        return await ingest(source, self.index, ENCODER, InThread())

    def write(self, name: str, text: str = "Rats received QX-1001 10 mg/kg.") -> Path:
        path = self.folder / name
        path.write_text(f"# {name}\n\n{text}")
        return path

    async def next(self) -> IngestReport | RetrievalError:
        async with asyncio.timeout(20):
            return await anext(self.news)

    async def report(self) -> IngestReport:
        news = await self.next()
        assert isinstance(news, IngestReport), news
        return news

    async def ids(self) -> list[str]:
        return [record.doc_id for record in await self.index.records()]


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    made = Desk(tmp_path)
    async with aclosing(made.news):  # type: ignore[type-var]
        yield made


async def test_files_come_change_and_go(desk: Desk) -> None:
    desk.write("a.md")
    assert (await desk.report()).added == ("a",)
    desk.write("b.md")
    assert (await desk.report()).added == ("b",)
    desk.write("a.md", "Dogs received QX-1002 1 mg/kg.")
    assert (await desk.report()).updated == ("a",)
    (desk.folder / "b.md").unlink()
    assert (await desk.report()).deleted == ("b",)


async def test_nothing_is_done_while_nothing_changes(desk: Desk) -> None:
    desk.write("a.md")
    await desk.report()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(10 * PAUSE):
            await anext(desk.news)
    assert desk.ingests == 1


async def test_a_file_is_read_when_it_has_stopped_growing(tmp_path: Path) -> None:
    settled = Settled(Folder(tmp_path, by_stat=True))
    growing = tmp_path / "big.md"
    (tmp_path / "small.md").write_text("Small.")
    for size in (1, 2, 3):
        growing.write_text("x" * size)
        listing = await settled.look()
        assert [file.name for file in listing.waiting if file.name == "big.md"] == ["big.md"]
    listing = await settled.look()
    assert [file.name for file in listing.files] == ["big.md", "small.md"]


async def test_a_document_whose_file_is_being_written_again_stays(tmp_path: Path) -> None:
    index, settled = MemoryIndex(ENCODER), Settled(Folder(tmp_path, by_stat=True))
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(f"# {name}\n\nText.")
    for _ in range(2):
        await settled.look()
    await ingest(settled, index, ENCODER, InThread())
    (tmp_path / "a.md").write_text("# a.md\n\nHalf of a new te")
    await settled.look()
    report = await ingest(settled, index, ENCODER, InThread())
    assert (report.deleted, report.unchanged) == ((), 1)


async def test_an_index_that_is_out_of_order_is_tried_again(desk: Desk) -> None:
    desk.write("a.md")
    desk.errors = [IndexBusy("Another process writes."), IndexBusy("Another process writes.")]
    assert isinstance(await desk.next(), IndexBusy)
    assert (await desk.report()).added == ("a",)
    assert desk.ingests == 3


async def test_a_folder_that_is_empty_all_at_once_deletes_nothing(desk: Desk) -> None:
    path = desk.write("a.md")
    await desk.report()
    path.unlink()
    error = await desk.next()
    assert "still connected" in str(error)
    assert await desk.ids() == ["a"]
    desk.write("a.md")
    desk.write("b.md")
    assert (await desk.report()).added == ("b",)


async def test_no_folder_to_watch_is_told_at_once(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "nowhere")
    with pytest.raises(ArchiveNotFound):
        await desk.next()


async def test_a_known_file_is_not_read_again_at_the_next_start(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.write("a.md")
    await ingest(Folder(desk.folder), desk.index, ENCODER, InThread())
    settled = Settled(desk.source)
    for _ in range(2):
        await settled.look()
    await ingest(settled, desk.index, ENCODER, InThread())
    monkeypatch.setattr("retrieval.ingest.prepare.sha256_of", lambda path: pytest.fail("read again"))
    assert (await ingest(settled, desk.index, ENCODER, InThread())).unchanged == 1


async def test_a_file_that_cannot_be_read_is_told_once_and_read_again_when_it_changes(desk: Desk) -> None:
    desk.write("a.md")
    bad = desk.folder / "bad.pdf"
    bad.write_bytes(b"%PDF-1.4 cut")
    first = await desk.report()
    assert (first.added, [skipped.path for skipped in first.skipped]) == (("a",), ["bad.pdf"])
    desk.write("b.md")
    second = await desk.report()
    assert (second.added, second.skipped, second.deleted) == (("b",), (), ())
    bad.write_bytes(b"%PDF-1.4 cut again")
    assert [skipped.path for skipped in (await desk.report()).skipped] == ["bad.pdf"]
