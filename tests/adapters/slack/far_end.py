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
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

BOT_USER, TOKEN = "UBOT", "xoxb-test"


class FarEnd:
    """Keeps messages by time stamp, and files (name and content) by id.

    `answers` are given to the next calls instead of being carried out.
    """

    def __init__(self) -> None:
        self.url = ""
        self.messages: dict[str, dict[str, Any]] = {}
        self.files: dict[str, tuple[str, bytes]] = {}
        self.fetched: list[str] = []
        """Ids of the files whose bytes were asked for."""
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
        reads = method in ("conversations.replies", "files.info")
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

    def files_info(self, body: dict[str, Any]) -> dict[str, Any]:
        name, content = self.files[body["file"]]
        place = f"{self.url.removesuffix('/api/')}/files/{body['file']}"
        return {"file": {"name": name, "size": len(content), "url_private_download": place}}

    async def file(self, request: Request) -> Response:
        """The bytes of a file; without the bot's token Slack sends to its log-in."""
        if request.headers.get("authorization") != f"Bearer {TOKEN}":
            return RedirectResponse("/login")
        self.fetched.append(request.path_params["id"])
        return Response(self.files[request.path_params["id"]][1])

    def _ok(self, **fields: Any) -> Response:
        return JSONResponse({"ok": True, **fields})


@asynccontextmanager
async def far_end() -> AsyncIterator[FarEnd]:
    end = FarEnd()
    app = Starlette(
        routes=[Route("/api/{method}", end.call, methods=["POST"]), Route("/files/{id}", end.file)]
    )
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off"))
    listening = socket.create_server(("127.0.0.1", 0))
    end.url = f"http://127.0.0.1:{listening.getsockname()[1]}/api/"
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield end
    finally:
        server.should_exit = True
        await serving
