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
from adapters.slack.app import slack_routes
from adapters.slack.calls import connected, slack_client
from adapters.slack.ear import Ear
from adapters.slack.files import SlackFiles
from adapters.slack.platform import SlackPlatform
from adapters.slack.socket import listening
from agents.ports import Ledger
from bot.delivery import Pump
from bot.errors import QueueDown
from bot.ports import JobQueue
from bot.replies import export_by_command
from workers.names import PIPELINE_QUEUE

if TYPE_CHECKING:
    from adapters.wiring import Runtime

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
