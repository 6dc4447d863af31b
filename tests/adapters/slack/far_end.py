"""The far end of the Slack adapter: as much of the Web API as it calls, on a port of this machine."""

import asyncio
import itertools
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

BOT_USER = "UBOT"


class FarEnd:
    """Keeps messages by time stamp. `answers` are given to the next calls instead of being carried out."""

    def __init__(self) -> None:
        self.url = ""
        self.messages: dict[str, dict[str, Any]] = {}
        self.answers: list[Response] = []
        self.page = 100
        self.connections: set[Any] = set()
        """The far ends of all connections that calls came through."""
        self._stamps = itertools.count(1)

    async def call(self, request: Request) -> Response:
        method = request.path_params["method"]
        self.connections.add(request.client)
        if self.answers:
            return self.answers.pop(0)
        if method == "auth.test":
            return self._ok(user_id=BOT_USER, bot_id="BBOT", user="pestle", team_id="T1", url="https://x")
        reads = method == "conversations.replies"
        body = dict(await request.form()) if reads else await request.json()
        return self._ok(**getattr(self, method.replace(".", "_").replace("M", "_m"))(body))

    def chat_post_message(self, body: dict[str, Any]) -> dict[str, Any]:
        stamp = f"{next(self._stamps)}.0"
        self.messages[stamp] = {"ts": stamp, **body}
        return {"ts": stamp}

    def chat_update(self, body: dict[str, Any]) -> dict[str, Any]:
        self.messages[body["ts"]] |= body
        return {"ts": body["ts"]}

    def chat_delete(self, body: dict[str, Any]) -> dict[str, Any]:
        del self.messages[body["ts"]]
        return {}

    def conversations_replies(self, body: dict[str, Any]) -> dict[str, Any]:
        first = int(body.get("cursor") or 0)
        messages = [m for m in self.messages.values() if m["thread_ts"] == body["ts"]]
        after = first + self.page
        cursor = str(after) if after < len(messages) else ""
        return {"messages": messages[first:after], "response_metadata": {"next_cursor": cursor}}

    def _ok(self, **fields: Any) -> Response:
        return JSONResponse({"ok": True, **fields})


@asynccontextmanager
async def far_end() -> AsyncIterator[FarEnd]:
    end = FarEnd()
    app = Starlette(routes=[Route("/api/{method}", end.call, methods=["POST"])])
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
    listening = socket.create_server(("127.0.0.1", 0))
    end.url = f"http://127.0.0.1:{listening.getsockname()[1]}/api/"
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield end
    finally:
        server.should_exit = True
        await serving
