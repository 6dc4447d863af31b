"""A language model endpoint that answers nobody: it holds or refuses calls, to meet a run half-way.

Refused calls make the pipeline go on with its rules.
"""

import asyncio

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route


class Gate:
    """While shut it holds the calls of the roles named (as model names); `arrived` counts them."""

    def __init__(self) -> None:
        self.held: frozenset[str] = frozenset()
        self.arrived = 0

    def shut(self, *roles: str) -> None:
        self.arrived = 0
        self.held = frozenset(roles)

    def open(self) -> None:
        self.held = frozenset()

    def app(self) -> Starlette:
        return Starlette(routes=[Route("/v1/chat/completions", self._call, methods=["POST"])])

    async def _call(self, request: Request) -> Response:
        role = (await request.json())["model"]
        if role in self.held:
            self.arrived += 1
        while role in self.held and not await request.is_disconnected():  # noqa: ASYNC110 (opened by a thread)
            await asyncio.sleep(0.05)
        return JSONResponse({"error": {"message": "no model here", "type": "invalid_request_error"}}, 400)
