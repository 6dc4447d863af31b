"""Elasticsearch is killed without warning while documents are written and searched, and started again."""

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from retrieval.errors import IndexUnavailable
from retrieval.index.elastic.index import ElasticIndex
from retrieval.index.elastic.prepare import Layout
from retrieval.index.elastic.server import Server
from retrieval.values import Document, SearchRequest
from tests.retrieval.contracts.test_index import ENCODER, chunked, document, store
from tests.support.elastic_nodes import Node, running_node

DOCUMENTS, CHUNKS, IN_TRANSACTION = 30, 40, 3

pytestmark = [pytest.mark.timeout(300), pytest.mark.drill]


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    with running_node(tmp_path_factory.mktemp("node")) as started:
        yield started


@pytest.fixture
async def index(node: Node, tmp_path: Path) -> AsyncIterator[ElasticIndex]:
    made = ElasticIndex(Server((node.url,), patience=90.0), ENCODER, Layout("archive", replicas=0))
    yield made
    await made.drop()
    await made.close()


def report(number: int) -> Document:
    return document(f"D{number:02}", *(f"finding {part} of report {number}" for part in range(CHUNKS)))


async def write_all(index: ElasticIndex, to_the_end: asyncio.Event) -> None:
    """The last transaction waits to be let: a busy machine may look late at how far the others are."""
    for first in range(0, DOCUMENTS, IN_TRANSACTION):
        if first + IN_TRANSACTION >= DOCUMENTS:
            await to_the_end.wait()
        async with index.write() as writer:
            for one in map(report, range(first, first + IN_TRANSACTION)):
                chunks = chunked(one)
                await writer.put(one, chunks, await ENCODER.encode([chunk.text for chunk in chunks]))
                await asyncio.sleep(0.02)


async def kill_and_start(node: Node) -> None:
    await asyncio.to_thread(node.kill)
    await asyncio.sleep(1.0)
    await asyncio.to_thread(node.start)


async def test_a_write_goes_on_when_the_server_is_back(
    node: Node, index: ElasticIndex, caplog: pytest.LogCaptureFixture
) -> None:
    """Killed twice in the middle; in the end every document is there once, with each chunk once."""
    to_the_end = asyncio.Event()
    with caplog.at_level(logging.WARNING):
        writing = asyncio.create_task(write_all(index, to_the_end))
        for share in (0.2, 0.6):
            while len(await index.records()) < share * DOCUMENTS:
                pass
            assert not writing.done()
            await kill_and_start(node)
        to_the_end.set()
        await writing
    assert [record.doc_id for record in await index.records()] == [f"D{n:02}" for n in range(DOCUMENTS)]
    found = await index.lexical(SearchRequest("finding", limit=10_000))
    expected = {f"D{n:02}#{part}" for n in range(DOCUMENTS) for part in range(CHUNKS)}
    assert len(found) == len(expected)
    assert {name for name, _ in found} == expected
    assert "does not answer" in caplog.text
    assert "answers again" in caplog.text


async def test_a_search_waits_for_the_server_as_long_as_it_may(node: Node, index: ElasticIndex) -> None:
    await store(index, report(7))
    impatient = ElasticIndex(Server((node.url,), patience=0.5), ENCODER, Layout("archive"))
    before = await impatient.lexical(SearchRequest("finding 3"))
    await asyncio.to_thread(node.kill)
    with pytest.raises(IndexUnavailable, match=r"does not answer.*Check that it runs"):
        await impatient.lexical(SearchRequest("finding 3"))
    waiting = asyncio.create_task(index.lexical(SearchRequest("finding 3")))
    await asyncio.to_thread(node.start)
    assert await waiting == before
    assert await impatient.lexical(SearchRequest("finding 3")) == before
    await impatient.close()


async def test_what_was_not_complete_when_all_was_killed_is_never_shown(
    node: Node, index: ElasticIndex
) -> None:
    """Server and writer die together; the entries of the write that was under way are there, and hidden."""
    await store(index, report(1))
    dying = ElasticIndex(Server((node.url,), write_patience=0.2, patience=0.2), ENCODER, Layout("archive"))

    async def half() -> None:
        async with dying.write() as writer:
            for number in (1, 2):
                one = report(number)
                await writer.put(one, chunked(one), await ENCODER.encode([c.text for c in chunked(one)]))
            await writer.flush()
            await asyncio.to_thread(node.kill)

    with pytest.raises(IndexUnavailable):
        await half()
    await dying.close()
    await asyncio.to_thread(node.start)
    await asyncio.to_thread(node.wait)
    assert [record.doc_id for record in await index.records()] == ["D01"]
    assert len(await index.lexical(SearchRequest("finding", limit=10_000))) == CHUNKS
    await store(index, report(3))
    assert [record.doc_id for record in await index.records()] == ["D01", "D03"]
    assert len(await index.lexical(SearchRequest("finding", limit=10_000))) == 2 * CHUNKS
