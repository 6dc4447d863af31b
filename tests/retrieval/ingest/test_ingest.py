"""A folder goes in; only what changed is read again; nothing is lost."""

import asyncio
import errno
import os
import random
import shutil
import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import numpy as np
import pytest

from retrieval.errors import ArchiveNotFound, StorageFull, UnsupportedFormat
from retrieval.index.sqlite import SqliteIndex
from retrieval.ingest import batch_writer
from retrieval.ingest.folder import Folder
from retrieval.ingest.update import ingest, remove
from retrieval.ports import Index, Vectors
from retrieval.values import Document, ParsedFile
from tests.support.memory_index import MemoryIndex
from tests.support.parsing import InThread


class LengthEncoder:
    """Vectors that tell texts apart by length, and what was encoded."""

    name = "length"
    dimension = 2

    def __init__(self) -> None:
        self.batches: list[int] = []

    async def encode(self, texts: Sequence[str]) -> Vectors:
        self.batches.append(len(texts))
        angles = np.array([len(text) for text in texts], np.float32)
        return np.stack([np.cos(angles), np.sin(angles)], axis=1)

    def windows(self, texts: Sequence[str], heads: Sequence[str]) -> list[list[str]]:
        return [
            [f"{head}\n{part}" for part in (text[:1000], text[1000:]) if part]
            for text, head in zip(texts, heads, strict=True)
        ]


class Reader:
    """Reads Markdown, counts what it read, and knows `id: NAME` in a first line."""

    def __init__(self) -> None:
        self.read: Counter[str] = Counter()

    def __call__(self, path: Path) -> ParsedFile:
        self.read[path.name] += 1
        if path.suffix != ".md":
            raise UnsupportedFormat(f"{path.suffix} files cannot be read. Save it as PDF.")
        text = path.read_text()
        first, _, rest = text.partition("\n")
        if first.startswith("id: "):
            return ParsedFile(rest, (), {"doc_id": first[4:]})
        return ParsedFile(text)


class Desk:
    """A folder, an index and a reader."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.encoder = LengthEncoder()
        self.reader = Reader()
        self.parser = InThread(self.reader)
        self.index: Index = MemoryIndex(self.encoder)
        self.write("a.md", "# QRX-875 (lorafetib) in man\n\nPatients took QRX-875 5 mg. Lorafetib is new.")
        self.write("sub/b.md", "# QX-1001 in the rat\n\nRats received QX-1001 10 mg/kg.")

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    async def ids(self) -> list[str]:
        return [record.doc_id for record in await self.index.records()]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "archive")


async def test_a_folder_is_taken_in_once(desk: Desk) -> None:
    seen: list[tuple[int, int, str, int]] = []
    first = await ingest(
        Folder(desk.folder), desk.index, desk.encoder, desk.parser, progress=lambda *step: seen.append(step)
    )
    second = await ingest(Folder(desk.folder), desk.index, desk.encoder, desk.parser)
    assert first.added == ("a", "sub/b")
    assert [told[:3] for told in seen if told[2] in ("a.md", "sub/b.md")] == [
        (1, 2, "a.md"),
        (2, 2, "sub/b.md"),
    ]
    assert (second.added, second.unchanged, second.chunks) == ((), 2, 0)
    assert desk.reader.read == {"a.md": 1, "b.md": 1}
    assert [m.name for m in await desk.index.molecules()] == ["QRX-875", "QX-1001"]


async def test_changed_and_vanished_files(desk: Desk) -> None:
    await ingest(Folder(desk.folder), desk.index, desk.encoder, desk.parser)
    desk.write("a.md", "# QX-1014 in the dog\n\nDogs received QX-1014 1 mg/kg.")
    shutil.rmtree(desk.folder / "sub")
    report = await ingest(Folder(desk.folder), desk.index, desk.encoder, desk.parser)
    assert (report.updated, report.deleted) == (("a",), ("sub/b",))
    assert [(m.name, m.documents) for m in await desk.index.molecules()] == [("QX-1014", 1)]


async def test_without_prune_and_from_other_folders_documents_stay(desk: Desk, tmp_path: Path) -> None:
    await ingest(Folder(desk.folder), desk.index, desk.encoder, desk.parser)
    other = Desk(tmp_path / "other")
    other.write("c.md", "# QX-1030\n\nText.")
    await ingest(Folder(other.folder / "sub"), desk.index, desk.encoder, desk.parser)
    (desk.folder / "a.md").unlink()
    report = await ingest(Folder(desk.folder), desk.index, desk.encoder, desk.parser, prune=False)
    assert report.deleted == ()
    assert await desk.ids() == ["a", "b", "sub/b"]


async def test_a_later_document_explains_a_name_of_an_earlier_one(desk: Desk) -> None:
    desk.write("a.md", "# Study in man\n\nPatients took lorafetib and were well.")
    await ingest(Folder(desk.folder), desk.index, desk.encoder, desk.parser)
    desk.write("z.md", "# Notice\n\nThe name of QRX-875 (lorafetib) has been published.")
    desk.write("zz.md", "# Notice\n\nQRX-875 was renamed ZB-2107. ZB-2107 goes on. ZB-2107 is new.")
    await ingest(Folder(desk.folder), desk.index, desk.encoder, desk.parser)
    molecules = {record.doc_id: record.molecules for record in await desk.index.records()}
    assert molecules["a"] == molecules["z"] == molecules["zz"] == ("ZB-2107",)
    (renamed, _) = sorted(await desk.index.molecules(), key=lambda m: -m.documents)
    assert (renamed.name, renamed.aliases, renamed.documents) == ("ZB-2107", ("QRX-875", "lorafetib"), 3)


async def test_one_id_for_several_files_are_kept_apart(desk: Desk) -> None:
    desk.write("x.md", "id: R-1\n# QX-1001\n\nOne.")
    desk.write("y.md", "id: R-1\n# QX-1001\n\nTwo.")
    desk.write("z.md", "id: R-1\n# QX-1001\n\nThree.")
    report = await ingest(Folder(desk.folder), desk.index, desk.encoder, desk.parser)
    again = await ingest(Folder(desk.folder), desk.index, desk.encoder, desk.parser)
    assert report.added == ("a", "R-1", "R-1~2", "R-1~3", "sub/b")
    assert [warning.path for warning in report.warnings] == ["y.md", "z.md"]
    assert again.unchanged == 5


async def test_a_copy_in_the_same_place_is_no_second_document(desk: Desk) -> None:
    desk.write("x.md", "id: R-1\n# QX-1001\n\nOne.")
    desk.write("y.md", "id: R-1\n# QX-1001\n\nOne.")
    report = await ingest(Folder(desk.folder), desk.index, desk.encoder, desk.parser)
    assert [skipped.path for skipped in report.skipped] == ["y.md"]
    assert "R-1" in report.added


async def test_a_moved_file_keeps_its_id(desk: Desk) -> None:
    path = desk.write("x.md", "id: R-1\n# QX-1001\n\nOne.")
    await ingest(Folder(desk.folder), desk.index, desk.encoder, desk.parser)
    path.rename(desk.folder / "sub/moved.md")
    report = await ingest(Folder(desk.folder), desk.index, desk.encoder, desk.parser)
    assert (report.updated, report.deleted) == (("R-1",), ())


async def test_what_is_skipped_and_why(desk: Desk, tmp_path: Path) -> None:
    for name in (".hidden.md", "~$a.md", ".git/x.md", "a.md.tmp"):
        desk.write(name, "# Not seen")
    desk.write("c.zip", "PK")
    outside = tmp_path / "secret.md"
    outside.write_text("# Secret")
    (desk.folder / "link.md").symlink_to(outside)
    (desk.folder / "linked").symlink_to(tmp_path)
    report = await ingest(Folder(desk.folder), desk.index, desk.encoder, desk.parser)
    assert [skipped.path for skipped in report.skipped] == ["link.md", "linked", "c.zip"]
    assert report.added == ("a", "sub/b")


async def test_no_folder(desk: Desk) -> None:
    with pytest.raises(ArchiveNotFound, match="no folder"):
        await ingest(Folder(desk.folder / "nowhere"), desk.index, desk.encoder, desk.parser)
    with pytest.raises(ArchiveNotFound, match="no folder or file"):
        await ingest(Folder(desk.folder / "nowhere.md"), desk.index, desk.encoder, desk.parser)


async def test_an_upload_and_its_removal(desk: Desk, tmp_path: Path) -> None:
    await ingest(Folder(desk.folder), desk.index, desk.encoder, desk.parser)
    path = tmp_path / "upload.md"
    path.write_text("# QX-1030\n\nPatients took QX-1030.")
    report = await ingest(Folder(path), desk.index, desk.encoder, desk.parser)
    assert report.added == ("upload",)
    assert "QX-1030" in [m.name for m in await desk.index.molecules()]
    assert await remove("upload", desk.index)
    assert not await remove("upload", desk.index)
    assert "QX-1030" not in [m.name for m in await desk.index.molecules()]


async def test_chunks_of_several_documents_are_encoded_together(desk: Desk) -> None:
    for n in range(300):
        desk.write(f"many/{n:03}.md", f"# Report {n}\n\nText.")
    await ingest(Folder(desk.folder), desk.index, desk.encoder, desk.parser)
    assert sum(desk.encoder.batches) == 302
    assert desk.encoder.batches[0] == 64


class FullIndex(MemoryIndex):
    """An index on a disk with room for one batch."""

    @asynccontextmanager
    async def write(self):  # type: ignore[no-untyped-def]
        if await self.records():
            raise StorageFull("The disk is full.")
        async with super().write() as writer:
            yield writer


async def test_a_full_disk_keeps_what_was_complete(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_writer, "STORED_S", 0.0)
    index = FullIndex(desk.encoder)
    with pytest.raises(StorageFull, match=r"full\. Of this ingest 1 documents are kept\.$"):
        await ingest(Folder(desk.folder), index, desk.encoder, desk.parser)
    assert [record.doc_id for record in await index.records()] == ["a"]


async def test_an_interrupted_ingest_goes_on_where_it_was(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_writer, "STORED_S", 0.0)
    full = FullIndex(desk.encoder)
    with pytest.raises(StorageFull):
        await ingest(Folder(desk.folder), full, desk.encoder, desk.parser)
    desk.index = SqliteIndex(full._path, desk.encoder)  # the same store, with room again
    report = await ingest(Folder(desk.folder), desk.index, desk.encoder, desk.parser)
    assert (report.added, report.unchanged) == (("sub/b",), 1)
    assert [m.name for m in await desk.index.molecules()] == ["QRX-875", "QX-1001"]


class CountingIndex(MemoryIndex):
    """Counts transactions and the documents that were read whole."""

    transactions = 0
    documents_read = 0

    @asynccontextmanager
    async def write(self):  # type: ignore[no-untyped-def]
        self.transactions += 1
        async with super().write() as writer:
            yield writer

    async def document(self, doc_id: str) -> Document | None:
        self.documents_read += 1
        return await super().document(doc_id)


async def test_many_documents_are_stored_in_few_transactions(desk: Desk) -> None:
    index = CountingIndex(desk.encoder)
    for n in range(1100):
        desk.write(f"many/{n:04}.md", f"# Report {n}\n\nText.")
    report = await ingest(Folder(desk.folder), index, desk.encoder, desk.parser)
    assert len(report.added) == 1102
    assert index.transactions <= 1102 / 512 + 3


async def test_what_is_ready_is_stored_while_the_next_file_takes_long(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retrieval.ingest.update.STORED_S", 0.02)
    monkeypatch.setattr(batch_writer, "STORED_S", 0.02)
    go_on = threading.Event()

    def parse(path: Path) -> ParsedFile:
        if path.name == "b.md":
            go_on.wait(20)
        return desk.reader(path)

    ingesting = asyncio.create_task(ingest(Folder(desk.folder), desk.index, desk.encoder, InThread(parse)))
    for _ in range(1000):
        if not await desk.ids():
            await asyncio.sleep(0.01)
    assert await desk.ids() == ["a"]
    go_on.set()
    assert (await ingesting).added == ("a", "sub/b")


async def test_an_ingest_that_is_stopped_leaves_its_molecules_known(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_writer, "STORED_S", 0.0)

    def stopping(done: int, *_: object) -> None:
        if done:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await ingest(Folder(desk.folder), desk.index, desk.encoder, desk.parser, progress=stopping)
    assert await desk.ids() == ["a"]
    assert [m.name for m in await desk.index.molecules()] == ["QRX-875"]


async def test_a_new_name_lets_only_the_documents_that_have_it_be_read_again(desk: Desk) -> None:
    desk.index = index = CountingIndex(desk.encoder)
    for n in range(50):
        desk.write(f"many/{n:02}.md", f"# Report {n}\n\nPatients took QX-{2000 + n} 5 mg.")
    desk.write("few.md", "# Report\n\nPatients took pexilumab and were well.")
    await ingest(Folder(desk.folder), index, desk.encoder, desk.parser)
    index.documents_read = 0
    desk.write("new.md", "# Notice\n\nThe name of PX-3001 (pexilumab) has been published.")
    await ingest(Folder(desk.folder), index, desk.encoder, desk.parser)
    molecules = {record.doc_id: record.molecules for record in await index.records()}
    assert molecules["few"] == molecules["new"] == ("PX-3001",)
    assert index.documents_read == 1


NOTICES = (
    "Patients took lorafetib and were well. Rats received QX-1001 10 mg/kg.",
    "The name of QRX-875 (lorafetib) has been published.",
    "QRX-875 was renamed ZB-2107. ZB-2107 goes on. ZB-2107 is new.",
    "Dogs received QX 1001 1 mg/kg and qrx875 2 mg/kg.",
    "QX-1001, formerly KT-3004, is nominated. QX-1001 goes on.",
    "Men took KT-3004 5 mg and ZB2107.",
)


@pytest.mark.parametrize("seed", range(12))
async def test_records_end_up_the_same_in_whatever_order_documents_come_and_go(desk: Desk, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(6):
        n = chance.randrange(len(NOTICES))
        path = desk.write(f"n{n}.md", f"# Notice\n\n{NOTICES[n]}")
        if chance.random() < 0.3:
            path.unlink()
        await ingest(Folder(desk.folder), desk.index, desk.encoder, desk.parser)
    fresh = MemoryIndex(desk.encoder)
    await ingest(Folder(desk.folder), fresh, desk.encoder, desk.parser)
    assert await desk.index.molecules() == await fresh.molecules()
    assert await desk.index.records() == await fresh.records()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
async def test_no_space_while_parsing(desk: Desk, number: int) -> None:
    def parse(path: Path) -> ParsedFile:
        raise OSError(number, os.strerror(number))

    with pytest.raises(StorageFull):
        await ingest(Folder(desk.folder), desk.index, desk.encoder, InThread(parse))
