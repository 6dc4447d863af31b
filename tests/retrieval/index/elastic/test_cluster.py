"""Three nodes, one of which is killed while documents are written and searched."""

import asyncio
from collections.abc import Iterator

import pytest

from retrieval.index.elastic.index import ElasticIndex
from retrieval.index.elastic.prepare import Layout
from retrieval.index.elastic.server import Server
from retrieval.values import Document, SearchRequest
from tests.retrieval.contracts.test_index import ENCODER, document, store
from tests.support.elastic_nodes import Node, running_cluster

DOCUMENTS = 40
CHUNKS = 3
PATIENCE_S = 60.0
"""A search waits so long for another node to take over the dead one's part."""

pytestmark = [pytest.mark.timeout(400), pytest.mark.drill]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Node]]:
    with running_cluster(tmp_path_factory.mktemp("cluster")) as nodes:
        yield nodes


@pytest.fixture
def index(cluster: list[Node]) -> ElasticIndex:
    urls = tuple(node.url for node in cluster)
    return ElasticIndex(Server(urls, patience=PATIENCE_S), ENCODER, Layout("drill", shards=1, replicas=1))


async def test_a_killed_node_loses_nothing_doubles_nothing_and_stops_no_search(
    cluster: list[Node], index: ElasticIndex
) -> None:
    await store(index, _report(0))
    stored = [0]
    writing = asyncio.create_task(_write(index, stored))
    while len(stored) < DOCUMENTS // 4:
        assert await _missing(index, stored) == set()
    await _kill_the_holder(cluster, index)
    killed_at = len(stored)
    while not writing.done():
        assert await _missing(index, stored) == set()
    await writing
    assert len(stored) > killed_at, "documents were written after the kill"
    names = [record.doc_id for record in await index.records()]
    assert names == sorted(f"D{n:02}" for n in range(DOCUMENTS))
    everything = await index.lexical(SearchRequest("finding", limit=10 * DOCUMENTS))
    expected = {f"{name}#{n}" for name in names for n in range(CHUNKS)}
    assert len(everything) == len(expected)
    assert {name for name, _ in everything} == expected
    await index.close()


async def _write(index: ElasticIndex, stored: list[int]) -> None:
    for number in range(1, DOCUMENTS):
        await store(index, _report(number))
        stored.append(number)


async def _missing(index: ElasticIndex, stored: list[int]) -> set[str]:
    """The documents whose storing had ended before this search began and that it does not find.

    Every document that it finds is whole. One still being stored may come and go: each copy of the
    index begins to show it at a moment of its own, and a search asks any copy.
    """
    expected = {f"D{number:02}" for number in stored}
    found = await index.lexical(SearchRequest("finding", limit=10 * DOCUMENTS))
    documents = [name.split("#")[0] for name, _ in found]
    assert all(documents.count(name) == CHUNKS for name in set(documents))
    return expected - set(documents)


async def _kill_the_holder(cluster: list[Node], index: ElasticIndex) -> None:
    """Kill the node that has the primary copy of the index, once another node has a copy: before, nothing
    could outlive it.
    """
    async with Server((cluster[0].url,)).client() as client:
        waiting = client.options(request_timeout=PATIENCE_S)
        await waiting.cluster.health(index="drill", wait_for_status="green", timeout=f"{PATIENCE_S:.0f}s")
        shards = await client.cat.shards(index="drill", format="json")
    holder = next(shard["node"] for shard in shards if shard["prirep"] == "p")
    next(node for node in cluster if node.name == holder).kill()


def _report(number: int) -> Document:
    texts = (f"finding {part} of report {number}" for part in range(CHUNKS))
    return document(f"D{number:02}", *texts)
