"""An index file that was emptied or garbled, and a disk that is full at the start: one sentence each."""

import os
import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.adapters.cli.conftest import QUESTION, Pestle, run
from tests.support.hostile import small_disk

__all__ = ["small_disk"]
COMMANDS = (("documents",), ("ask", QUESTION), ("check",))


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def another_database(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE people (name)")
        database.commit()


def without_a_table(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("DROP TABLE bodies")
        database.commit()


def without_meta(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("DELETE FROM meta")
        database.commit()


def garbled_records(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE documents SET record = '{\"doc_id\": 1', vectors = x'00'")
        database.execute("UPDATE meta SET value = value + 1 WHERE key = 'version'")
        database.commit()


def schema_garbled(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA writable_schema=ON")
        database.execute("UPDATE sqlite_master SET sql = 'CREATE TABLE (' WHERE name = 'documents'")
        database.commit()


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 3)


@pytest.mark.parametrize(
    "damage", [emptied, another_database, without_a_table, without_meta, garbled_records, schema_garbled, cut]
)
def test_a_damaged_index_is_told_with_its_file_and_what_to_do(
    home: Path, damage: Callable[[Path], None], pestle: Pestle
) -> None:
    damage(home / "archive.db")
    before = (home / "archive.db").read_bytes()
    for arguments in COMMANDS:
        ended = pestle(*arguments)
        assert (ended.code, ended.out, ended.err.count("\n")) == (1, "", 1), (arguments, ended)
        assert str(home / "archive.db") in ended.err
        assert "ingest the documents again" in ended.err
    if damage is not cut:  # SQLite may note in a file that it was looked at
        assert (home / "archive.db").read_bytes()[100:] == before[100:]


@pytest.mark.parametrize("seed", range(6))
def test_noise_in_an_index_is_no_unexpected_error(home: Path, seed: int, pestle: Pestle) -> None:
    chance = random.Random(seed)
    content = bytearray((home / "archive.db").read_bytes())
    for _ in range(3):
        first = chance.randrange(0, len(content) - 600)
        content[first : first + 500] = chance.randbytes(500)
    (home / "archive.db").write_bytes(bytes(content))
    for arguments in COMMANDS:
        ended = pestle(*arguments)
        assert "Unexpected" not in ended.err, ended.err


@pytest.mark.parametrize("left", [0, 40_000])
def test_a_disk_that_is_full_at_the_start(
    small_disk: Path, documents: Path, monkeypatch: pytest.MonkeyPatch, left: int
) -> None:
    monkeypatch.setenv("PESTLE_HOME", str(small_disk))
    (small_disk / "filler").write_bytes(b"x" * (256 * 1024 - 8192 - left))
    for arguments in (("ingest", str(documents)), ("documents",), ("ask", QUESTION), ("runs",)):
        ended = run(*arguments)
        assert ended.returncode == 5, (arguments, ended)
        assert "disk is full" in ended.stderr
        assert str(small_disk) in ended.stderr
    assert not (small_disk / "archive.db").exists()
