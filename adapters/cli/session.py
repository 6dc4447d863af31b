"""What every command shares: the settings, the runtime, and one asyncio loop."""

from __future__ import annotations

import getpass
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from adapters.cli.exits import INTERRUPTED, say
from adapters.cli.screen import Screen
from agents.runs.records import RunRecord
from bot.errors import BadRequest

if TYPE_CHECKING:
    from adapters.cli.terminal import Terminal
    from adapters.settings import Settings
    from adapters.wiring import Runtime
    from bot.routing import Routed
    from bot.values import CommandName, ThreadRef

T = TypeVar("T")
JsonFile = Annotated[Path | None, typer.Option("--json", help="Write everything as JSON to this file.")]

console = Screen()


def load() -> Settings:
    """The settings. Raises `SettingsError`."""
    from adapters.settings import load as read

    return read()


def with_runtime(work: Callable[[Runtime], Awaitable[T]]) -> T:
    """Build the runtime, do the work in it, and close it."""
    from adapters.wiring import runtime

    async def main() -> T:
        async with runtime(load()) as built:
            return await work(built)

    return run_to_end(main())


def run_to_end(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's work on a loop of its own; Ctrl-C ends the command with code 130 and a sentence."""
    import asyncio

    try:
        return asyncio.run(work)
    except KeyboardInterrupt:
        say("Interrupted. What was finished is kept; `pestle runs` shows what can be resumed.")
        raise typer.Exit(INTERRUPTED) from None


def thread_named(name: str = "") -> ThreadRef:
    """The terminal's thread of that name; without a name a new one. Raises `BadRequest` for a bad name."""
    from adapters.cli.terminal import PREFIX
    from bot.values import ThreadRef

    if not re.fullmatch(r"[\w.-]{0,60}", name):
        raise BadRequest("A thread's name has up to 60 letters, digits, dots, dashes and underscores.")
    name = name or secrets.token_hex(6)
    return ThreadRef(f"{PREFIX}{name}", "terminal", name)


def write(path: Path, data: bytes) -> None:
    """Write a file. Raises `BadRequest` with the reason if it cannot be written."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise BadRequest(f"{path} cannot be written: {error.strerror}. Name another file.") from error


def write_json(path: Path | None, content: object) -> None:
    """Write a value as JSON, if a file is named for it. Raises `BadRequest` as `write`."""
    if path:
        import orjson

        write(path, orjson.dumps(content, option=orjson.OPT_INDENT_2))


def user() -> str:
    """The name of the user at the terminal; "somebody" if the system has none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "somebody"


def person() -> str:
    """The same as the audit names them."""
    return f"cli:{user()}"


async def ask(built: Runtime, terminal: Terminal, text: str, order: Routed | None = None) -> RunRecord | None:
    """Send a message, and show every card that answers it. An `order` is taken as it is, not from the text.

    Returns the run it started, if any. Raises `BadRequest` for a message that is refused, `QueueDown`, and
    what the kind of run finds in its way (`ArchiveNotFound`, `CalibrationError`).
    """
    import asyncio

    from bot.polls import UPDATED_S
    from bot.values import CommandName, Incoming

    terminal.refusal = ""
    incoming = Incoming(secrets.token_hex(8), terminal.thread, user(), text)
    if kind := order.kind if order else await built.intake.kind_of(incoming):
        await kind.check(built.house)  # what hinders a run is told before it begins
    async with shown(built, terminal):
        receipt = await (built.intake.order(incoming, order) if order else built.intake.receive(incoming))
        started = starts_run(receipt.command) and receipt.run_id
        if started and built.settings.redis.url:
            # The intake leaves a run to the sweeper while the queue is down; here somebody waits and is told.
            await built.enqueue(receipt.run_id)
        record = await built.finished(receipt.run_id) if started else None
        if receipt.command is CommandName.VOTE:  # its card is held back so long
            await asyncio.sleep(UPDATED_S)
    if terminal.refusal:
        raise BadRequest(terminal.refusal)
    return record


def starts_run(command: CommandName | None) -> bool:
    """Whether a run is under way after a command."""
    from bot.values import CommandName

    again = (CommandName.RESUME, CommandName.REVISE, CommandName.REFRESH, CommandName.GIVE)
    decided = (CommandName.ANSWER, CommandName.VOTE)
    return command in (CommandName.ASK, CommandName.ROUTE, *again, *decided)


@asynccontextmanager
async def shown(built: Runtime, terminal: Terminal) -> AsyncIterator[None]:
    """Show cards as they come while the context is open; at its end, show those that are left."""
    try:
        async with built.delivering(terminal) as pump:
            yield
        await pump.drain()
    finally:
        terminal.rest()
