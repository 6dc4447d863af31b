"""Whose address counts: the one of the connection, or what a named proxy says."""

import asyncio
import socket

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from adapters.cli.page import Server
from adapters.sections import WebSettings


@pytest.mark.parametrize(("proxies", "seen"), [((), "127.0.0.1"), (("127.0.0.1",), "203.0.113.9")])
async def test_only_a_proxy_that_a_setting_names_says_who_asks(proxies: tuple[str, ...], seen: str) -> None:
    async def asker(request: Request) -> PlainTextResponse:
        assert request.client
        return PlainTextResponse(request.client.host)

    listening = socket.create_server(("127.0.0.1", 0))
    server = Server(Starlette(routes=[Route("/", asker)]), listening, WebSettings(proxies=proxies))
    async with asyncio.TaskGroup() as group, httpx.AsyncClient() as client:
        group.create_task(server.serve())
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        told = await client.get(address, headers={"x-forwarded-for": "203.0.113.9"})
        server.stop()
    assert told.text == seen
