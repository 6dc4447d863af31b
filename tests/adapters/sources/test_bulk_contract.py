"""`Bulk`: the same answers from memory and from files in PESTLE_HOME."""

import gzip
import json
import os
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import pytest

from adapters.sources.bulk import BulkFolder
from agents.databases.bulk_format import BulkFormat, Row, table, under, with_columns
from agents.databases.memory import MemoryBulk
from agents.databases.ports import Bulk, BulkRelease
from agents.errors import ToolFailed, WrongFile

LINES = ("# genes of 2020", "symbol\tsynonyms\tlevel", "ABC1\tOLD1|Zz\t1.5", "ABC2\tOLD1\t", "ABC1\t\t7")


def parse(lines: Iterable[str]) -> Iterator[tuple[str, Row]]:
    for row in table(lines, "symbol", "level"):
        yield from under(row, row["symbol"], *row["synonyms"].split("|"))


def release(head: Sequence[str]) -> str:
    return head[0].rpartition(" ")[2] if head[0].startswith("#") else ""


FORM = BulkFormat(
    "genes",
    "genes.tsv",
    "https://example.org",
    "symbol, level",
    with_columns("symbol", "level"),
    parse,
    release,
)
Load = Callable[[Sequence[str]], tuple[Bulk, BulkRelease]]


@pytest.fixture(params=["memory", "plain", "gz", "zip"])
def load(request: pytest.FixtureRequest, tmp_path: Path) -> Load:
    memory, folder = MemoryBulk(), BulkFolder(tmp_path / "databases")

    def into_memory(lines: Sequence[str]) -> tuple[Bulk, BulkRelease]:
        return memory, memory.load(FORM, lines)

    def into_folder(lines: Sequence[str]) -> tuple[Bulk, BulkRelease]:
        path = written(tmp_path / f"genes.{request.param}", "\n".join(lines))
        return folder, folder.load(FORM, [path])

    return into_memory if request.param == "memory" else into_folder


def written(path: Path, text: str) -> Path:
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    elif path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("genes.tsv", text)
    else:
        path.write_text(text, "utf-8")
    return path


async def test_rows_are_found_by_any_of_their_keys_in_any_case_and_in_the_files_order(load: Load) -> None:
    bulk, loaded = load(LINES)
    assert [row["level"] for row in await bulk.rows("genes", "abc1")] == ["1.5", "7"]
    assert [row["symbol"] for row in await bulk.rows("genes", "OLD1")] == ["ABC1", "ABC2"]
    assert await bulk.rows("genes", "zZ") == ({"symbol": "ABC1", "synonyms": "OLD1|Zz", "level": "1.5"},)
    assert list(await bulk.keys("genes")) == ["ABC1", "OLD1", "Zz", "ABC2"]
    assert (loaded.source, loaded.release, loaded.rows) == ("genes", "2020", 3)
    assert bulk.release("genes") == loaded


async def test_what_is_not_there_is_nothing(load: Load) -> None:
    bulk, _ = load(LINES)
    assert await bulk.rows("genes", "NONE") == ()
    assert await bulk.rows("other", "ABC1") == ()
    assert await bulk.keys("other") == ()
    assert bulk.release("other") is None


async def test_a_newer_file_takes_the_place_of_the_older_one_whole(load: Load) -> None:
    load(LINES)
    bulk, loaded = load(("symbol\tsynonyms\tlevel", "ABC3\t\t9"))
    assert await bulk.rows("genes", "ABC1") == ()
    assert await bulk.keys("genes") == ("ABC3",)
    assert (loaded.release, loaded.rows) == ("", 1)


def test_what_a_load_that_was_killed_left_is_swept(tmp_path: Path) -> None:
    old, new = tmp_path / "genes.0000.new", tmp_path / "genes.0001.new"
    for left in (old, new):
        left.write_text("half")
    os.utime(old, (1, 1))
    file = tmp_path / "genes.tsv"
    file.write_text("\n".join(LINES))
    BulkFolder(tmp_path).load(FORM, [file])
    assert (old.exists(), new.exists()) == (False, True)


async def test_another_kind_of_file_changes_nothing(load: Load) -> None:
    bulk, loaded = load(LINES)
    for wrong in (("name\tlevel", "x\t1"), ("symbol\tlevel",), ()):
        with pytest.raises(WrongFile):
            load(wrong)
    assert bulk.release("genes") == loaded
    assert len(await bulk.rows("genes", "ABC1")) == 2


class TestFiles:
    def test_the_error_says_what_was_found_and_what_was_expected(self, tmp_path: Path) -> None:
        path = written(tmp_path / "x.tsv", "name\tvalue\nA\t1\n")
        with pytest.raises(
            WrongFile, match=r"begins with 'name\\tvalue'; genes.tsv from https://example.org"
        ):
            BulkFolder(tmp_path).load(FORM, [path])

    def test_a_file_that_was_cut_short_is_refused(self, tmp_path: Path) -> None:
        many = "\n".join((*LINES, *(f"GENE{n}\t\t{n * 7919}" for n in range(3000))))
        path = tmp_path / "cut.gz"
        path.write_bytes(gzip.compress(many.encode())[:-2000])
        folder = BulkFolder(tmp_path / "databases")
        with pytest.raises(WrongFile, match="damaged or was not fetched whole"):
            folder.load(FORM, [path])
        assert folder.release("genes") is None
        assert list((tmp_path / "databases").iterdir()) == []

    def test_a_zip_with_several_files_is_refused(self, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
            archive.writestr("a.tsv", "symbol\tlevel")
            archive.writestr("b.tsv", "symbol\tlevel")
        with pytest.raises(WrongFile, match=r"holds 2 files \(a.tsv, b.tsv\)"):
            BulkFolder(tmp_path).load(FORM, [tmp_path / "two.zip"])

    def test_a_binary_file_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "x").write_bytes(b"\0\1\2\3" * 100)
        with pytest.raises(WrongFile, match="no text"):
            BulkFolder(tmp_path).load(FORM, [tmp_path / "x"])

    async def test_a_file_in_parts_is_one(self, tmp_path: Path) -> None:
        parts = [
            written(tmp_path / f"part-{n}.tsv", f"symbol\tsynonyms\tlevel\nP{n}\t\t{n}") for n in range(3)
        ]
        folder = BulkFolder(tmp_path / "databases")
        loaded = folder.load(FORM, parts, "2021")
        assert (loaded.rows, loaded.release) == (3, "2021")
        assert len(await folder.rows("genes", "P2")) == 1

    async def test_what_is_damaged_says_how_to_mend_it(self, tmp_path: Path) -> None:
        folder = BulkFolder(tmp_path / "databases")
        folder.load(FORM, [written(tmp_path / "x.tsv", "\n".join(LINES))])
        (tmp_path / "databases" / "genes.db").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
        loaded = folder.release("genes")
        assert loaded is not None
        assert loaded.rows == 0
        with pytest.raises(ToolFailed, match="pestle sources load genes FILE"):
            await folder.rows("genes", "ABC1")

    async def test_rows_of_parquet_come_as_lines_of_json(self, tmp_path: Path) -> None:
        pyarrow = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        rows = [
            {"symbol": "ABC1", "list": [{"a": 1}], "none": None},
            {"symbol": "ABC2", "list": [], "none": "x"},
        ]
        parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "x.parquet")
        from adapters.sources.lines import lines

        assert [json.loads(line) for line in lines(tmp_path / "x.parquet")] == rows
