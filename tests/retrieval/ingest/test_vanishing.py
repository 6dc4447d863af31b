"""A document leaves the archive only if a complete look proves that its file is gone, or if asked for."""

import shutil
from pathlib import Path

import pytest

from retrieval.errors import ArchiveNotFound
from retrieval.ingest.folder import Folder
from retrieval.ingest.update import ingest
from retrieval.values import IngestReport, Listing
from tests.support.hashing import HashingEncoder
from tests.support.hostile import LEFT_OUT, hostile_folder
from tests.support.memory_index import MemoryIndex
from tests.support.parsing import InThread

ENCODER = HashingEncoder(64)


class Desk:
    """An archive of a few folders, and an index of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.index = MemoryIndex(ENCODER)

    def write(self, name: str, text: str = "") -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text or f"# Report {name}\n\nRats received QX-1001 10 mg/kg.")

    async def ingest(self, *, delete: bool = False) -> IngestReport:
        return await ingest(Folder(self.folder), self.index, ENCODER, InThread(), delete=delete)

    async def ids(self) -> list[str]:
        return [record.doc_id for record in await self.index.records()]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path / "archive")
    for n in range(4):
        made.write(f"sub/{n}.md")
        made.write(f"other/{n}.md")
    return made


async def test_an_emptied_folder_may_be_a_share_that_is_not_mounted(desk: Desk) -> None:
    await desk.ingest()
    for path in (desk.folder / "sub").iterdir():
        path.unlink()
    report = await desk.ingest()
    assert (report.deleted, report.kept) == ((), ("sub/0", "sub/1", "sub/2", "sub/3"))
    assert len(await desk.ids()) == 8
    assert (await desk.ingest(delete=True)).deleted == report.kept


async def test_a_source_without_any_file_deletes_nothing(desk: Desk) -> None:
    await desk.ingest()
    shutil.rmtree(desk.folder)
    (desk.folder / "sub").mkdir(parents=True)
    report = await desk.ingest()
    assert (report.deleted, len(report.kept)) == ((), 8)


async def test_a_folder_that_is_no_more_is_gone(desk: Desk) -> None:
    await desk.ingest()
    shutil.rmtree(desk.folder / "sub")
    assert len((await desk.ingest()).deleted) == 4


async def test_many_at_once_are_not_deleted_unasked(desk: Desk) -> None:
    for n in range(12):
        desk.write(f"more/{n}.md")
    await desk.ingest()
    for n in range(5):
        (desk.folder / f"more/{n}.md").unlink()
    report = await desk.ingest()
    assert (report.deleted, report.kept) == ((), tuple(f"more/{n}" for n in range(5)))
    (desk.folder / "more/5.md").unlink()
    desk.write("more/0.md")
    desk.write("more/1.md")
    assert (await desk.ingest()).deleted == ("more/2", "more/3", "more/4", "more/5")


async def test_a_folder_that_was_renamed_needs_no_question(desk: Desk) -> None:
    for n in range(8):
        desk.write(f"more/{n}.md")
    await desk.ingest()
    (desk.folder / "more").rename(desk.folder / "renamed")
    report = await desk.ingest()
    assert (len(report.added), len(report.deleted), report.kept) == (8, 8, ())


async def test_what_is_left_out_is_said(tmp_path: Path) -> None:
    folder = hostile_folder(tmp_path / "archive")
    report = await ingest(Folder(folder), MemoryIndex(ENCODER), ENCODER, InThread())
    assert report.added == ("a", "sub/b")
    assert {skipped.path: skipped.reason.split(".")[0] for skipped in report.skipped} == {
        "dangling.md": "The link leads nowhere",
        "loop.md": "The link leads to itself",
        "pipe.md": "It is a pipe or a device, not a file",
        "round": "The link leads to a folder, which is read in its own place",
        "to-sub": "The link leads to a folder, which is read in its own place",
    }
    assert sorted(skipped.path for skipped in report.skipped) == list(LEFT_OUT)


async def test_a_folder_that_became_a_link_keeps_its_documents(desk: Desk, tmp_path: Path) -> None:
    await desk.ingest()
    (desk.folder / "sub").rename(tmp_path / "elsewhere")
    (desk.folder / "sub").symlink_to(tmp_path / "elsewhere")
    report = await desk.ingest()
    assert (report.deleted, len(await desk.ids())) == ((), 8)


async def test_the_id_of_a_document_out_of_reach_is_not_taken_over(desk: Desk, tmp_path: Path) -> None:
    other = Desk(tmp_path / "share")
    other.index = desk.index
    other.write("r.md", "---\ndoc_id: R-1\n---\n# Report\n\nThe first text.")
    await other.ingest()
    shutil.rmtree(other.folder)  # not mounted any more
    with pytest.raises(ArchiveNotFound):
        await other.ingest()
    desk.write("r.md", "---\ndoc_id: R-1\n---\n# Report\n\nAnother text.")
    await desk.ingest()
    assert {"R-1", "R-1~2"} <= set(await desk.ids())


def test_what_a_look_tells_of_a_place() -> None:
    listing = Listing("/a/", (), unseen=("/a/closed/", "/a/x.md"), empty=("/a/empty/",))
    assert [listing.hides(place) for place in ("/a/closed/y.md", "/a/x.md", "/a/x.mdx")] == [
        True,
        True,
        False,
    ]
