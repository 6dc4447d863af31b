"""The bot process: hears Slack's events and posts what the outbox holds. It carries no run."""

import asyncio
import gc
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute

from adapters.errors import SettingsError
from adapters.slack.app import slack_app
from adapters.slack.calls import connected, slack_client
from adapters.slack.files import SlackFiles
from adapters.slack.platform import SlackPlatform
from adapters.wiring import Runtime
from bot.delivery import Pump
from bot.replies import export_by_command

SHUTDOWN_S = 5


async def healthy(request: Request) -> Response:
    """What a balancer asks."""
    return PlainTextResponse("ok")


@asynccontextmanager
async def slack_skin(built: Runtime) -> AsyncIterator[tuple[list[BaseRoute], SlackPlatform]]:
    """The routes that hear Slack, and the platform that cards are shown on. Raises `SettingsError`."""
    settings = built.settings.slack
    secret = settings.signing_secret.get_secret_value()
    if not secret or not settings.bot_token.get_secret_value():
        raise SettingsError("The bot needs PESTLE_SLACK_SIGNING_SECRET and PESTLE_SLACK_BOT_TOKEN.")
    client = slack_client(settings.bot_token.get_secret_value(), settings.base_url)
    async with connected(client):
        files = SlackFiles(client, built.parsers, largest=built.settings.web.upload_mb * 1_000_000)
        intake = built.intake_with(export_by_command, files)
        app = slack_app(client, secret, intake)
        yield app.routes, SlackPlatform(client)


async def serve_bot(app: Starlette, pump: Pump, *, host: str, port: int) -> None:
    """Serve until SIGTERM or SIGINT; the card in hand is still delivered."""
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=SHUTDOWN_S,
    )
    server = uvicorn.Server(config)
    stop = asyncio.Event()
    end_by_signals(server)
    gc.freeze()  # what is loaded by now stays: to look through it again and again would hold up an event
    async with asyncio.TaskGroup() as group:
        group.create_task(pump.run(stop))
        await server.serve()
        stop.set()


def end_by_signals(server: uvicorn.Server) -> None:
    """Let SIGTERM and SIGINT end a server that is about to serve, and nothing else of this process.

    Uvicorn has handlers of its own while it serves. Ours hears a signal that comes a moment before, and the
    one that ended Uvicorn, which raises it once more.
    """

    def end(*_: object) -> None:
        server.should_exit = True

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
