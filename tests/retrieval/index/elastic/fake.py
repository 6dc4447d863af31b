"""A server that answers like Elasticsearch, with what a test says: for answers a real one seldom gives."""

import json
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web

Answer = tuple[int, dict[str, Any]]
Script = Callable[[web.Request, bytes], Answer]


@asynccontextmanager
async def answering(script: Script, tls: ssl.SSLContext | None = None) -> AsyncIterator[str]:
    """The URL of a server that answers every request with what `script` gives: status and body."""

    async def handle(request: web.Request) -> web.Response:
        status, body = script(request, await request.read())
        return web.json_response(body, status=status, headers={"X-Elastic-Product": "Elasticsearch"})

    app = web.Application(client_max_size=10_000_000)
    app.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls)
    await site.start()
    try:
        yield f"{'https' if tls else 'http'}://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def ids(body: bytes) -> list[str]:
    """The entries that a bulk request writes."""
    lines = [json.loads(line) for line in body.splitlines()]
    return [action["_id"] for line in lines for name, action in line.items() if name in ("index", "delete")]


def items(*results: tuple[int, str]) -> Answer:
    """The answer to a bulk request: for each entry its status and, if it was refused, why."""
    answered = [
        {"index": {"status": status, **({"error": {"type": "refused", "reason": why}} if why else {})}}
        for status, why in results
    ]
    return 200, {"errors": any(why for _, why in results), "items": answered}
