"""`pestle ask` and `pestle chat`: questions in the terminal."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.exits import check_done
from adapters.cli.session import ask, console, thread_named, with_runtime
from agents.kinds import RunView
from agents.runs.records import RunRecord
from bot.errors import BadRequest

if TYPE_CHECKING:
    import asyncio

    from adapters.wiring import Runtime

OFFERED = 3
"""Questions offered after an answer."""
INPUT_LIMIT = 1_000_000
"""Bytes read from standard input; a longer question is refused by the intake anyway."""


def ask_command(
    question: Annotated[str, typer.Argument(help="The question; - reads it from standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON, for machines.")] = False,
    thread: Annotated[str, typer.Option(help="Go on in a named thread: follow-ups know the molecule.")] = "",
    more: Annotated[bool, typer.Option("--more", help="Show passages and their tables whole.")] = False,
) -> None:
    """Ask one question and print the cited answer."""
    from adapters.cli.terminal import Terminal

    text = _text(question)
    terminal = Terminal(console, thread_named(thread), quiet=as_json, more=more)

    async def work(built: Runtime) -> RunView | None:
        record = await ask(built, terminal, text)
        await _offer(built, record)
        # What a model would add is told once: with the first answer.
        if built.settings.model.base_url or sum((await built.ledger.counted()).values()) == 1:
            await _tell_of_model(built)
        return await built.views.of(record) if record else None

    view = with_runtime(work)
    if as_json and view:
        from adapters.export.bundle import report_json

        print(report_json(view).decode())
    if view:
        check_done(view.record)


def chat_command() -> None:
    """Talk in the terminal: follow-ups know the molecule being discussed. `help` lists what can be said."""
    from adapters.cli.terminal import Terminal
    from bot.small_talk import is_farewell

    terminal = Terminal(console, thread_named())

    async def work(built: Runtime) -> None:
        console.print(
            "Ask the archive. `exit` or an empty line ends the talk; `help` shows what you can say."
        )
        await _tell_of_model(built)
        while text := await _line():
            try:
                await _offer(built, await ask(built, terminal, text))
            except BadRequest as error:
                console.tell(str(error), "yellow", wrap=True)
            if is_farewell(text):
                break

    with_runtime(work)


async def _offer(built: Runtime, record: RunRecord | None) -> None:
    """Questions to ask next, to a person at the terminal."""
    questions = await built.suggested(record) if console.is_terminal and record else ()
    if questions:
        console.print("Ask next:", style="dim")
    for question in questions[:OFFERED]:
        console.tell(f"  {question}", "dim", wrap=True)


async def _tell_of_model(built: Runtime) -> None:
    """Say what a person at the terminal should know of the language model."""
    if not console.is_terminal:
        return
    from adapters.llm.near import told_of_model  # it loads a client of HTTP

    if told := await told_of_model(built.settings.model):
        console.tell(told, "dim")


async def _line() -> str:
    """One line from the user; "" at the end.

    It is read in a daemon thread: an ordinary one would hold up Ctrl-C until the next line was typed.
    """
    import asyncio

    loop = asyncio.get_running_loop()
    line: asyncio.Future[str] = loop.create_future()

    def read() -> None:
        try:
            text = console.input("[bold]> [/bold]").strip()
        except (EOFError, UnicodeDecodeError):
            text = ""
        loop.call_soon_threadsafe(_settle, line, text)

    threading.Thread(target=read, daemon=True).start()
    return await line


def _settle(line: asyncio.Future[str], text: str) -> None:
    """Hand a line over, unless nobody waits for it any more."""
    if not line.cancelled():
        line.set_result(text)


def _text(question: str) -> str:
    """The question, from the argument or standard input. Raises `BadRequest` for bytes that are no text."""
    if question != "-":
        return question
    data = sys.stdin.buffer.read(INPUT_LIMIT)
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise BadRequest("Standard input is not UTF-8 text. Write the question in plain words.") from None
