"""What only a file on a disk can go through: other processes, a killed one, a full disk, damage."""

import asyncio
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from retrieval.errors import EncoderMismatch, IndexBusy, IndexDamaged, StorageFull
from retrieval.index.sqlite import SqliteIndex
from retrieval.values import Filters, SearchRequest
from tests.retrieval.contracts.test_index import ENCODER, chunked, document, meaning, store, words
from tests.support.hashing import HashingEncoder

WRITE_FOREVER = """
import asyncio, sys
from pathlib import Path
from retrieval.index.sqlite import SqliteIndex
from tests.retrieval.contracts.test_index import ENCODER, document, store

async def main():
    index = SqliteIndex(Path(sys.argv[1]), ENCODER)
    for number in range(100_000):
        texts = (f"finding {number} part {n} " + "rat " * 200 for n in range(5))
        await store(index, document(f"D{number:05}", *texts))
        print(number, flush=True)

asyncio.run(main())
"""


def open_index(path: Path, wait_seconds: float = 0.1) -> SqliteIndex:
    return SqliteIndex(path, ENCODER, wait_seconds)


async def assert_sound(path: Path, complete: int) -> None:
    """The file passes SQLite's checks and holds the first documents wholly, with at most one more."""
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        connection.execute("INSERT INTO lexicon (lexicon) VALUES ('integrity-check')")
    index = open_index(path)
    records = await index.records()
    assert len(records) in (complete, complete + 1)
    for number in (0, complete - 1):
        assert len(await words(index, f"finding {number}")) > 0
    assert len(await meaning(index, "rat", limit=10**6)) == 5 * len(records)
    await store(index, document("after", "life goes on"))
    await index.close()


def kill_after(path: Path, documents: int) -> int:
    """Documents that a writing process said to be complete before it was killed with signal 9."""
    command = [sys.executable, "-c", WRITE_FOREVER, str(path)]
    writer = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    said = [writer.stdout.readline() for _ in range(documents)]
    writer.send_signal(signal.SIGKILL)
    rest, _ = writer.communicate()
    return len(said) + len(rest.split())


def fill(path: Path, size: int) -> tuple[int, str]:
    """Documents that a process completed before its files reached `size` bytes, and what it said then."""
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))\n{WRITE_FOREVER}"
    command = [sys.executable, "-c", limited, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    return len(done.stdout.split()), done.stderr


@pytest.mark.parametrize("documents", [1, 7, 30])
async def test_a_killed_writer_leaves_the_last_complete_document(tmp_path: Path, documents: int) -> None:
    path = tmp_path / "index.sqlite"
    complete = await asyncio.to_thread(kill_after, path, documents)
    await assert_sound(path, complete)


async def test_a_full_disk_keeps_what_was_complete(tmp_path: Path) -> None:
    path = tmp_path / "index.sqlite"
    complete, error = await asyncio.to_thread(fill, path, 2_000_000)
    assert StorageFull.__name__ in error
    assert "Free some space" in error
    await assert_sound(path, complete)


async def test_a_second_writer_is_told_to_wait_and_readers_are_not_held_up(tmp_path: Path) -> None:
    first, second = open_index(tmp_path / "i.sqlite"), open_index(tmp_path / "i.sqlite")
    await store(first, document("A", "the kidney finding"))
    async with first.write() as writer:
        await writer.delete("A")
        with pytest.raises(IndexBusy, match="Wait until it has finished"):
            await store(second, document("B", "the liver finding"))
        assert await words(second, "kidney") == ["A#0"]
    await store(second, document("B", "the liver finding"))
    assert [record.doc_id for record in await first.records()] == ["B"]
    await first.close()
    await second.close()


async def test_what_another_process_writes_is_found_at_the_next_search(tmp_path: Path) -> None:
    reader, writer = open_index(tmp_path / "i.sqlite"), open_index(tmp_path / "i.sqlite")
    await store(writer, document("A", "kidney one"), document("B", "liver two", "liver three"))
    assert (await meaning(reader, "kidney one"))[0] == "A#0"
    async with writer.write() as transaction:
        await transaction.delete("A")
    await store(writer, document("B", "liver three again"), document("C", "spleen four", "spleen five"))
    assert set(await meaning(reader, "spleen four")) == {"B#0", "C#0", "C#1"}
    assert await reader.dense((await ENCODER.encode(["spleen five"]))[0], Filters(doc_ids=("C",)), 1) == [
        ("C#1", 1.0)
    ]
    await reader.close()
    await writer.close()


async def test_a_cancelled_writer_leaves_the_index_free(tmp_path: Path) -> None:
    index = open_index(tmp_path / "i.sqlite")
    inside = asyncio.Event()

    async def write_and_hang() -> None:
        async with index.write() as writer:
            one = document("A", "the kidney finding")
            await writer.put(one, chunked(one), await ENCODER.encode(["x"]))
            inside.set()
            await asyncio.sleep(60)

    task = asyncio.create_task(write_and_hang())
    await inside.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await store(index, document("B", "the liver finding"))
    assert [record.doc_id for record in await index.records()] == ["B"]
    await index.close()


async def test_another_encoder_is_refused(tmp_path: Path) -> None:
    await open_index(tmp_path / "i.sqlite").close()
    with pytest.raises(EncoderMismatch, match=r"hashing-64 .*hashing-32"):
        SqliteIndex(tmp_path / "i.sqlite", HashingEncoder(32))


async def test_an_index_of_another_version_is_refused(tmp_path: Path) -> None:
    await open_index(tmp_path / "i.sqlite").close()
    with sqlite3.connect(tmp_path / "i.sqlite") as connection:
        connection.execute("UPDATE meta SET value = 99 WHERE key = 'schema'")
    with pytest.raises(IndexDamaged, match="another version"):
        open_index(tmp_path / "i.sqlite")


async def test_a_file_that_is_no_index_is_refused(tmp_path: Path) -> None:
    (tmp_path / "i.sqlite").write_bytes(b"certainly not a database" * 100)
    with pytest.raises(IndexDamaged, match="not an index"):
        open_index(tmp_path / "i.sqlite")


async def test_a_file_damaged_in_the_middle_says_so(tmp_path: Path) -> None:
    path = tmp_path / "i.sqlite"
    index = open_index(path)
    await store(index, *(document(f"D{n}", f"finding {n} " + "rat " * 500) for n in range(50)))
    await index.close()
    content = bytearray(path.read_bytes())
    content[4096 * 2 :] = b"\xff" * (len(content) - 4096 * 2)
    path.write_bytes(bytes(content))
    index = open_index(path)
    with pytest.raises(IndexDamaged, match="ingest the documents again"):
        await index.lexical(SearchRequest("finding rat"))
    await index.close()
