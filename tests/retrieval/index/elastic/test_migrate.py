"""A new index for the same archive: what is kept, what others see meanwhile, and runs that end early."""

import asyncio
import time
from collections.abc import AsyncIterator

import pytest

from retrieval.errors import ArchiveNotFound, EncoderMismatch, IndexBusy
from retrieval.index.elastic.index import ElasticIndex
from retrieval.index.elastic.lock import StateEntry
from retrieval.index.elastic.migrate import _Move, reindex
from retrieval.index.elastic.prepare import Layout
from retrieval.ports import EVERYTHING
from retrieval.values import Filters, Molecule, SearchRequest
from tests.retrieval.contracts.test_index import ENCODER, chunked, document, store, words
from tests.support.elastic import TrialIndex
from tests.support.hashing import HashingEncoder

DOCUMENTS = [
    document("A", "the kidney finding", "plasma half-life", molecules=("PX-1",), date="2004-03"),
    document("B", "the liver finding", title="Study of PX-1001"),
    document("C", ""),
]
MOLECULES = [Molecule("PX-1", ("pexil", "PX 1"), 2), Molecule("PX-1001", (), 1)]
OTHER = HashingEncoder(32)


@pytest.fixture
async def index() -> AsyncIterator[TrialIndex]:
    made = TrialIndex(ENCODER)
    await store(made, *DOCUMENTS)
    parts = [f"window {n} of a document with several" for n in range(3)]
    async with made.write() as writer:
        several = document("D", "several windows")
        await writer.put(several, chunked(several), await ENCODER.encode(parts), [3])
        await writer.delete("C")
        await writer.put_molecules(MOLECULES)
    yield made
    await made.close()


async def content(index: ElasticIndex, encoder: HashingEncoder) -> object:
    """All that can be asked of an index."""
    vector = (await encoder.encode_questions(["window 2 of a finding"]))[0]
    request = SearchRequest("finding PX1001 several", limit=50)
    found = await index.candidates(request, vector)
    return (
        # Not the scores: what was deleted counts in frequencies of words for a while.
        [name for name, _ in found.lexical],
        found.dense,
        await index.records(),
        await index.molecules(),
        await words(index, "finding", Filters(molecules=("PX-1",), date_to="2004")),
        [await index.document(name) for name in "ABCD"],
        await index.found(["A#0", "A#1", "B#0", "C#0", "D#0"]),
    )


async def names(index: TrialIndex) -> dict[str, bool]:
    """The archive's indices, and whether the alias names them."""
    async with index.server.client() as client:
        found = await client.indices.get(index=f"{index.layout.alias}-v*")
        return {name: bool(found[name]["aliases"]) for name in found}


async def test_the_same_archive_is_in_the_new_index(index: TrialIndex) -> None:
    before, seen = await content(index, ENCODER), list[tuple[int, int]]()
    done = await reindex(index.server, ENCODER, index.layout, lambda *now: seen.append(now))
    assert (done.entries, done.encoded) == (9, False)
    assert seen[-1] == (9, 9)
    assert await names(index) == {f"{index.layout.alias}-v000002": True}
    assert await content(index, ENCODER) == before
    await store(index, document("E", "written afterwards"))
    assert await words(index, "afterwards") == ["E#0"]


async def test_a_new_encoder_encodes_everything_anew(index: TrialIndex) -> None:
    changed = ElasticIndex(index.server, OTHER, index.layout)
    with pytest.raises(EncoderMismatch, match="pestle reindex"):
        await changed.records()
    done = await reindex(index.server, OTHER, index.layout, lambda *_: None)
    assert done.encoded
    vector = (await OTHER.encode_questions(["the liver finding"]))[0]
    assert (await changed.dense(vector, EVERYTHING, 5))[0][0] == "B#0"
    assert await changed.molecules() == MOLECULES
    with pytest.raises(EncoderMismatch, match="has vectors of hashing-32 now"):
        await words(index, "liver")
    await changed.close()


class Slow(HashingEncoder):
    """Waits before it encodes, so that a test can look on."""

    def __init__(self, dimension: int) -> None:
        super().__init__(dimension)
        self.reached, self.go_on = asyncio.Event(), asyncio.Event()

    async def encode(self, texts):  # type: ignore[no-untyped-def]
        self.reached.set()
        await self.go_on.wait()
        return await super().encode(texts)


async def test_searches_go_on_and_writers_wait_meanwhile(index: TrialIndex) -> None:
    slow, impatient = Slow(32), ElasticIndex(index.server, ENCODER, index.layout, wait_seconds=0.2)
    running = asyncio.create_task(reindex(index.server, slow, index.layout, lambda *_: None))
    await slow.reached.wait()
    assert await words(index, "kidney") == ["A#0"]
    with pytest.raises(IndexBusy):
        await store(impatient, document("E", "too early"))
    slow.go_on.set()
    await running
    await impatient.close()


async def test_a_run_that_ends_early_changes_nothing_and_the_next_clears_up(index: TrialIndex) -> None:
    before, slow = await content(index, ENCODER), Slow(32)
    running = asyncio.create_task(reindex(index.server, slow, index.layout, lambda *_: None))
    await slow.reached.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    alias = index.layout.alias
    assert await names(index) == {f"{alias}-v000001": True, f"{alias}-v000002": False}
    assert await content(index, ENCODER) == before
    await reindex(index.server, ENCODER, index.layout, lambda *_: None)
    assert await names(index) == {f"{alias}-v000002": True}
    assert await content(index, ENCODER) == before


async def test_an_archive_that_is_not_there_cannot_be_reindexed(index: TrialIndex) -> None:
    with pytest.raises(ArchiveNotFound, match="Ingest documents first"):
        await reindex(index.server, ENCODER, Layout("test-nothing"), lambda *_: None)


async def test_an_archive_with_a_similar_name_is_left_alone(index: TrialIndex) -> None:
    """Its indices begin with the same letters: pestle-archive-vienna-v000001."""
    other = ElasticIndex(index.server, ENCODER, Layout(f"{index.layout.alias}-vienna", replicas=0))
    await store(other, document("V", "the finding of another archive"))
    await reindex(index.server, ENCODER, index.layout, lambda *_: None)
    await index.drop()
    assert [record.doc_id for record in await other.records()] == ["V"]
    await other.drop()
    await other.close()


async def test_no_writer_comes_between_however_long_the_switch_takes(
    index: TrialIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[float] = []
    switch = _Move._switch

    async def watched(move: _Move) -> None:
        state = await StateEntry(move._connection, index.layout.alias).read()
        held.append(state.holder.until - time.time() if state.holder else 0)
        await switch(move)

    monkeypatch.setattr(_Move, "_switch", watched)
    await reindex(index.server, ENCODER, index.layout, lambda *_: None)
    assert held[0] > index.server.write_patience
