"""Transactions of several writers and what other processes see of them. Each index object here stands for a
process: it knows nothing of the others but what the server tells.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from retrieval.errors import IndexBusy
from retrieval.index.elastic import reader
from retrieval.index.elastic.index import ElasticIndex
from retrieval.index.elastic.lock import StateEntry, WriteLock
from retrieval.index.elastic.mapping import index_body, index_name
from retrieval.index.elastic.queries import STATE_ID
from retrieval.index.elastic.server import Connection
from retrieval.index.elastic.state import LATE, Hidden, Holder, State, state_to_source
from retrieval.index.elastic.writer import ElasticWriter
from retrieval.ports import IndexWriter
from retrieval.values import Document, Filters, SearchRequest
from tests.retrieval.contracts.test_index import ENCODER, chunked, document, store, words
from tests.support.elastic import TrialIndex


@pytest.fixture
async def index() -> AsyncIterator[TrialIndex]:
    made = TrialIndex(ENCODER)
    yield made
    await made.close()


@pytest.fixture
async def other(index: TrialIndex) -> AsyncIterator[ElasticIndex]:
    """Another process on the same archive, that does not wait for writers."""
    made = ElasticIndex(index.server, ENCODER, index.layout, wait_seconds=0.2)
    yield made
    await made.close()


async def put(writer: IndexWriter, one: Document) -> None:
    chunks = chunked(one)
    await writer.put(one, chunks, await ENCODER.encode([chunk.text for chunk in chunks]))


async def entries_of(index: TrialIndex, kind: str) -> int:
    """How many entries of a kind the server holds, shown or not."""
    async with index.server.client() as client:
        await client.indices.refresh(index=index.layout.alias)
        count: int = (await client.count(index=index.layout.alias, query={"term": {"kind": kind}}))["count"]
        return count


async def test_a_second_writer_is_told_who_writes(index: TrialIndex, other: ElasticIndex) -> None:
    async with index.write() as writer:
        await put(writer, document("A", "the kidney finding"))
        with pytest.raises(IndexBusy, match=r"\(process \d+\) is writing to the index"):
            await store(other, document("B", "the liver finding"))
    await store(other, document("B", "the liver finding"))
    assert sorted(await words(index, "finding")) == ["A#0", "B#0"]


async def test_writers_that_wait_write_one_after_the_other(index: TrialIndex) -> None:
    await asyncio.gather(*(store(index, document(f"D{n}", f"finding {n}", "more")) for n in range(5)))
    assert [record.doc_id for record in await index.records()] == [f"D{n}" for n in range(5)]
    assert len(await words(index, "finding", limit=99)) == 5


async def test_two_processes_that_begin_at_once_make_one_index(
    index: TrialIndex, other: ElasticIndex
) -> None:
    assert await asyncio.gather(index.records(), other.records()) == [[], []]
    await store(index, document("A", "the kidney finding"))
    assert await words(other, "kidney") == ["A#0"]


async def test_a_process_that_finds_an_index_just_begun_searches_it_at_once(
    index: TrialIndex, other: ElasticIndex
) -> None:
    """The one that makes the index has entered its state, and no search finds that yet."""
    alias, body = index.layout.alias, index_body(ENCODER, 1, 0)
    async with index.server.client() as client:
        await client.indices.create(index=index_name(alias, 1), aliases={alias: {}}, **body)
        await client.create(index=alias, id=STATE_ID, document=state_to_source(State(ENCODER.name)))
    assert await other.records() == []


async def test_another_process_sees_each_transaction_whole(index: TrialIndex, other: ElasticIndex) -> None:
    """It searches all the time, while documents are replaced; each search shows one version of both."""
    seen: set[frozenset[str]] = set()

    async def watch() -> None:
        while True:
            found = await other.found(await words(other, "version", limit=99))
            seen.add(frozenset(chunk.text.split()[-1] for chunk, _ in found))
            assert len(found) == 6

    first = [document(name, *[f"version part {n} 0" for n in range(3)]) for name in "AB"]
    await store(index, *first)
    watching = asyncio.create_task(watch())
    for number in range(1, 8):
        async with index.write() as writer:
            for name in "AB":
                await put(writer, document(name, *[f"version part {n} {number}" for n in range(3)]))
                await asyncio.sleep(0.02)
    await asyncio.sleep(0.1)
    watching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await watching
    assert all(len(versions) == 1 for versions in seen), seen
    assert len(seen) > 2


async def test_replaced_and_deleted_entries_do_not_stay(index: TrialIndex) -> None:
    for number in range(3):
        await store(index, document("A", f"finding {number}", "more"), document("B", "rest"))
    async with index.write() as writer:
        await writer.delete("B")
        await put(writer, document("C", "put twice"))
        await put(writer, document("C", "put twice, this is the second"))
    assert (await entries_of(index, "document"), await entries_of(index, "chunk")) == (2, 3)
    assert await words(index, "second") == ["C#0"]


async def test_a_record_of_a_document_just_put_is_replaced_in_the_same_transaction(index: TrialIndex) -> None:
    new = document("A", "the kidney finding")
    async with index.write() as writer:
        await put(writer, new)
        await writer.put_record(replace(new.record, title="Final on hamsters"))
    assert await words(index, "hamsters kidney") == ["A#0"]
    assert (await index.records())[0].title == "Final on hamsters"
    assert await entries_of(index, "chunk") == 1


async def test_a_failed_write_leaves_no_entries(index: TrialIndex) -> None:
    await store(index, document("A", "the kidney finding"))

    async def fail() -> None:
        async with index.write() as writer:
            await put(writer, document("A", "another", "and more"))
            await writer.flush()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert (await entries_of(index, "document"), await entries_of(index, "chunk")) == (1, 1)
    await store(index, document("B", "goes on at once"))


@pytest.fixture
async def silent(index: TrialIndex) -> AsyncIterator[ElasticWriter]:
    """A writer that has begun, put a document, and then gives no sign of life: stopped, or cut off."""
    await index.records()
    connection = Connection(index.server)
    lock = WriteLock(StateEntry(connection, index.layout.alias), lease=0.6)
    writer = ElasticWriter(connection, index.layout.alias, ENCODER, lock)
    await writer.begin(1.0)
    await lock.stop_renewing()
    await put(writer, document("Z", "the finding of a writer that died"))
    await writer.flush()
    yield writer
    await connection.close()


async def test_a_dead_writer_is_taken_over_and_nothing_of_it_is_shown(
    index: TrialIndex, silent: ElasticWriter
) -> None:
    await store(index, document("A", "the kidney finding"))
    assert await words(index, "finding") == ["A#0"]
    assert await entries_of(index, "document") == 1


async def test_a_writer_that_wakes_up_after_it_was_taken_over_cannot_commit(
    index: TrialIndex, silent: ElasticWriter
) -> None:
    await store(index, document("A", "the kidney finding"))
    await put(silent, document("Y", "another finding, too late"))
    with pytest.raises(IndexBusy, match="taken over"):
        await silent.commit()
    await store(index, document("B", "the liver finding"))
    assert sorted(await words(index, "finding")) == ["A#0", "B#0"]


async def test_a_slow_writer_that_nobody_took_over_commits(index: TrialIndex, silent: ElasticWriter) -> None:
    await asyncio.sleep(0.8)
    await silent.commit()
    assert await words(index, "died") == ["Z#0"]


async def test_a_living_writer_is_not_taken_over(index: TrialIndex, other: ElasticIndex) -> None:
    await index.records()
    connection = Connection(index.server)
    lock = WriteLock(StateEntry(connection, index.layout.alias), lease=0.6)
    await lock.take(1.0)
    await asyncio.sleep(1.5)
    with pytest.raises(IndexBusy):
        await store(other, document("B", "the liver finding"))
    await lock.stop_renewing()
    await connection.close()


def test_what_a_dead_writer_left_stays_hidden_until_nothing_more_can_come() -> None:
    dead, alive = Holder("dead", "x", 1.0), Holder("alive", "y", 1e12)
    state = State("e").begun(dead, now=100.0).begun(alive, now=200.0)
    assert state.swept(now=300.0).hidden == Hidden(("dead", "alive"))
    assert state.swept(now=101.0 + LATE).hidden == Hidden(("alive",))


async def test_a_search_of_a_state_that_is_gone_is_made_again(index: TrialIndex, other: ElasticIndex) -> None:
    """The other process knows the state before; what it finds belongs to the state after."""
    await store(index, document("A", "the old kidney finding"))
    assert await words(other, "kidney") == ["A#0"]
    await store(index, document("A", "the new spleen finding"))
    assert await words(other, "kidney") == []
    assert await other.lexical(SearchRequest("spleen")) == await index.lexical(SearchRequest("spleen"))


async def test_lists_are_read_again_when_another_process_has_written(
    index: TrialIndex, other: ElasticIndex
) -> None:
    await store(index, document("A", "the kidney finding"))
    for _ in range(2):
        assert [record.doc_id for record in await other.records()] == ["A"]
    await store(index, document("B", "the liver finding"))
    assert [record.doc_id for record in await other.records()] == ["A", "B"]
    async with index.write() as writer:
        await writer.delete("A")
    assert [record.doc_id for record in await other.records()] == ["B"]


async def test_no_more_lists_are_remembered_than_there_is_room_for(
    index: TrialIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store(index, *(document(name, "a finding", molecules=(name,)) for name in "ABC"))
    monkeypatch.setattr(reader, "REMEMBERED", 2)
    for name in "ABCA":
        assert [record.doc_id for record in await index.records(Filters(molecules=(name,)))] == [name]
    assert len(await index.records()) == 3
    assert sum(len(kept) for _, kept in index._reader._kept.values()) <= 2
