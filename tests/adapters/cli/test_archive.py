"""`ingest`, `documents`, `remove`: also over files and indexes that are not right."""

import json
import shlex
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from adapters.files import ArchiveFiles
from adapters.storage.schema import LACKS_TABLES, VERSION
from retrieval.errors import StorageFull
from tests.adapters.cli.conftest import QUESTION, Pestle
from tests.adapters.sources.conftest import NAME, address, store

__all__ = ["address", "store"]


def test_documents_come_and_go(pestle: Pestle, home: Path, documents: Path) -> None:
    assert "KP-MIN-02" in pestle("documents").out
    removed = pestle("remove", "KP-MIN-02")
    assert removed.code == 0
    listed = json.loads(pestle("documents", "--json").out)["documents"]
    assert [record["doc_id"] for record in listed] == ["KP-CL-01"]
    assert pestle("remove", "KP-MIN-02").code == 3
    undo = shlex.split(removed.out.partition("Undo: pestle ")[2])
    assert json.loads(pestle(*undo, "--json").out)["added"] == ["KP-MIN-02"]


def test_records_are_listed_by_what_is_known_of_them(pestle: Pestle, home: Path, documents: Path) -> None:
    rows = json.loads(pestle("records", "--json").out)
    assert rows["total"] == 2
    molecule = rows["rows"][0]["molecules"][0]
    found = json.loads(pestle("records", "--molecule", molecule, "--most", "1", "--json").out)
    assert (found["total"], len(found["rows"])) == (2, 1)
    assert "KP-MIN-02" in pestle("records", "minutes").out
    assert "No documents in the archive meet that" in pestle("records", "--year", "1871").out


def test_an_empty_archive_and_no_runs_are_said_in_words(pestle: Pestle) -> None:
    assert "pestle ingest" in pestle("documents").out
    assert "No runs yet" in pestle("runs").out


def test_one_file_can_be_ingested(pestle: Pestle, documents: Path) -> None:
    ended = pestle("ingest", str(documents / "KP-CL-01.md"))
    assert ended.code == 0
    assert ended.out.startswith("1 added")


def test_what_is_not_there_or_not_readable_is_told(pestle: Pestle, tmp_path: Path) -> None:
    missing = pestle("ingest", str(tmp_path / "none"))
    assert (missing.code, "There is no folder" in missing.err) == (3, True)
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4 cut")
    broken = pestle("ingest", str(tmp_path))
    assert (broken.code, "could be read" in broken.err) == (3, True)
    assert "Skipped: broken.pdf is" in broken.out


def test_broken_documents_do_not_hold_up_the_others(pestle: Pestle, documents: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.docx").touch()
    (tmp_path / "good.md").write_bytes((documents / "KP-CL-01.md").read_bytes())
    ended = pestle("ingest", str(tmp_path))
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("1 added")
    assert "Skipped: empty.docx" in ended.out


def test_a_damaged_index_is_named_with_what_to_do(pestle: Pestle, home: Path) -> None:
    (home / "archive.db").write_bytes(b"no database at all" * 400)
    for arguments in (("ask", QUESTION), ("documents",)):
        ended = pestle(*arguments)
        assert (ended.code, "is damaged" in ended.err, ended.out) == (1, True, "")


def test_a_database_of_a_newer_version_is_left_alone(pestle: Pestle, home: Path) -> None:
    pestle("runs")
    with sqlite3.connect(home / "pestle.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    ended = pestle("runs")
    assert (ended.code, "a newer Pestle has written it" in ended.err) == (6, True)


def test_the_tables_go_back_by_one_version_once_that_is_confirmed(pestle: Pestle, home: Path) -> None:
    assert pestle("settings", "back", stdin=b"n\n").code == 1

    def version() -> str:
        with sqlite3.connect(home / "pestle.db") as database:
            (found,) = database.execute("SELECT version_num FROM alembic_version").fetchone()
        database.close()
        return str(found)

    assert version() == VERSION
    assert pestle("settings", "back", stdin=b"y\n").code == 0
    assert version() == LACKS_TABLES[-1]
    assert pestle("runs").code == 0
    assert version() == VERSION


def test_missing_weights_say_how_to_get_them(
    pestle: Pestle, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PESTLE_INDEX_WEIGHTS", str(tmp_path))
    ended = pestle("ask", QUESTION)
    assert (ended.code, "pip install" in ended.err) == (1, True)


@pytest.mark.parametrize("error", [StorageFull("The disk is full."), OSError(28, "No space left on device")])
def test_a_full_disk_has_its_own_code(
    pestle: Pestle, documents: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async def full(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(ArchiveFiles, "ingest", full)
    ended = pestle("ingest", str(documents))
    assert (ended.code, "disk is full" in ended.err) == (5, True)


def test_an_unexpected_error_is_one_line_and_a_traceback_only_with_v(
    pestle: Pestle, documents: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failing(*_: object, **__: object) -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr(ArchiveFiles, "ingest", failing)
    ended = pestle("ingest", str(documents))
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert "ZeroDivisionError" in ended.err


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("eval", "archive", "/no/such/folder"), 3, "question set"),
        (("worker",), 2, "PESTLE_REDIS_URL"),
        (("bot",), 2, "PESTLE_REDIS_URL"),
        (("no-such-command",), 2, "No such command"),
    ],
)
def test_wrong_use_is_told(pestle: Pestle, arguments: tuple[str, ...], code: int, told: str) -> None:
    ended = pestle(*arguments)
    assert (ended.code, told in ended.err, ended.out) == (code, True, "")


def test_a_bucket_is_ingested_with_the_keys_of_the_settings(
    pestle: Pestle, documents: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, store: Any
) -> None:
    for path in documents.iterdir():
        store.upload_file(str(path), NAME, f"2024/{path.name}")
    values = {"ENDPOINT": address, "REGION": "us-east-1", "ACCESS_KEY": "key", "SECRET_KEY": "secret"}
    for name, value in values.items():
        monkeypatch.setenv(f"PESTLE_S3_{name}", value)
    monkeypatch.setenv("PESTLE_HOME", str(tmp_path / "home"))
    assert pestle("ingest", f"s3://{NAME}/2024").out.startswith("2 added")
    assert "0 added, 0 updated, 2 unchanged" in pestle("ingest", f"s3://{NAME}/2024").out
    nowhere = pestle("ingest", "s3://nowhere")
    assert (nowhere.code, "no bucket nowhere" in nowhere.err) == (3, True)
    monkeypatch.setenv("PESTLE_S3_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setattr("adapters.sources.s3.ATTEMPTS", 1)
    down = pestle("ingest", f"s3://{NAME}")
    assert (down.code, "PESTLE_S3_ENDPOINT" in down.err, "secret" in down.err) == (6, True, False)
