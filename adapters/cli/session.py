"""What every command shares: the settings, the runtime, and one asyncio loop."""

import asyncio
import getpass
import secrets
from collections.abc import Awaitable, Callable
from typing import TypeVar

from rich.console import Console

from adapters.cli.terminal import Terminal
from adapters.settings import load
from adapters.wiring import Runtime, runtime
from agents.runs.models import RunRecord
from bot.delivery import Pump
from bot.models import CommandName, Incoming, ThreadRef

T = TypeVar("T")

console = Console()


def with_runtime(work: Callable[[Runtime], Awaitable[T]]) -> T:
    """Build the runtime, do the work in it, and close it."""

    async def main() -> T:
        async with runtime(load()) as built:
            return await work(built)

    return asyncio.run(main())


def new_thread() -> ThreadRef:
    """A thread of the terminal's own."""
    return ThreadRef(Terminal.name, "terminal", secrets.token_hex(6))


def user() -> str:
    """Whoever sits at the terminal."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "somebody"


async def ask(built: Runtime, pump: Pump, thread: ThreadRef, text: str) -> RunRecord | None:
    """Send a message and wait until all that it brings about is shown. The run it started, if any."""
    receipt = await built.intake.receive(Incoming(secrets.token_hex(8), thread, user(), text))
    started = receipt.command in (CommandName.ASK, CommandName.RESUME) and receipt.run_id
    record = await built.finished(receipt.run_id) if started else None
    await pump.drain()
    return record
