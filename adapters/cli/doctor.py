"""`pestle doctor`: tries every part that is set, and says what to do about what does not work."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import typer

from adapters.cli.session import console, load, run_to_end

if TYPE_CHECKING:
    from adapters.settings import Settings
    from adapters.wiring import Runtime

ILL = 1
"""Exit code if something does not work."""
PATIENCE_S = 20.0
LEAST_FREE = 1_000_000_000
"""Bytes on the disk of PESTLE_HOME below which it is told."""


def doctor_command() -> None:
    """Try every part that is set. The exit code is 1 if one does not work."""
    if not run_to_end(_examined(load())):
        raise typer.Exit(ILL)


async def _examined(settings: Settings) -> bool:
    """Whether all is well; every finding is told."""
    from adapters.errors import SettingsError
    from adapters.wiring import runtime
    from retrieval.errors import RetrievalError

    console.print("settings: every name and value is known", markup=False, highlight=False)
    well = True
    async with runtime(settings) as built:
        for part, examine in EXAMINED.items():
            try:
                async with asyncio.timeout(PATIENCE_S):
                    fine, told = await examine(built)
            except TimeoutError:
                fine, told = False, f"no answer within {PATIENCE_S:.0f} s"
            except (SettingsError, RetrievalError, OSError) as error:
                fine, told = False, str(error)
            well = well and fine
            style = None if fine else "yellow"
            console.print(f"{part}: {told}", style=style, markup=False, highlight=False, soft_wrap=True)
    return well


Finding = tuple[bool, str]
"""Whether a part works, and what is said of it."""


async def _disk(built: Runtime) -> Finding:
    free = shutil.disk_usage(built.settings.home).free
    return free > LEAST_FREE, f"{free / 1e9:.1f} GB free in {built.settings.home}"


async def _runs(built: Runtime) -> Finding:
    line = await built.ledger.line()
    held = sum(one.held for one in line)
    told = f"{len(line) - held} wait, {held} are at work"
    if line and not held:
        return False, f"{told}. Start `pestle worker`, or see its log."
    return True, told


async def _queue(built: Runtime) -> Finding:
    from bot.errors import QueueDown
    from workers.names import PIPELINE_QUEUE

    if not built.settings.redis.url:
        return True, "in this process (no PESTLE_REDIS_URL)"
    try:
        return True, f"Redis answers; {await built.queue.backlog(PIPELINE_QUEUE)} messages wait"
    except QueueDown:
        return False, "Redis does not answer. Check that it runs, and PESTLE_REDIS_URL."


async def _archive(built: Runtime) -> Finding:
    count = len(await built.index.records())
    return bool(count), f"{count} documents" if count else "it is empty: `pestle ingest FOLDER` fills it"


async def _encoder(built: Runtime) -> Finding:
    await built.encoder.encode_questions(["dose"])
    return True, built.encoder.name


async def _model(built: Runtime) -> Finding:
    from adapters.llm.near import told_of_model

    if not built.settings.model.base_url:
        return True, "none is set: rules answer"
    told = await told_of_model(built.settings.model)
    return not told, told or f"{built.settings.model.name} answers; `pestle model` tries it with questions"


async def _slack(built: Runtime) -> Finding:
    slack = built.settings.slack
    if not slack.used:
        return True, "not set"
    from adapters.slack.calls import slack_client
    from adapters.slack.check import NotConnected, check_token

    try:
        found = await check_token(slack_client(slack.bot_token.get_secret_value(), slack.base_url))
    except NotConnected as error:
        return False, str(error)
    missing = ", ".join(found.missing)
    return not missing, f"{found.user} in {found.team}" + (
        f"; rights are missing: {missing}" if missing else ""
    )


async def _programs(built: Runtime) -> Finding:
    reason = await built.sandbox.unavailable()
    return True, reason or "can be run"  # only protocols need them


EXAMINED: dict[str, Callable[[Runtime], Awaitable[Finding]]] = {
    "disk": _disk,
    "runs": _runs,
    "queue": _queue,
    "archive": _archive,
    "encoder": _encoder,
    "language model": _model,
    "Slack": _slack,
    "programs": _programs,
}
"""How each part is tried. The database was, before any: without it none is."""
