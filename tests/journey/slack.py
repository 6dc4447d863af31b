"""A Slack workspace of our own: the emulator's process, people who write in it, and the network to the bot.

The emulator (npm `emulate`) is the peer: it keeps messages and threads and sends signed events. What it
cannot do is the project's own, in `Network`: every event is delivered three times, and a call of the bot can
be asked to wait (429) or lose its answer after it was carried out. It reads no argument in the address of a
POST, where Slack does and its SDK puts those of uploads: `Network` puts them into the body.
"""

import asyncio
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, cast

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.journey.waiting import PATIENCE_S, free_port, wait_for
from tests.support.services import missing, program
from tests.support.slack_payloads import faults, fields

DELIVERIES = 3
EMULATOR = Path(__file__).with_name("emulator.mjs")
BOT_USER = "U0PESTLE1"
LOCAL = "http://127.0.0.1"


@dataclass
class Network:
    """Stands between the workspace and the bot, in both directions."""

    workspace: str
    bot: str
    acknowledged: list[tuple[int, float]] = field(default_factory=list)
    """HTTP status and seconds of every delivery of an event that the bot answered."""
    busy: list[float] = field(default_factory=list)
    """Seconds to ask for before the next calls that write, one call each."""
    lost: list[str] = field(default_factory=list)
    """Methods whose next call is carried out but not answered."""
    calls: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    """What the bot sent that Slack would not take, as the workspace takes everything: none at the end."""

    @property
    def updates(self) -> int:
        """How often a message was replaced."""
        return self.calls.count("chat.update")

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/slack/events", self._event, methods=["POST"]),
                Route("/api/{method}", self._call, methods=["POST", "GET"]),
            ]
        )

    async def _event(self, request: Request) -> Response:
        """Deliver an event three times at once, as Slack does when it sees no answer."""
        body, headers = await request.body(), _passed_on(request)
        copies = [headers | ({"x-slack-retry-num": str(n)} if n else {}) for n in range(DELIVERIES)]
        await asyncio.gather(*(self._deliver(body, copy) for copy in copies))
        return Response("ok")

    async def _deliver(self, body: bytes, headers: dict[str, str]) -> None:
        began = monotonic()
        async with httpx.AsyncClient(timeout=20) as client:
            answer = await client.post(f"{self.bot}/slack/events", content=body, headers=headers)
        self.acknowledged.append((answer.status_code, monotonic() - began))

    async def _call(self, request: Request) -> Response:
        method = request.path_params["method"]
        self.calls.append(method)
        self.faults += faults(method, fields(await request.body(), request.headers.get("content-type", "")))
        if method.startswith("chat.") and self.busy:
            seconds = self.busy.pop(0)
            return JSONResponse(
                {"ok": False, "error": "ratelimited"}, 429, {"Retry-After": str(int(seconds) or 1)}
            )
        content, headers = await request.body(), _passed_on(request)
        query = request.url.query
        if query and request.method == "POST":
            content, query = "&".join(filter(None, (query, content.decode()))).encode(), ""
            headers["content-type"] = "application/x-www-form-urlencoded"
        async with httpx.AsyncClient(timeout=20) as client:
            url = f"{self.workspace}/api/{method}?{query}"
            answer = await client.request(request.method, url, content=content, headers=headers)
        if method in self.lost:
            self.lost.remove(method)
            return Response("the connection was lost", 502)
        return Response(answer.content, answer.status_code, {"content-type": answer.headers["content-type"]})


class Workspace:
    """The emulator as its people see it."""

    name = "slack"

    def __init__(self, url: str, client: httpx.Client) -> None:
        self.url, self._client = url, client
        channels = self._ask("alice", "conversations.list")["channels"]
        self.channels = {channel["name"]: channel["id"] for channel in channels}

    def say(self, text: str, *, user: str = "alice", channel: str = "oncology", thread: str = "") -> str:
        """Post as a person; returns the message's time stamp, which names its thread."""
        fields = {"channel": self.channels[channel], "text": text}
        answer = self._ask(user, "chat.postMessage", **fields, **({"thread_ts": thread} if thread else {}))
        return str(answer["ts"])

    def ask(self, text: str, **place: str) -> str:
        """Post a message that mentions the bot."""
        return self.say(f"<@{BOT_USER}> {text}", **place)

    def judge(self, thread: str, verdict: str, comment: str) -> None:
        """Judge the thread's last answer in words: the emulator has no buttons."""
        self.say(f"feedback {verdict} {comment}", thread=thread)

    def words(self, message: dict[str, Any]) -> str:
        """Everything that a message shows."""
        return words(message)

    def from_bot(self, thread: str, channel: str = "oncology") -> list[dict[str, Any]]:
        """The bot's messages in a thread, oldest first."""
        replies = self._ask("alice", "conversations.replies", channel=self.channels[channel], ts=thread)
        return [message for message in replies["messages"] if message["user"] == BOT_USER]

    def of_slot(self, thread: str, slot: str) -> list[dict[str, Any]]:
        """The bot's messages that fill a kind of slot ("progress", "answer", "reply")."""
        return [m for m in self.from_bot(thread) if _mark(m).startswith(f"{slot}:")]

    def _ask(self, user: str, method: str, **fields: str) -> dict[str, Any]:
        headers = {"authorization": f"Bearer xoxp-{user}"}
        answer = self._client.post(f"{self.url}/api/{method}", json=fields, headers=headers).json()
        assert answer["ok"], answer
        return cast(dict[str, Any], answer)


def words(message: dict[str, Any]) -> str:
    """Everything that a message shows."""
    return f"{message.get('blocks', '')} {message['text']}"


@contextmanager
def workspace(events_url: str) -> Iterator[Workspace]:
    """A running emulator that sends its events to `events_url`."""
    packages = Path(os.environ.get("PESTLE_TEST_SLACK_PACKAGES", "build/slack"))
    if not (packages / "node_modules/emulate").is_dir():
        missing(
            "slack",
            "run `npm install --prefix build/slack emulate@0.12.2`, or set PESTLE_TEST_SLACK_PACKAGES",
        )
    node = os.environ.get("PESTLE_TEST_NODE") or program("node")
    port = free_port()
    process = subprocess.Popen([node, EMULATOR, packages, str(port), events_url], stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        with httpx.Client(timeout=PATIENCE_S) as client:  # it answers once the bot has been told
            yield Workspace(f"{LOCAL}:{port}", client)
    finally:
        process.kill()
        process.communicate()


@contextmanager
def served(app: Starlette, port: int, host: str = "127.0.0.1") -> Iterator[None]:
    """An app on a port of this machine, in a thread."""
    server = uvicorn.Server(uvicorn.Config(app, host=host, port=port, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        wait_for(lambda: server.started, 10, "a server of the test")
        yield
    finally:
        server.should_exit = True
        thread.join()


def _passed_on(request: Request) -> dict[str, str]:
    kept = ("content-type", "authorization", "x-slack-signature", "x-slack-request-timestamp")
    return {name: request.headers[name] for name in kept if name in request.headers}


def _mark(message: dict[str, Any]) -> str:
    return str(message.get("metadata", {}).get("event_payload", {}).get("mark", ""))
