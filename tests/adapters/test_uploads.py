"""Uploads: no name meets another one, replacing is asked, and a file that is refused changes nothing."""

import asyncio
import tracemalloc
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

import httpx
import pytest
from starlette.applications import Starlette

from adapters.errors import NameTaken
from adapters.files import ArchiveFiles
from adapters.uploads import stored_name
from adapters.web.documents import documents_routes
from adapters.web.render import environment
from retrieval.errors import CorruptDocument
from tests.support.hashing import HashingEncoder
from tests.support.hostile import small_disk
from tests.support.memory.sources import MemorySources
from tests.support.memory_index import MemoryIndex
from tests.support.parsing import InThread

__all__ = ["small_disk"]

ENCODER = HashingEncoder(64)
ONE, OTHER = b"# QX-1001 in the rat\n\nOne.", b"# QX-1002 in the dog\n\nAnother."


class Desk:
    """The page's upload over an archive of its own."""

    def __init__(self, home: Path) -> None:
        self.uploads = home / "uploads"
        self.index = MemoryIndex(ENCODER)
        self.files = ArchiveFiles(home, self.index, ENCODER, InThread())
        routes = documents_routes(self.index, self.files, MemorySources(), environment())
        app = httpx.ASGITransport(Starlette(routes=routes))
        self._client = httpx.AsyncClient(transport=app, base_url="http://127.0.0.1")

    async def send(self, name: str, data: bytes | BinaryIO, **fields: str) -> httpx.Response:
        return await self._client.post("/documents", files={"file": (name, data)}, data=fields)

    async def texts(self) -> set[str]:
        found = [await self.index.document(record.doc_id) for record in await self.index.records()]
        return {document.text.rsplit("\n", 1)[-1].strip() for document in found if document}

    def stored(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.uploads.iterdir()}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "home")


NAMES = (
    "a_b.txt", "a?b.txt", "a:b.txt", "a%3Fb.txt", "a/b.txt", ".b.txt", "..b.txt", "b.txt.", "A b.txt",
    "a\x1bb.txt", "é.txt", "\ud800.txt", f"{'x' * 300}.txt", f"{'x' * 301}.txt", f"{'é' * 255}.txt",
    "a\nb.txt",
)  # fmt: skip


def test_each_name_has_a_file_name_of_its_own() -> None:
    stored = [stored_name(name) for name in NAMES]
    assert len(set(stored)) == len(NAMES)
    assert all(len(name.encode()) <= 255 and not name.startswith(".") for name in stored)
    assert all(name.isprintable() and "/" not in name for name in stored)
    assert stored_name("report 1.md") == "report 1.md"
    assert stored_name("..\\..\\x.md") == stored_name("/etc/x.md") == "x.md"
    for none in ("", "..", "a/", " "):
        with pytest.raises(CorruptDocument):
            stored_name(none)


async def test_names_that_a_disk_refuses_do_not_meet(desk: Desk) -> None:
    await desk.send("a?b.md", ONE)
    answer = await desk.send("a:b.md", OTHER)
    assert "is in the archive" in answer.json()["text"]
    assert await desk.texts() == {"One.", "Another."}


async def test_a_file_of_the_same_name_replaces_only_if_that_is_asked_for(desk: Desk) -> None:
    await desk.send("report.md", ONE)
    asked = (await desk.send("report.md", OTHER)).json()
    assert (asked["taken"], "another file named report.md" in asked["text"]) == (True, True)
    assert (await desk.texts(), desk.stored()) == ({"One."}, {"report.md": ONE})
    await desk.send("report.md", OTHER, replace="yes")
    assert (await desk.texts(), desk.stored()) == ({"Another."}, {"report.md": OTHER})
    assert "already" in (await desk.send("report.md", OTHER)).json()["text"]


async def test_a_refused_file_changes_nothing(desk: Desk) -> None:
    good = b"%PDF-1.4 cut"
    await desk.send("report.md", ONE)
    for data in (good, b""):
        answer = await desk.send("report.pdf", data)
        assert "was not taken" in answer.json()["text"]
    await desk.send("report.md", b"", replace="yes")
    assert (await desk.texts(), desk.stored()) == ({"One."}, {"report.md": ONE})


async def test_two_of_one_name_at_once_do_not_both_win(desk: Desk) -> None:
    adding = [desk.files.add("report.md", BytesIO(data), "web:you") for data in (ONE, OTHER)]
    both = await asyncio.gather(*adding, return_exceptions=True)
    assert sorted(type(end).__name__ for end in both) == ["IngestReport", NameTaken.__name__]
    assert len(await desk.texts()) == 1


async def test_a_large_file_is_never_whole_in_memory(desk: Desk, tmp_path: Path) -> None:
    large = tmp_path / "large.bin"
    with large.open("wb") as file:
        file.truncate(30_000_000)
    tracemalloc.start()
    try:
        with large.open("rb") as file:
            answer = await desk.send("large.bin", file)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "was not taken" in answer.json()["text"]
    assert most < 10_000_000


async def test_a_full_disk_is_told_and_leaves_no_empty_file(small_disk: Path) -> None:
    desk = Desk(small_disk)
    await desk.send("report.md", ONE)
    answer = await desk.send("report.md", OTHER * 50_000, replace="yes")
    assert (answer.status_code, "is full: report.md was not taken" in answer.text) == (507, True)
    assert (await desk.texts(), desk.stored()) == ({"One."}, {"report.md": ONE})
