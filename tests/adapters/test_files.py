"""What is ingested, uploaded and kept, with real parsing processes."""

from io import BytesIO
from pathlib import Path

from adapters.files import ArchiveFiles
from retrieval.embed.hashing import HashingEncoder
from retrieval.index.memory import MemoryIndex
from retrieval.ingest.folder import Folder
from retrieval.parse.pool import ParserPool
from tests.retrieval.parse import build
from tests.retrieval.parse.test_pool import Trap, note, scan

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
    report = await files.add("../../report.pdf", BytesIO(data))
    await pool.close()
    (record,) = await index.records()
    assert (report.added, record.path) == (
        (record.doc_id,),
        str(tmp_path / "home" / "uploads" / "report.pdf"),
    )
    original = files.original(record)
    assert original is not None
    assert original.read_bytes() == data
