"""`pestle up`, `bot`, `worker`, `scheduler`: the processes of a one-person and of a team set-up.

What serves is imported by the command that needs it: no other one waits for a web server or for Slack.
"""

from __future__ import annotations

import signal
import webbrowser
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.session import console, load, run_to_end
from adapters.errors import SettingsError
from adapters.kinds import KINDS

if TYPE_CHECKING:
    from adapters.settings import Settings
    from adapters.wiring import Runtime
    from agents.ports import Ledger
    from bot.ports import ChatPlatform
    from workers.executor import Executor

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

MODELS = "models"
IN_THE_CLEAR = (
    "Without TLS passwords and answers can be read on their way here. Set PESTLE_WEB_CERTIFICATE and "
    "PESTLE_WEB_KEY, or put a proxy with TLS in front."
)
ALIVE_S = 5.0
RUNS = sorted({kind.limits.queue for kind in KINDS})
"""Queues of runs, as the kinds name them."""


def up_command(
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
) -> None:
    """Serve the web page on this machine: threads, live progress, cited answers, upload. Ctrl-C ends it.

    PESTLE_WEB_PORT=8400 takes another port.
    """
    run_to_end(_up(load(), open_page and console.is_terminal))


async def _up(settings: Settings, open_page: bool) -> None:
    """The page until it is interrupted."""
    from adapters.cli.page import page

    async with page(settings) as (server, address):
        console.print(f"Pestle is at {address}  (Ctrl-C ends it)", highlight=False)
        for told in filter(None, (IN_THE_CLEAR if server.in_the_clear else "", server.told_of_model)):
            console.tell(told, "yellow")
        if open_page:
            webbrowser.open(address)
        await server.serve()


def bot_command() -> None:
    """Hear Slack and Teams: acknowledge, write the run, hand it to a worker, deliver cards. Needs Redis and a
    database.
    """
    settings = _for_team(load())
    if not settings.slack.used and not settings.teams.used:
        raise SettingsError(
            "The bot needs PESTLE_SLACK_SIGNING_SECRET and PESTLE_SLACK_BOT_TOKEN, or PESTLE_TEAMS_APP_ID "
            "with its password and tenant."
        )
    run_to_end(_bot(settings))


async def _bot(settings: Settings) -> None:
    """Hear the chat platforms that are set, and deliver cards, until it is told to end."""
    from starlette.applications import Starlette

    from adapters.slack.serve import health_routes, serve_bot
    from adapters.wiring import runtime

    host, port = settings.slack.host, settings.slack.port
    platforms: list[ChatPlatform] = []
    async with runtime(settings) as built, AsyncExitStack() as skins:
        routes: list[BaseRoute] = [*health_routes(built.queue, built.ledger)]
        for skin in _skins(built):
            heard, platform = await skins.enter_async_context(skin)
            routes += heard
            platforms.append(platform)
        pump = built.pump(*platforms)
        console.print(f"The bot listens on {host}:{port}", highlight=False)
        await serve_bot(Starlette(routes=routes), pump, host=host, port=port)


def _skins(
    built: Runtime,
) -> Iterator[AbstractAsyncContextManager[tuple[Sequence[BaseRoute], ChatPlatform]]]:
    """The skins that are set. What a skin needs is imported for it alone."""
    if built.settings.slack.used:
        from adapters.slack.serve import slack_skin

        yield slack_skin(built)
    if built.settings.teams.used:
        from adapters.teams.serve import teams_skin

        yield teams_skin(built)


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
        from adapters.models import models_here
        from workers.models.main import run_model_worker

        here = models_here(settings)
        console.print(f"The models are ready: {here.report}", highlight=False)
        run_model_worker(settings.redis.url, here.encoder, here.reranker, alive(settings))
    else:
        _execute_runs(settings, threads, sorted(chosen - {MODELS}), serve_models=MODELS in chosen)


def scheduler_command() -> None:
    """Tell digests when they are due. Any number of them side by side tell each once; safe to kill.

    Needs Redis, a database and the archive's index. `pestle up` tells its digests itself.
    """
    run_to_end(_scheduler(_for_team(load())))


async def _scheduler(settings: Settings) -> None:
    """Make rounds until it is told to end."""
    import asyncio

    from adapters.wiring import runtime
    from workers.scheduler import scheduling

    async with runtime(settings) as built:
        stop, loop = asyncio.Event(), asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        async with scheduling(built.telling(), built.retain), alive(settings):
            console.print("The scheduler looks at the clock for digests.", highlight=False)
            await stop.wait()


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
    from adapters.wiring import runtime
    from workers.main import run_worker
    from workers.models.main import serving_models

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
            await stack.enter_async_context(built.embedding())
            await stack.enter_async_context(alive(settings))
            yield built.ledger, built.executor

    nice = settings.run.nice
    run_worker(opened, settings.redis.url, queues=queues, threads=threads, nice=nice)


@asynccontextmanager
async def alive(settings: Settings) -> AsyncIterator[None]:
    """Touch the file that a health check looks at, as long as the event loop goes round."""
    import asyncio

    from agents.runs.background import in_background

    touch = Path(settings.run.alive).touch

    async def beat() -> None:
        while settings.run.alive:
            touch()
            await asyncio.sleep(ALIVE_S)

    async with in_background(beat()):
        yield


def _for_team(settings: Settings) -> Settings:
    """The settings, if they name a queue."""
    if not settings.redis.url:
        raise SettingsError(
            "Set PESTLE_REDIS_URL, such as redis://localhost:6379/0. For one person, `pestle up` needs none."
        )
    return settings
