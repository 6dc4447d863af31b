"""What is ingested, uploaded and kept, with real parsing processes."""

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path

import pytest

from adapters.files import ArchiveFiles
from retrieval.errors import StorageFull
from retrieval.ingest.folder import Folder
from retrieval.parse.pool import ParserPool
from tests.retrieval.parse import build
from tests.retrieval.parse.test_pool import Trap, note, scan
from tests.support.hashing import HashingEncoder
from tests.support.memory_index import MemoryIndex

ENCODER = HashingEncoder(64)


async def test_a_file_that_crashes_its_parser_is_reported_and_the_others_are_taken_in(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    archive.mkdir()
    for name in ("a.md", "c.md"):
        path = note(archive, name)
        path.write_text(f"{path.read_text()} {name}")
    scan(archive, name="b.tif")
    index, pool = MemoryIndex(ENCODER), ParserPool(Trap("crash"), workers=1)
    files = ArchiveFiles(tmp_path / "home", index, ENCODER, pool)
    report = await files.ingest(Folder(archive))
    await pool.close()
    assert report.added == ("a", "c")
    (skipped,) = report.skipped
    assert (skipped.path, "crashed its parser" in skipped.reason) == ("b.tif", True)
    assert not (tmp_path / "home" / "originals").exists()


async def test_an_upload_is_taken_in_under_a_safe_name_and_its_original_kept(tmp_path: Path) -> None:
    index, pool = MemoryIndex(ENCODER), ParserPool(workers=1)
    files = ArchiveFiles(tmp_path / "home", index, ENCODER, pool)
    data = build.report(tmp_path / "report.pdf").read_bytes()
    report = await files.add("../../report.pdf", BytesIO(data), "web:you")
    await pool.close()
    (record,) = await index.records()
    assert (report.added, record.path) == (
        (record.doc_id,),
        str(tmp_path / "home" / "uploads" / "report.pdf"),
    )
    original = files.original(record)
    assert original is not None
    assert original.read_bytes() == data


async def test_what_came_in_before_an_ingest_ended_early_is_told(tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text(f"# Report {name}\n\nThe dose was 4 mg.", encoding="utf-8")
    told = []

    async def on_record(by: str, **documents: Sequence[str]) -> None:
        told.append((by, {became: sorted(ids) for became, ids in documents.items() if ids}))

    index, pool = MemoryIndex(ENCODER), ParserPool(workers=1)
    files = ArchiveFiles(tmp_path / "home", index, ENCODER, pool, told=on_record)
    await files.ingest(Folder(tmp_path), by="cli:ada")
    (tmp_path / "a.md").write_text("# Report a.md\n\nThe dose was 5 mg.", encoding="utf-8")
    (tmp_path / "b.md").unlink()
    (tmp_path / "c.md").write_text("# Report c.md\n\nThe dose was 6 mg.", encoding="utf-8")

    async def full(*given: object, **named: object) -> None:
        raise StorageFull("The disk is full.")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("retrieval.ingest.update.embed_rest", full)
        with pytest.raises(StorageFull):
            await files.ingest(Folder(tmp_path), by="cli:ada")
    await pool.close()
    assert told == [
        ("cli:ada", {"added": ["a", "b"]}),
        ("cli:ada", {"added": ["c"], "changed": ["a"], "removed": ["b"]}),
    ]
