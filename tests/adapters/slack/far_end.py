"""The far end of the Slack adapter: as much of the Web API as it calls, on a port of this machine.

What Slack would refuse is refused: whoever sends it fails its test, also where it goes on after the refusal.
"""

import asyncio
import itertools
import json
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tests.support.slack_payloads import faults, fields

NEW = ("plan", "task_card", "context_actions")
"""Blocks that an older workspace does not know."""
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
        self.faults: list[str] = []
        """What was sent that Slack would not take; `far_end` fails at its end where there is any."""
        self.people: dict[str, dict[str, Any]] = {}
        """What is known of people beside their ids."""
        self.looked_up: list[str] = []
        self.channels: dict[str, list[str]] = {}
        """Who is in each channel, the bot among them."""
        self.groups: dict[str, list[str]] = {}
        """Who is in each user group."""
        self.canvases: dict[str, str] = {}
        self.readers: dict[str, dict[str, Any]] = {}
        """Who may read a canvas, as `canvases.access.set` was asked for it."""
        self.refused: dict[str, str] = {}
        """Methods with the error that they are answered with."""
        self.private: list[dict[str, Any]] = []
        """Messages that one person alone sees."""
        self.views: list[dict[str, Any]] = []
        """Modals that were opened, and homes that were published, with the person or the trigger."""
        self.statuses: list[dict[str, Any]] = []
        self.uploads: dict[str, bytes] = {}
        self.shared: list[dict[str, Any]] = []
        """Files that were put into threads, as `files.completeUploadExternal` was asked for them."""
        self.knows_agents = True
        self.knows_new_blocks = True
        self.page = 100
        self.connections: set[Any] = set()
        """The far ends of all connections that calls came through."""
        self._stamps = itertools.count(1)

    async def call(self, request: Request) -> Response:
        method = request.path_params["method"]
        self.connections.add(request.client)
        if self.answers and not method.startswith(("agents.", "users.")):
            return self.answers.pop(0)
        if method == "auth.test":
            return self._ok(user_id=BOT_USER, bot_id="BBOT", user="pestle", team_id="T1", url="https://x")
        body = {
            **request.query_params,
            **fields(await request.body(), request.headers.get("content-type", "")),
        }
        self.faults += faults(method, body)
        if not self.knows_new_blocks and any(block["type"] in NEW for block in body.get("blocks", ())):
            return JSONResponse({"ok": False, "error": "invalid_blocks"})
        if method in self.refused:
            return JSONResponse({"ok": False, "error": self.refused[method]})
        carried_out = getattr(self, re.sub(r"\.|(?=[A-Z])", "_", method).lower(), None)
        if carried_out is None or (method.startswith("agents.") and not self.knows_agents):
            return JSONResponse({"ok": False, "error": "unknown_method"})
        return self._ok(**carried_out(body))

    def users_info(self, body: dict[str, Any]) -> dict[str, Any]:
        self.looked_up.append(body["user"])
        return {"user": {"id": body["user"], **self.people.get(body["user"], {})}}

    def canvases_create(self, body: dict[str, Any]) -> dict[str, Any]:
        canvas = f"F{len(self.canvases) + 900}"
        self.canvases[canvas] = body["document_content"]["markdown"]
        self.files[canvas] = (body["title"], b"")
        return {"canvas_id": canvas}

    def canvases_access_set(self, body: dict[str, Any]) -> dict[str, Any]:
        self.readers[body["canvas_id"]] = body
        return {}

    def canvases_delete(self, body: dict[str, Any]) -> dict[str, Any]:
        del self.canvases[body["canvas_id"]]
        return {}

    def chat_post_ephemeral(self, body: dict[str, Any]) -> dict[str, Any]:
        self.private.append(body)
        return {"message_ts": "99.0"}

    def views_open(self, body: dict[str, Any]) -> dict[str, Any]:
        self.views.append(body)
        return {"view": {"id": f"V{len(self.views)}"}}

    views_publish = views_update = views_open

    def agents_sessions_set_status(self, body: dict[str, Any]) -> dict[str, Any]:
        self.statuses.append(body)
        return {}

    def files_get_upload_u_r_l_external(self, body: dict[str, Any]) -> dict[str, Any]:
        file_id = f"F{len(self.uploads) + 100}"
        self.uploads[file_id] = b""
        self.files[file_id] = (body["filename"], b"")
        return {"file_id": file_id, "upload_url": f"{self.url.removesuffix('/api/')}/upload/{file_id}"}

    def files_complete_upload_external(self, body: dict[str, Any]) -> dict[str, Any]:
        listed = json.loads(body["files"]) if isinstance(body["files"], str) else body["files"]
        self.shared.append({**body, "files": listed})
        stamp = f"{next(self._stamps)}.0"
        files = [{"id": one["id"], "name": self.files[one["id"]][0], "title": one["title"]} for one in listed]
        self.messages[stamp] = {"ts": stamp, "thread_ts": body.get("thread_ts", ""), "files": files}
        return {"files": files}

    async def upload(self, request: Request) -> Response:
        """The bytes of a file that is put there."""
        self.uploads[request.path_params["id"]] = await request.body()
        return Response("OK")

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
        messages = [m for m in self.messages.values() if m.get("thread_ts") == body["ts"]]
        after = first + self.page
        cursor = str(after) if after < len(messages) else ""
        return {"messages": messages[first:after], "response_metadata": {"next_cursor": cursor}}

    def conversations_members(self, body: dict[str, Any]) -> dict[str, Any]:
        first, people = int(body.get("cursor") or 0), self.channels[body["channel"]]
        after = first + min(self.page, int(body["limit"]))
        cursor = str(after) if after < len(people) else ""
        more = {"next_cursor": cursor, "warnings": ["superfluous_charset"]}
        return {"members": people[first:after], "response_metadata": more if after < len(people) else None}

    def usergroups_users_list(self, body: dict[str, Any]) -> dict[str, Any]:
        return {"users": self.groups[body["usergroup"]]}

    def files_info(self, body: dict[str, Any]) -> dict[str, Any]:
        name, content = self.files[body["file"]]
        place = f"{self.url.removesuffix('/api/')}/files/{body['file']}"
        known = {"name": name, "size": len(content), "url_private_download": place}
        return {"file": {**known, "permalink": f"https://lab.slack.com/docs/T1/{body['file']}"}}

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
        routes=[
            Route("/api/{method}", end.call, methods=["POST"]),
            Route("/files/{id}", end.file),
            Route("/upload/{id}", end.upload, methods=["POST"]),
        ]
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
    assert end.faults == []
