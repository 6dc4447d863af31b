"""Documents in a bucket, over HTTP, as from a folder."""

import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from adapters.data_sections import S3Settings
from adapters.errors import SettingsError
from adapters.files import ArchiveFiles
from adapters.sources import source
from adapters.sources.s3 import Bucket
from retrieval.errors import ArchiveNotFound, SourceDown
from retrieval.ingest.update import ingest
from retrieval.parse.limits import Limits
from retrieval.parse.page_image import page_png
from tests.adapters.sources.conftest import NAME
from tests.retrieval.parse import build
from tests.support.hashing import HashingEncoder
from tests.support.memory_index import MemoryIndex
from tests.support.parsing import InThread

ENCODER = HashingEncoder(64)
TEXT = b"# QX-1001 in the rat\n\nRats received QX-1001 10 mg/kg."
ODD = ("ä ö/%20 #?&+.md", "a//b.md", "日本語.md", 'quo\'te "d".md')


def put(store: Any, key: str, body: bytes = TEXT) -> None:
    store.put_object(Bucket=NAME, Key=key, Body=body)


class Counted(Bucket):
    """A bucket that counts what it fetches."""

    fetched = 0

    def _fetch(self, key: str, path: Path) -> None:
        self.fetched += 1
        super()._fetch(key, path)


async def test_objects_come_change_and_go(store: Any, settings: S3Settings) -> None:
    put(store, "2024/a.md")
    put(store, "b.md", b"# QX-1002 in the dog\n\nDogs received QX-1002 1 mg/kg.")
    index, bucket = MemoryIndex(ENCODER), Counted(NAME, settings)
    first = await ingest(bucket, index, ENCODER, InThread())
    assert first.added == ("2024/a", "b")
    put(store, "2024/a.md", b"# QX-1003 in man\n\nMen received QX-1003 5 mg.")
    store.delete_object(Bucket=NAME, Key="b.md")
    second = await ingest(bucket, index, ENCODER, InThread())
    assert (second.updated, second.deleted) == (("2024/a",), ("b",))
    assert [record.path for record in await index.records()] == [f"s3://{NAME}/2024/a.md"]


async def test_what_has_not_changed_is_not_fetched_again(store: Any, settings: S3Settings) -> None:
    for n in range(3):
        put(store, f"{n}.md", TEXT + b" %d" % n)
    index, bucket = MemoryIndex(ENCODER), Counted(NAME, settings)
    await ingest(bucket, index, ENCODER, InThread())
    report = await ingest(bucket, index, ENCODER, InThread())
    assert (report.unchanged, bucket.fetched) == (3, 3)


async def test_keys_may_hold_any_characters(store: Any, settings: S3Settings) -> None:
    for n, key in enumerate(ODD):
        put(store, key, TEXT + b" %d" % n)
    put(store, "folder/", b"")
    put(store, ".hidden/x.md")
    index = MemoryIndex(ENCODER)
    report = await ingest(Bucket(NAME, settings), index, ENCODER, InThread())
    assert report.skipped == ()
    assert {record.path for record in await index.records()} == {f"s3://{NAME}/{key}" for key in ODD}


async def test_a_prefix_is_a_folder_and_a_key_is_one_document(store: Any, settings: S3Settings) -> None:
    for key in ("tox/a.md", "tox/sub/b.md", "tox-old/c.md"):
        put(store, key, TEXT + key.encode())
    for place in (f"{NAME}/tox", f"{NAME}/tox/"):
        listing = await Bucket(place, settings).listing()
        assert [file.name for file in listing.files] == ["a.md", "sub/b.md"]
        assert listing.root == f"s3://{NAME}/tox/"
    one = await Bucket(f"{NAME}/tox/a.md", settings).listing()
    assert (one.root, [file.name for file in one.files]) == ("", ["a.md"])


async def test_more_objects_than_one_page_of_the_listing(
    store: Any, settings: S3Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MOTO_S3_DEFAULT_MAX_KEYS", "4")  # of a page, where S3 has 1,000
    for n in range(10):
        put(store, f"{n:04}.md")
    assert len((await Bucket(NAME, settings).listing()).files) == 10


async def test_an_object_that_is_too_large_is_skipped(store: Any, settings: S3Settings) -> None:
    put(store, "a.md", TEXT * 100)
    bucket = Bucket(NAME, settings, Limits(file_bytes=1000))
    (skipped,) = (await bucket.listing()).skipped
    assert "Split" in skipped.reason


async def test_an_object_that_vanishes_meanwhile_costs_only_itself(store: Any, settings: S3Settings) -> None:
    put(store, "a.md")
    put(store, "b.md", TEXT + b" b")
    bucket, index = Bucket(NAME, settings), MemoryIndex(ENCODER)
    listing = await bucket.listing()
    store.delete_object(Bucket=NAME, Key="a.md")

    async def as_it_was() -> object:
        return listing

    bucket.listing = as_it_was  # type: ignore[method-assign,assignment]
    report = await ingest(bucket, index, ENCODER, InThread())
    assert report.added == ("b",)
    assert "deleted while" in report.skipped[0].reason


async def test_originals_are_kept_so_that_a_page_can_be_shown(
    store: Any, settings: S3Settings, tmp_path: Path
) -> None:
    put(store, "a.pdf", build.report(tmp_path / "a.pdf").read_bytes())
    index = MemoryIndex(ENCODER)
    files = ArchiveFiles(tmp_path / "home", index, ENCODER, InThread())
    await files.ingest(Bucket(NAME, settings))
    original = files.original((await index.records())[0])
    assert original is not None
    assert page_png(original, 1, []).startswith(b"\x89PNG")


async def test_no_bucket_and_no_name() -> None:
    with pytest.raises(ArchiveNotFound, match="names no bucket"):
        source("s3://", S3Settings())


async def test_a_bucket_that_is_not_there(store: Any, settings: S3Settings) -> None:
    with pytest.raises(ArchiveNotFound, match="no bucket nowhere"):
        await Bucket("nowhere", settings).listing()


async def test_a_store_that_is_down(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adapters.sources.s3.ATTEMPTS", 1)
    keys = {"access_key": SecretStr("k"), "secret_key": SecretStr("very-secret")}
    down = S3Settings(endpoint="http://127.0.0.1:1", region="us-east-1", **keys)
    with pytest.raises(SourceDown, match="PESTLE_S3_ENDPOINT") as raised:
        await Bucket(NAME, down).listing()
    assert "very-secret" not in str(raised.value)


async def test_a_wrong_endpoint_is_told(settings: S3Settings) -> None:
    with pytest.raises(SettingsError, match="not right"):
        Bucket(NAME, settings.model_copy(update={"endpoint": "no address"}))


def test_without_the_library_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "boto3", None)
    monkeypatch.delitem(sys.modules, "adapters.sources.s3")
    with pytest.raises(SettingsError, match=r"pip install 'pestle\[s3\]'"):
        source(f"s3://{NAME}", S3Settings())
