"""`pestle up`, `bot`, `worker`: the processes of a one-person and of a team set-up."""

import asyncio
import socket
import webbrowser
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from ipaddress import ip_address
from typing import Annotated

import typer
import uvicorn
from starlette.types import ASGIApp

from adapters.cli.session import console, run_to_end
from adapters.errors import SettingsError
from adapters.kinds import KINDS
from adapters.llm.near import told_of_model
from adapters.models import models_here
from adapters.sections import WebSettings
from adapters.settings import Settings, load
from adapters.slack.app import slack_app
from adapters.slack.platform import SlackPlatform, slack_client
from adapters.slack.serve import end_by_signals, serve_bot
from adapters.web.app import Desk, page_app
from adapters.web.board import Board
from adapters.web.login import Door
from adapters.wiring import Runtime, runtime
from agents.kinds import AnyKind
from agents.ports import Ledger
from workers.executor import Executor
from workers.main import run_worker
from workers.models.main import run_model_worker, serving_models
from workers.sweeper import Sweeper

MODELS = "models"
IN_THE_CLEAR = (
    "Without TLS passwords and answers can be read on their way here. Set PESTLE_WEB_CERTIFICATE and "
    "PESTLE_WEB_KEY, or put a proxy with TLS in front."
)
RUNS = sorted({kind.limits.queue for kind in KINDS})
"""Queues of runs, as the kinds name them."""


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("up")(up_command)
    app.command("bot")(bot_command)
    app.command("worker")(worker_command)


def up_command(
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
) -> None:
    """Serve the web page on this machine: threads, live progress, cited answers, upload. Ctrl-C ends it."""
    run_to_end(_up(load(), open_page and console.is_terminal))


async def _up(settings: Settings, open_page: bool) -> None:
    """The page until it is interrupted."""
    async with page(settings) as (server, address):
        console.print(f"Pestle is at {address}  (Ctrl-C ends it)", highlight=False)
        for told in filter(None, (IN_THE_CLEAR if server.in_the_clear else "", server.told_of_model)):
            console.print(told, style="yellow", markup=False, highlight=False, soft_wrap=True)
        if open_page:
            webbrowser.open(address)
        await server.serve()


@asynccontextmanager
async def page(settings: Settings, kinds: Sequence[AnyKind] = KINDS) -> AsyncIterator[tuple["Server", str]]:
    """The page's server, ready to serve, and its address. Raises `SettingsError` if the port is taken."""
    listening = _listen(settings.web.host, settings.web.port)
    host, port = listening.getsockname()[:2]
    async with runtime(settings, kinds) as built, AsyncExitStack() as stack:
        stack.callback(listening.close)
        door = await _door(built, host)
        await built.files.clear_away()
        board = Board(built.ledger, built.storage.conversations, built.views)
        await stack.enter_async_context(built.delivering(board))
        await stack.enter_async_context(_sweeping(built))
        intake = built.intake_with(lambda run_id, form: f"/runs/{run_id}/export.{form}")
        kept = (built.sources, built.storage.artefacts, built.storage.conversations)
        room = (built.index, built.files, board, built.views, *kept)
        told = await told_of_model(settings.model)
        desk = Desk(
            intake,
            built.ledger,
            *room,
            hosts=(settings.web.host, *map(str.lower, settings.web.names)),
            door=door,
            largest_upload=settings.web.upload_mb * 1_000_000,
            suggest=built.suggested,
            told_of_model=told,
        )
        scheme = "https" if settings.web.certificate else "http"
        named = f"[{host}]" if ":" in host else host
        yield Server(page_app(desk), listening, settings.web, told), f"{scheme}://{named}:{port}"


async def _door(built: Runtime, host: str) -> Door | None:
    """The page's log-in; None where nobody else can reach it. Raises `SettingsError` without an account."""
    web = built.settings.web
    if web.login == "auto" and ip_address(host.partition("%")[0]).is_loopback:
        return None
    if not await built.storage.accounts.names():
        raise SettingsError(
            f"Others can reach a page on {host}, so they have to log in, and nobody has an account yet. "
            "`pestle account add NAME` makes one; PESTLE_WEB_HOST=127.0.0.1 keeps the page on this machine."
        )
    return Door(built.storage.accounts, web.session_hours * 3_600)


class Server:
    """Uvicorn on a socket that is listening already, so that the port is known before it serves."""

    def __init__(
        self, app: ASGIApp, listening: socket.socket, web: WebSettings, told_of_model: str = ""
    ) -> None:
        """Raises `SettingsError` if there is a certificate that cannot be used."""
        config = uvicorn.Config(
            app,
            log_level="warning",
            lifespan="off",
            timeout_graceful_shutdown=2,
            ssl_certfile=web.certificate or None,
            ssl_keyfile=web.key or None,
        )
        try:
            config.load()
        except OSError as error:
            raise SettingsError(
                f"The certificate {web.certificate} and the key {web.key} cannot be used: {error}. "
                "Set PESTLE_WEB_CERTIFICATE and PESTLE_WEB_KEY to files that fit."
            ) from error
        host = listening.getsockname()[0].partition("%")[0]
        self.in_the_clear = not (web.certificate or ip_address(host).is_loopback)
        """Whether what is typed can be read on its way."""
        self.told_of_model = told_of_model
        """What should be known of the language model."""
        self._server = uvicorn.Server(config)
        self._listening = listening

    async def serve(self) -> None:
        """Serve until interrupted; then return, so that what is open is closed."""
        end_by_signals(self._server)
        await self._server.serve(sockets=[self._listening])

    def stop(self) -> None:
        """End `serve`."""
        self._server.should_exit = True


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise SettingsError(
            f"Port {port} on {host} cannot be used: {error.strerror}. "
            "Is `pestle up` running already? PESTLE_WEB_PORT=0 takes any free port."
        ) from error


@asynccontextmanager
async def _sweeping(built: Runtime) -> AsyncIterator[None]:
    """Take up what an earlier process left unfinished, as long as the context is open."""
    task = asyncio.create_task(Sweeper(built.ledger, built.queue, built.executor).run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def bot_command() -> None:
    """Serve Slack events: acknowledge, write the run, hand it to a worker, deliver cards. Needs Redis and a
    database.
    """
    settings = _for_team(load())
    if (
        not settings.slack.signing_secret.get_secret_value()
        or not settings.slack.bot_token.get_secret_value()
    ):
        raise SettingsError("The bot needs PESTLE_SLACK_SIGNING_SECRET and PESTLE_SLACK_BOT_TOKEN.")
    run_to_end(_bot(settings))


async def _bot(settings: Settings) -> None:
    """Hear Slack and deliver cards until it is told to end."""
    client = slack_client(settings.slack.bot_token.get_secret_value(), settings.slack.base_url)
    async with runtime(settings) as built:
        app = slack_app(client, settings.slack.signing_secret.get_secret_value(), built.intake)
        pump = built.pump(SlackPlatform(client))
        console.print(f"The bot listens on {settings.slack.host}:{settings.slack.port}", highlight=False)
        await serve_bot(app, pump, host=settings.slack.host, port=settings.slack.port)


def worker_command(
    queues: Annotated[
        str,
        typer.Option(
            help=f"What to work on: {', '.join(RUNS)} (runs), {MODELS} (encoder, reranker), or several."
        ),
    ] = ",".join(RUNS),
    threads: Annotated[int, typer.Option(help="Runs carried at a time.", min=1)] = 4,
) -> None:
    """Carry runs from the queue, or compute for those who do (`--queues models`).

    Safe to kill: another worker goes on. Needs Redis, and a database for runs.
    """
    settings, chosen = _for_team(load()), _queues(queues)
    if chosen == {MODELS}:
        here = models_here(settings)
        console.print(f"The models are ready: {here.report}", highlight=False)
        run_model_worker(settings.redis.url, here.encoder, here.reranker)
    else:
        _execute_runs(settings, threads, sorted(chosen - {MODELS}), serve_models=MODELS in chosen)


def _queues(text: str) -> set[str]:
    """The queues named. Raises `SettingsError`."""
    chosen = {name.strip() for name in text.split(",")}
    if unknown := sorted(chosen - {*RUNS, MODELS}):
        raise SettingsError(
            f"There is no queue {unknown[0]!r}. --queues takes any of {', '.join((*RUNS, MODELS))}."
        )
    return chosen


def _execute_runs(settings: Settings, threads: int, queues: Sequence[str], *, serve_models: bool) -> None:
    """A worker for the runs of these queues; with `serve_models` it computes for others too."""
    if serve_models:
        here = settings.models.model_copy(update={"remote": False})
        settings = settings.model_copy(update={"models": here})

    @asynccontextmanager
    async def opened() -> AsyncIterator[tuple[Ledger, Executor]]:
        async with runtime(settings) as built, AsyncExitStack() as stack:
            if serve_models:
                models = built.models
                serving = serving_models(settings.redis.url, models.encoder, models.reranker)
                await stack.enter_async_context(serving)
            yield built.ledger, built.executor

    run_worker(opened, settings.redis.url, queues=queues, threads=threads)


def _for_team(settings: Settings) -> Settings:
    """The settings, if they name a queue."""
    if not settings.redis.url:
        raise SettingsError(
            "Set PESTLE_REDIS_URL, such as redis://localhost:6379/0. For one person, `pestle up` needs none."
        )
    return settings
