"""Socket Mode: the same requests through a connection that the bot opens, acknowledged once written down."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest_asyncio
from aiohttp import WSMsgType, web
from aiohttp.test_utils import TestServer

from adapters.slack.calls import slack_client
from adapters.slack.ear import Ear
from adapters.slack.serve import listening
from bot.desk import PersonalPage
from bot.starting import kind_budget
from tests.adapters.slack.far_end import BOT_USER
from tests.bot.world import World

WAIT_S = 10.0


class Socket:
    """Slack's end of the socket: sends envelopes, and keeps what was answered by envelope."""

    def __init__(self) -> None:
        self.answers: dict[str, dict[str, Any]] = {}
        self.tokens: list[str] = []
        self.connected = asyncio.Event()
        self._answered = asyncio.Condition()
        self._socket: web.WebSocketResponse | None = None

    async def call(self, request: web.Request) -> web.Response:
        if request.match_info["method"] == "apps.connections.open":
            self.tokens.append(request.headers["authorization"])
            return web.json_response(
                {"ok": True, "url": str(request.url.with_scheme("ws").with_path("/socket"))}
            )
        return web.json_response(
            {"ok": True, "user_id": BOT_USER, "bot_id": "B1", "team_id": "T1", "ts": "1.0"}
        )

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        self._socket = web.WebSocketResponse()
        await self._socket.prepare(request)
        await self._socket.send_json({"type": "hello"})
        self.connected.set()
        async for message in self._socket:
            if message.type is WSMsgType.TEXT and message.data.startswith("{"):
                async with self._answered:
                    answer = json.loads(message.data)
                    self.answers[answer["envelope_id"]] = answer
                    self._answered.notify_all()
        return self._socket

    async def send(self, kind: str, payload: Any, envelope: str = "e1") -> dict[str, Any]:
        """Send an envelope and wait for what it is answered."""
        assert self._socket is not None
        sent = {"type": kind, "envelope_id": envelope, "payload": payload, "accepts_response_payload": True}
        await self._socket.send_json(sent)
        async with asyncio.timeout(WAIT_S), self._answered:
            await self._answered.wait_for(lambda: envelope in self.answers)
        return self.answers[envelope]


@asynccontextmanager
async def connected(world: World) -> AsyncIterator[Socket]:
    far = Socket()
    app = web.Application()
    app.router.add_post("/api/{method}", far.call)
    app.router.add_get("/socket", far.serve)
    server = TestServer(app)
    await server.start_server()
    client = slack_client("xoxb-test", str(server.make_url("/api/")))
    ear = Ear(
        client,
        world.intake,
        world.outbox,
        PersonalPage(world.ledger, world.conversations, world.views, kind_budget),
    )
    try:
        async with listening(ear, client, "xapp-test"):
            async with asyncio.timeout(WAIT_S):
                await far.connected.wait()
            yield far
    finally:
        await server.close()


@pytest_asyncio.fixture
async def world() -> World:
    return World()


def mention(text: str) -> dict[str, Any]:
    event = {
        "type": "app_mention",
        "channel": "C1",
        "user": "U1",
        "ts": "10.1",
        "text": f"<@{BOT_USER}> {text}",
    }
    return {"type": "event_callback", "team_id": "T1", "event_id": "Ev1", "event": event, "token": "t"}


async def test_what_comes_through_the_socket_goes_the_same_way(world: World) -> None:
    async with connected(world) as far:
        assert far.tokens == ["Bearer xapp-test"]
        for envelope in ("e1", "e2"):
            answer = await far.send("events_api", mention("What was the NOAEL?"), envelope)
            assert answer["envelope_id"] == envelope
        command = {"command": "/pestle", "text": "", "user_id": "U1", "team_id": "T1", "channel_id": "C1"}
        told = await far.send("slash_commands", {**command, "trigger_id": "1.2"}, "e3")
        assert "Only you see" in told["payload"]["text"]
    (record,) = await world.ledger.runs()
    assert record.thread_id == "slack:C1:10.1"


async def test_what_has_no_known_form_is_answered_and_does_nothing(world: World) -> None:
    async with connected(world) as far:
        for number, payload in enumerate(
            ({}, {"type": "event_callback"}, {"type": "block_actions", "user": 7})
        ):
            assert "payload" not in await far.send("events_api", payload, f"e{number}")
    assert await world.ledger.runs() == []


async def test_what_could_not_be_written_down_is_not_acknowledged(world: World) -> None:
    start = world.conversations.start

    async def failing(*written: Any) -> Any:
        raise OSError("the database is away")

    async with connected(world) as far:
        world.conversations.start = failing  # type: ignore[method-assign]
        sending = asyncio.create_task(far.send("events_api", mention("What was the NOAEL?"), "lost"))
        await asyncio.sleep(0.3)
        assert far.answers == {}
        world.conversations.start = start  # type: ignore[method-assign]
        await far.send("events_api", mention("What was the NOAEL?"), "again")
        sending.cancel()
    assert len(await world.ledger.runs()) == 1
