"""Streaming entries: what is sent again, what is not, and how much is under way."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from retrieval.errors import IndexUnavailable, RetrievalError, StorageFull
from retrieval.index.elastic.bulk import UNDER_WAY, BulkStream, Operation
from retrieval.index.elastic.server import Connection, Server
from tests.retrieval.index.elastic.fake import Answer, Script, answering, ids, items

DONE = (201, "")
LATER = (429, "the queue is full")


@asynccontextmanager
async def stream(script: Script, request_bytes: int = 100_000) -> AsyncIterator[BulkStream]:
    async with answering(script) as url:
        connection = Connection(Server((url,), write_patience=1.0))
        try:
            yield BulkStream(connection, "archive", request_bytes)
        finally:
            await connection.close()


def entry(name: str) -> Operation:
    return Operation.put(name, {"kind": "chunk"})


async def test_only_the_entries_that_came_too_early_are_sent_again() -> None:
    sent: list[list[str]] = []

    def script(request: web.Request, body: bytes) -> Answer:
        sent.append(ids(body))
        return items(DONE, LATER, DONE, LATER) if len(sent) == 1 else items(*[DONE] * len(sent[-1]))

    async with stream(script) as bulk:
        for name in "abcd":
            await bulk.add(entry(name))
        await bulk.drain()
    assert sent == [["a", "b", "c", "d"], ["b", "d"]]


async def test_a_whole_request_that_came_too_early_is_sent_again() -> None:
    away = (503, {"error": {"type": "unavailable"}, "status": 503})
    answers = iter([away, (429, {"status": 429}), items(DONE)])

    async with stream(lambda request, body: next(answers)) as bulk:
        await bulk.add(entry("a"))
        await bulk.drain()
        assert next(answers, None) is None


async def test_a_server_that_stays_busy_ends_it_with_a_clear_error() -> None:
    async with stream(lambda request, body: items(LATER)) as bulk:
        await bulk.add(entry("a"))
        with pytest.raises(IndexUnavailable, match=r"too busy to write.*repeat it later"):
            await bulk.drain()


async def test_what_is_refused_for_good_is_told_in_one_error() -> None:
    no = (400, "failed to parse field [date]")

    async with stream(lambda request, body: items(DONE, no, no, DONE)) as bulk:
        for name in "abcd":
            await bulk.add(entry(name))
        with pytest.raises(RetrievalError, match=r"refused 2 of 4 entries .*failed to parse field \[date\]"):
            await bulk.drain()


async def test_a_full_disk_is_told_at_once() -> None:
    full = "index [x] blocked by: [disk usage exceeded flood-stage watermark, index has read-only block]"

    async with stream(lambda request, body: items((429, full))) as bulk:
        await bulk.add(entry("a"))
        with pytest.raises(StorageFull, match="its disk is full"):
            await bulk.drain()


async def test_never_more_than_a_few_requests_are_under_way() -> None:
    """The server answers nothing until it is told; the writer then waits instead of piling up requests."""
    waiting, most = 0, 0
    go_on = asyncio.Event()

    async def slow(request: web.Request) -> web.Response:
        nonlocal waiting, most
        body = await request.read()
        waiting += 1
        most = max(most, waiting)
        await go_on.wait()
        waiting -= 1
        status, answer = items(*[DONE] * len(ids(body)))
        return web.json_response(answer, status=status, headers={"X-Elastic-Product": "Elasticsearch"})

    runner = web.AppRunner(_app(slow))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    connection = Connection(Server((f"http://127.0.0.1:{runner.addresses[0][1]}",)))
    bulk = BulkStream(connection, "archive", request_bytes=60)

    async def write() -> None:
        for number in range(40):
            await bulk.add(entry(f"entry {number}"))
        await bulk.drain()

    writing = asyncio.create_task(write())
    await asyncio.sleep(0.3)
    assert not writing.done()
    go_on.set()
    await writing
    assert most == UNDER_WAY
    await connection.close()
    await runner.cleanup()


def _app(handle: object) -> web.Application:
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handle)  # type: ignore[arg-type]
    return app
