"""Parsing in processes: on all cores, within limits, and a file that ends its process costs only itself."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from PIL import Image

from retrieval.errors import CorruptDocument, DocumentTooLarge, ParserDied, RetrievalError, UnsupportedFormat
from retrieval.parse import child, pool, wire
from retrieval.parse.limits import Limits
from retrieval.parse.pool import ParserPool
from retrieval.values import Document
from tests.journey.waiting import wait_for


class Trap:
    """An engine for scanned pages that does a deed. Pickled into children."""

    name = "trap"

    def __init__(self, deed: str) -> None:
        self.deed = deed

    def read(self, image_png: bytes) -> str:
        if self.deed == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        if self.deed == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.deed == "hang":
            while True:
                pass
        if self.deed == "swell":
            bytearray(3 * 2**30)
        if self.deed == "slow":
            time.sleep(0.8)
        if self.deed == "forge":
            os.write(1, b"noise that a library prints")
        return "What the page says."


@pytest.fixture
async def pools() -> AsyncIterator[list[ParserPool]]:
    made: list[ParserPool] = []
    yield made
    for one in made:
        await one.close()


def scan(folder: Path, pages: int = 1, name: str = "scan.tif") -> Path:
    frames = [Image.new("L", (50, 50), 30 * n) for n in range(pages)]
    frames[0].save(folder / name, "TIFF", save_all=True, append_images=frames[1:])
    return folder / name


def note(folder: Path, name: str = "note.md") -> Path:
    path = folder / name
    path.write_text("# QX-1001 in the rat\n\nRats received QX-1001 10 mg/kg.", "utf-8")
    return path


def children() -> set[str]:
    """This process's children, as Linux tells them."""
    return {name for path in Path("/proc/self/task").glob("*/children") for name in path.read_text().split()}


async def parsed(one: ParserPool, path: Path) -> Document:
    return await one.parse(path, f"sub/{path.name}", "0" * 64)


async def test_a_document_comes_back_with_its_record(pools: list[ParserPool], tmp_path: Path) -> None:
    pools.append(one := ParserPool())
    document = await parsed(one, note(tmp_path))
    assert document.text.startswith("# QX-1001")
    assert document.record.path == "sub/note.md"
    assert document.record.molecules == ("QX-1001",)


async def test_errors_come_back_as_what_they_are(pools: list[ParserPool], tmp_path: Path) -> None:
    pools.append(one := ParserPool())
    (tmp_path / "a.zip").write_bytes(b"PK")
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.4 cut")
    with pytest.raises(UnsupportedFormat, match="Save it as one of"):
        await parsed(one, tmp_path / "a.zip")
    with pytest.raises(CorruptDocument, match=r"b\.pdf"):
        await parsed(one, tmp_path / "b.pdf")


@pytest.mark.parametrize(
    ("deed", "told"),
    [("crash", "crashed its parser"), ("killed", "memory ran out"), ("hang", "given up after 6 s")],
)
async def test_a_file_that_ends_its_process_costs_only_itself(
    pools: list[ParserPool], tmp_path: Path, deed: str, told: str
) -> None:
    pools.append(one := ParserPool(Trap(deed), workers=1, seconds=6))
    with pytest.raises(ParserDied, match=told):
        await parsed(one, scan(tmp_path))
    assert (await parsed(one, note(tmp_path))).text


async def test_a_file_that_wants_too_much_memory_is_refused(pools: list[ParserPool], tmp_path: Path) -> None:
    pools.append(one := ParserPool(Trap("swell"), workers=1, memory_mb=2048))
    with pytest.raises(DocumentTooLarge, match="memory"):
        await parsed(one, scan(tmp_path))
    assert (await parsed(one, note(tmp_path))).text


async def test_each_scanned_page_may_take_its_time(pools: list[ParserPool], tmp_path: Path) -> None:
    pools.append(one := ParserPool(Trap("slow"), workers=1, seconds=6))
    assert (await parsed(one, scan(tmp_path, pages=9))).record.page_count == 9


async def test_what_a_library_prints_does_not_get_between_the_replies(
    pools: list[ParserPool], tmp_path: Path
) -> None:
    pools.append(one := ParserPool(Trap("forge"), workers=1))
    assert "What the page says." in (await parsed(one, scan(tmp_path))).text


async def test_each_page_is_told(pools: list[ParserPool], tmp_path: Path) -> None:
    pools.append(one := ParserPool(Trap("slow"), workers=1))
    told: list[tuple[int, int]] = []
    path = scan(tmp_path, 3)
    await one.parse(path, path.name, "0" * 64, lambda *page: told.append(page))
    assert told == [(1, 3), (2, 3), (3, 3)]


async def test_files_are_parsed_side_by_side(pools: list[ParserPool], tmp_path: Path) -> None:
    pools.append(one := ParserPool(Trap("slow"), workers=3))
    scans = [scan(tmp_path, 2, f"{n}.tif") for n in range(3)]
    while one._held_back:
        await asyncio.gather(*(parsed(one, path) for path in scans))
    began = time.perf_counter()
    await asyncio.gather(*(parsed(one, path) for path in scans))
    assert time.perf_counter() - began < 3 * 1.6 - 0.4


async def test_a_few_small_files_need_one_process(
    pools: list[ParserPool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "GROW_S", 30)
    pools.append(one := ParserPool(workers=4))
    paths = [note(tmp_path, f"{n}.md") for n in range(6)]
    assert len(await asyncio.gather(*(parsed(one, path) for path in paths))) == 6
    assert one._free.qsize() == 1


async def test_a_process_is_replaced_after_some_files(
    pools: list[ParserPool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "FILES_PER_CHILD", 2)
    pools.append(one := ParserPool(workers=1))
    for _ in range(5):
        assert (await parsed(one, note(tmp_path))).text


async def test_a_parse_that_is_cancelled_leaves_no_process_behind(
    pools: list[ParserPool], tmp_path: Path
) -> None:
    pools.append(one := ParserPool(Trap("hang"), workers=1))
    await parsed(one, note(tmp_path))
    running = asyncio.create_task(parsed(one, scan(tmp_path)))
    await asyncio.sleep(0.3)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert one._free.get_nowait() is None


async def test_a_file_that_is_parsed_while_the_pool_is_closed_is_given_up(tmp_path: Path) -> None:
    one = ParserPool(Trap("hang"), workers=1)
    await parsed(one, note(tmp_path))
    running = asyncio.create_task(parsed(one, scan(tmp_path)))
    await asyncio.sleep(0.3)
    await one.close()
    async with asyncio.timeout(10):
        with pytest.raises(ParserDied):
            await running
    await one.close()


async def test_a_start_that_is_cancelled_leaves_no_process_behind(
    pools: list[ParserPool], tmp_path: Path
) -> None:
    pools.append(one := ParserPool(workers=1))
    before = children()
    running = asyncio.create_task(parsed(one, note(tmp_path)))
    await asyncio.to_thread(wait_for, lambda: bool(children() - before), 10, "a process")
    await asyncio.sleep(0.02)  # it runs, and has not said yet that it is ready
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert children() == before
    assert (await parsed(one, note(tmp_path))).text


async def test_a_process_that_cannot_be_started_is_not_blamed_on_the_file(
    pools: list[ParserPool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "missing"))
    pools.append(one := ParserPool(workers=1))
    with pytest.raises(RetrievalError, match="PESTLE_INGEST_WORKERS"):
        await parsed(one, note(tmp_path))


def test_a_system_without_a_limit_of_memory_is_worked_without(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr("resource.setrlimit", refused)
    child.limit_memory(512)


def test_a_file_that_the_rules_stumble_over_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stumbling(*_: object) -> Document:
        raise ValueError("odd")

    monkeypatch.setattr(child, "document", stumbling)
    request = {"path": str(note(tmp_path)), "name": "note.md", "sha256": "0" * 64}
    assert "ValueError" in child.answer(request, None, Limits())["message"]


@pytest.mark.parametrize(
    "reply",
    [
        {},
        {"record": {}, "text": "", "pages": []},
        {"record": "{}", "text": "", "pages": []},
        {"error": [], "message": ""},
    ],
)
def test_a_reply_that_no_sound_process_gives_is_refused(reply: dict[str, object]) -> None:
    with pytest.raises(wire.UNSOUND):
        wire.to_answer(reply)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a pipe stands for a picture that takes for ever")
async def test_a_picture_that_takes_for_ever_is_given_up(pools: list[ParserPool], tmp_path: Path) -> None:
    pools.append(one := ParserPool(workers=1, seconds=2))
    os.mkfifo(tmp_path / "endless.png")
    began = time.monotonic()
    with pytest.raises(ParserDied, match="given up"):
        await one.draw(tmp_path / "endless.png", 1, [])
    assert time.monotonic() - began < 30
    assert (await one.draw(scan(tmp_path), 1, [])).startswith(b"\x89PNG")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a pipe stands for a picture that takes for ever")
@pytest.mark.parametrize("started", [False, True])
async def test_ending_does_not_wait_for_a_picture(tmp_path: Path, started: bool) -> None:
    one = ParserPool(workers=1)
    os.mkfifo(tmp_path / "endless.png")
    drawing = asyncio.create_task(one.draw(tmp_path / "endless.png", 1, []))
    before = children()
    await asyncio.to_thread(
        wait_for, lambda: bool(one._busy if started else children() - before), 60, "a process"
    )
    began = time.monotonic()
    await one.close()
    with pytest.raises(RetrievalError):
        await drawing
    assert time.monotonic() - began < 15


@pytest.mark.parametrize(("page", "quotes"), [(2, []), (10**30, []), (1, ["a\x00b", "\ud800"])])
async def test_a_page_that_is_not_there_is_no_end_of_the_process(
    pools: list[ParserPool], tmp_path: Path, page: int, quotes: list[str]
) -> None:
    pools.append(one := ParserPool(workers=1))
    if page == 1:
        assert (await one.draw(scan(tmp_path), page, quotes)).startswith(b"\x89PNG")
    else:
        with pytest.raises(CorruptDocument):
            await one.draw(scan(tmp_path), page, quotes)
