"""`pestle doctor`: tries every part that is set, and says what to do about what does not work."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import typer

from adapters.cli.session import console, with_runtime

if TYPE_CHECKING:
    from adapters.wiring import Runtime

ILL = 1
"""Exit code if something does not work."""
PATIENCE_S = 20.0
LEAST_FREE = 1_000_000_000
"""Bytes on the disk of PESTLE_HOME below which it is told."""
Finding = tuple[bool, str]
"""Whether a part works, and what is said of it."""


def doctor_command() -> None:
    """Try every part that is set. The exit code is 1 if one does not work."""
    if not with_runtime(_examined):  # settings and database were tried when this begins
        raise typer.Exit(ILL)


async def _examined(built: Runtime) -> bool:
    """Whether all is well; every finding is told."""
    from adapters.errors import AdapterError
    from bot.errors import BotError
    from retrieval.errors import RetrievalError

    findings = []
    for part, examine in EXAMINED.items():
        try:
            async with asyncio.timeout(PATIENCE_S):
                fine, told = await examine(built)
        except TimeoutError:
            fine, told = False, f"no answer within {PATIENCE_S:.0f} s"
        except (AdapterError, BotError, RetrievalError, OSError) as error:
            fine, told = False, str(error)
        findings.append(fine)
        style = None if fine else "yellow"
        console.tell(f"{part}: {told}", style)
    return all(findings)


async def _disk(built: Runtime) -> Finding:
    free = shutil.disk_usage(built.settings.home).free
    return free > LEAST_FREE, f"{free / 1e9:.1f} GB free in {built.settings.home}"


async def _runs(built: Runtime) -> Finding:
    line = await built.ledger.line()
    held = sum(one.held for one in line)
    told = f"{len(line) - held} wait, {held} are at work"
    idle = bool(line) and not held
    return not idle, f"{told}. Start `pestle worker`, or see its log." if idle else told


async def _queue(built: Runtime) -> Finding:
    from workers.names import PIPELINE_QUEUE

    count = await built.queue.backlog(PIPELINE_QUEUE)
    return True, f"{count} messages in {'Redis' if built.settings.redis.url else 'this process'}"


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
    return not told, told or f"{built.settings.model.name} answers"


async def _slack(built: Runtime) -> Finding:
    slack = built.settings.slack
    if not slack.used:
        return True, "not set"
    from adapters.slack.calls import slack_client
    from adapters.slack.check import check_token

    found = await check_token(slack_client(slack.bot_token.get_secret_value(), slack.base_url))
    return not found.missing, f"{found.user} in {found.team}" + "".join(
        f"; the right {scope} is missing" for scope in found.missing
    )


EXAMINED: dict[str, Callable[[Runtime], Awaitable[Finding]]] = {
    "disk": _disk,
    "runs": _runs,
    "queue": _queue,
    "archive": _archive,
    "encoder": _encoder,
    "language model": _model,
    "Slack": _slack,
}
"""How each part is tried."""
