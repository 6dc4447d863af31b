"""A document is found by words at once; its vectors follow, and are the same whenever they are made."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrieval.ingest import meaning, prepare
from retrieval.ingest.edit import edit_document, edited
from retrieval.ingest.folder import Folder
from retrieval.ingest.meaning import embed_rest, waits
from retrieval.ingest.update import ingest
from retrieval.ports import EVERYTHING, Index, Vectors
from retrieval.values import Document, DocumentRecord, IngestReport, SearchRequest
from tests.support.hashing import HashingEncoder
from tests.support.memory_index import MemoryIndex
from tests.support.parsing import InThread

LINE = "Rats received QX-1001 10 mg/kg and were well and the liver showed no change "
QUESTION = SearchRequest("liver change", limit=1_000)


class Counting(HashingEncoder):
    """Counts the texts that it was given, and remembers them."""

    def __init__(self) -> None:
        super().__init__(64)
        self.texts: list[str] = []

    async def encode(self, texts):  # type: ignore[no-untyped-def]
        self.texts += texts
        return await super().encode(texts)


class Desk:
    """Two small files and a huge line, an index, an encoder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.encoder = folder, Counting()
        self.index = MemoryIndex(self.encoder)
        for name in ("a.md", "c.md"):
            (folder / name).write_text(f"# {name}\n\nMen took QX-1001, also called vintafen, 5 mg.")
        (folder / "b.txt").write_text(LINE * 3_000)

    async def ingest(self, seconds: float, most: int = 10_000) -> IngestReport:
        return await ingest(
            Folder(self.folder), self.index, self.encoder, InThread(), seconds=seconds, most_texts=most
        )

    async def record(self, doc_id: str) -> DocumentRecord:
        return next(one for one in await self.index.records() if one.doc_id == doc_id)

    async def near(self) -> list[tuple[str, float]]:
        return await _near(self.index, (await self.encoder.encode(["liver change"]))[0])


async def _near(index: Index, vector: Vectors) -> list[tuple[str, float]]:
    return await index.dense(vector, EVERYTHING, 1_000)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    for module in (meaning, prepare):
        monkeypatch.setattr(module, "FIRST", 16)
    return Desk(tmp_path)


async def test_without_time_for_the_encoder_all_is_found_by_words_and_nothing_by_meaning(desk: Desk) -> None:
    report = await desk.ingest(seconds=0)
    assert (len(report.added), report.waiting, report.warnings) == (3, 3, ())
    assert desk.encoder.texts == []
    assert {name.rpartition("#")[0] for name, _ in await desk.index.lexical(QUESTION)} == {"b"}
    assert await desk.near() == []
    told = (await desk.record("b")).warnings[-1]
    assert told.startswith("All of it is found by words; by meaning the first 0 of its")


async def test_what_waits_is_the_same_afterwards_as_if_it_had_never_waited(
    desk: Desk, tmp_path_factory: pytest.TempPathFactory
) -> None:
    await desk.ingest(seconds=0)
    assert await embed_rest(desk.index, desk.encoder) == []
    other = Desk(tmp_path_factory.mktemp("at-once"))
    assert (await other.ingest(seconds=float("inf"))).waiting == 0
    assert await desk.near() == await other.near() != []
    plain = {record.doc_id: (record.vectors, record.warnings) for record in await desk.index.records()}
    assert set(plain.values()) == {(None, ())}


async def test_every_document_gets_its_first_vectors_before_any_gets_the_rest(desk: Desk) -> None:
    (desk.folder / "d.txt").write_text(LINE * 3_001)
    await desk.ingest(seconds=0)
    stops = iter(range(4))

    def progress(*_: object) -> None:
        if next(stops, None) is None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await embed_rest(desk.index, desk.encoder, progress=progress)
    assert {record.doc_id: record.vectors for record in await desk.index.records()} == {
        "a": None,
        "b": 16,
        "c": None,
        "d": 16,
    }


@pytest.mark.parametrize("most", [40, 8], ids=["more than the first", "fewer"])
async def test_no_document_gets_more_than_its_share_and_its_record_says_so(desk: Desk, most: int) -> None:
    report = await desk.ingest(seconds=float("inf"), most=most)
    record = await desk.record("b")
    assert (record.vectors, report.waiting, waits(record, most), waits(record, most + 1)) == (
        most, 0, False, True,
    )  # fmt: skip
    (warning,) = report.warnings
    assert warning.reason == record.warnings[-1]
    assert "by meaning the first" in warning.reason
    assert 0 < len([name for name, _ in await desk.near() if name.startswith("b#")]) <= most
    before = len(desk.encoder.texts)
    assert (await desk.ingest(seconds=float("inf"), most=most)).warnings == ()
    assert len(desk.encoder.texts) == before
    assert (await desk.ingest(seconds=float("inf"))).waiting == 0
    assert (await desk.record("b")).warnings == ()


async def test_what_changed_meanwhile_stays_changed(desk: Desk) -> None:
    await desk.ingest(seconds=0)
    await edit_document(desk.index, "b", lambda record: edited(record, {"title": "A line"}))
    await embed_rest(desk.index, desk.encoder)
    record = await desk.record("b")
    assert (record.title, record.vectors) == ("A line", None)
    document = await desk.index.document("b")
    assert document
    assert document.text.startswith("Rats received")


async def test_what_is_in_hand_when_time_is_over_is_left_as_it_was(desk: Desk) -> None:
    await desk.ingest(seconds=0)
    left = await embed_rest(desk.index, desk.encoder, seconds=0)
    assert [record.vectors for record in left] == [0, 0, 0]
    assert np.isfinite([score for _, score in await desk.index.lexical(QUESTION)]).all()


async def test_a_chunk_without_anything_to_encode_and_one_that_is_gone_end_the_work(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    await desk.ingest(seconds=0)
    monkeypatch.setattr(meaning, "windows", lambda chunks, records, encoder: [[] for _ in chunks])
    monkeypatch.setattr(desk.index, "document", _without("b", desk.index.document))
    (left,) = await embed_rest(desk.index, desk.encoder)
    assert (left.doc_id, left.vectors) == ("b", 0)


def _without(gone: str, document: Callable[[str], Awaitable[Document | None]]) -> Any:
    async def found(doc_id: str) -> Document | None:
        return None if doc_id == gone else await document(doc_id)

    return found
