"""The bot process: hears Slack's events and posts what the outbox holds. It carries no run."""

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from adapters.ending import end_by_signals
from adapters.errors import SettingsError
from adapters.slack.calls import connected, slack_client
from adapters.slack.ear import Ear
from adapters.slack.files import SlackFiles
from adapters.slack.platform import SlackPlatform
from agents.ports import Ledger
from bot.delivery import Pump
from bot.errors import QueueDown
from bot.ports import JobQueue
from bot.replies import export_by_command
from workers.names import PIPELINE_QUEUE

if TYPE_CHECKING:
    from adapters.wiring import Runtime
import json
import logging
from typing import Any

from slack_bolt.adapter.starlette.async_handler import to_starlette_response
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.async_client import AsyncBaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse
from slack_sdk.web.async_client import AsyncWebClient

from adapters.door import Refused, read_body
from adapters.slack.inbound import check_signature, known, payload_of

KINDS = ("events_api", "interactive", "slash_commands")
logger = logging.getLogger(__name__)
EVENTS_PATH = "/slack/events"
PATHS = (EVENTS_PATH, "/slack/commands", "/slack/interactive")
"""Where Slack may be told to send to; all of them take all that Slack sends."""
SHUTDOWN_S = 5
HEALTH_S = 2.0
"""Seconds that the queue has for an answer."""
MEASURED_S = 10.0
"""Seconds between two countings of the ledger."""
LARGEST_HEAD = 4_000_000
"""Bytes of a request's head that are read, so that also a senseless token gets its answer."""
NEEDS = (
    "Slack needs PESTLE_SLACK_BOT_TOKEN, and PESTLE_SLACK_SIGNING_SECRET for HTTP or PESTLE_SLACK_APP_TOKEN "
    "for Socket Mode. `pestle connect slack` shows how to get them."
)


def health_routes(queue: JobQueue, ledger: Ledger) -> list[Route]:
    """What a balancer and Prometheus ask. A bot whose queue is away still hears; what it heard is taken up
    later.
    """

    kept = (-MEASURED_S, b"")

    async def healthy(request: Request) -> Response:
        try:
            async with asyncio.timeout(HEALTH_S):
                await queue.backlog(PIPELINE_QUEUE)
        except (QueueDown, TimeoutError):
            return PlainTextResponse("ok, but the queue is away: runs wait until it is back")
        return PlainTextResponse("ok")

    async def measured(request: Request) -> Response:
        from adapters.metrics import metrics

        nonlocal kept
        if time.monotonic() - kept[0] > MEASURED_S:
            kept = (time.monotonic(), await metrics(ledger, queue))
        return Response(kept[1], media_type="text/plain; version=0.0.4; charset=utf-8")

    return [Route("/metrics", measured), *(Route(path, healthy) for path in ("/health", "/healthz"))]


@asynccontextmanager
async def slack_skin(built: "Runtime") -> AsyncIterator[tuple[Sequence[BaseRoute], SlackPlatform]]:
    """The routes that hear Slack, and the platform that cards are shown on. With an app token Slack is heard
    through a socket, with a signing secret over HTTP. Raises `SettingsError`.
    """
    settings = built.settings.slack
    secret, app_token = settings.signing_secret.get_secret_value(), settings.app_token.get_secret_value()
    if not settings.bot_token.get_secret_value() or not (secret or app_token):
        raise SettingsError(NEEDS)
    client = slack_client(settings.bot_token.get_secret_value(), settings.base_url)
    async with connected(client), AsyncExitStack() as stack:
        files = SlackFiles(client, built.parsers, largest=built.settings.web.upload_mb * 1_000_000)
        intake = built.intake_with(export_by_command, files)
        if intake.additions:
            await stack.enter_async_context(intake.additions.going(SlackPlatform.name))
        ear = Ear(client, intake, built.storage.outbox, built.desk)
        if app_token:
            await stack.enter_async_context(listening(ear, client, app_token))
        yield slack_routes(ear, secret), SlackPlatform(client)


def bot_server(app: Starlette, *, host: str, port: int) -> uvicorn.Server:
    """The server of the bot's routes."""
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=SHUTDOWN_S,
        http="h11",
        h11_max_incomplete_event_size=LARGEST_HEAD,
    )
    return uvicorn.Server(config)


async def serve_bot(app: Starlette, pump: Pump, *, host: str, port: int) -> None:
    """Serve until SIGTERM or SIGINT; the card in hand is still delivered."""
    server = bot_server(app, host=host, port=port)
    stop = asyncio.Event()
    end_by_signals(server)
    gc.freeze()  # what is loaded by now stays: to look through it again and again would hold up an event
    async with asyncio.TaskGroup() as group:
        group.create_task(pump.run(stop))
        await server.serve()
        stop.set()


def slack_routes(ear: Ear, signing_secret: str) -> list[Route]:
    """`POST` on each of `PATHS`, if there is a secret to check by what comes there."""

    async def heard(request: Request) -> Response:
        try:
            body = await read_body(request)
            check_signature(signing_secret, request.headers, body)
            payload = payload_of(body)
        except Refused as refused:
            logger.warning("a request to %s is refused: %s", request.url.path, refused)
            return PlainTextResponse(str(refused), refused.status)
        return to_starlette_response(await ear.hear(payload, request.headers))

    return [Route(path, heard, methods=["POST"]) for path in PATHS if signing_secret]


@asynccontextmanager
async def listening(ear: Ear, client: AsyncWebClient, app_token: str) -> AsyncIterator[SocketModeClient]:
    """Keep a connection to Slack open while the context is; it is opened anew when it breaks.

    Raises `slack_sdk.errors.SlackApiError` where Slack refuses the token.
    """
    web = AsyncWebClient(base_url=client.base_url, timeout=client.timeout)
    socket = SocketModeClient(app_token=app_token, web_client=web)

    async def heard(sender: AsyncBaseSocketModeClient, request: SocketModeRequest) -> None:
        if request.type in KINDS and (answer := await answered(ear, request)) is not None:
            await sender.send_socket_mode_response(answer)

    socket.socket_mode_request_listeners.append(heard)
    await socket.connect()  # type: ignore[no-untyped-call]
    try:
        yield socket
    finally:
        await socket.close()  # type: ignore[no-untyped-call]


async def answered(ear: Ear, request: SocketModeRequest) -> SocketModeResponse | None:
    """What to answer a request; None for one that Slack shall send again."""
    try:
        payload = known(request.payload)
    except Refused as refused:
        logger.warning("a request through the socket is refused: %s", refused)
        return SocketModeResponse(envelope_id=request.envelope_id)  # it would be the same again
    answer = await ear.hear(payload, _retries(request))
    if answer.status != 200:
        return None
    return SocketModeResponse(envelope_id=request.envelope_id, payload=_said(answer.body))


def _retries(request: SocketModeRequest) -> dict[str, str]:
    return {"x-slack-retry-num": str(request.retry_attempt)} if request.retry_attempt else {}


def _said(body: str) -> Any:
    """What Bolt answers, as the object that a socket takes."""
    return json.loads(body) if body.startswith("{") else ({"text": body} if body else None)
