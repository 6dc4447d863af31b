"""`pestle ask` and `pestle chat`: questions in the terminal."""

import asyncio
import json
import sys
from dataclasses import asdict
from typing import Annotated

import typer

from adapters.cli.session import ask, console, new_thread, with_runtime
from adapters.cli.terminal import Terminal
from adapters.wiring import Runtime
from agents.runs.models import RunRecord, RunState
from bot.errors import BadRequest
from bot.models import ThreadRef
from bot.threads import answer_of

INPUT_LIMIT = 1_000_000
"""Bytes read from standard input; a longer question is refused by the intake anyway."""


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("ask")(ask_command)
    app.command("chat")(chat_command)


def ask_command(
    question: Annotated[str, typer.Argument(help="The question; - reads it from standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON, for machines.")] = False,
    thread: Annotated[str, typer.Option(help="Go on in a named thread: follow-ups know the molecule.")] = "",
) -> None:
    """Ask one question and print the cited answer."""
    text = _text(question)
    terminal = Terminal(console, quiet=as_json)
    place = ThreadRef(Terminal.name, "terminal", thread) if thread else new_thread()

    async def work(built: Runtime) -> RunRecord | None:
        async with built.delivering(terminal) as pump:
            return await ask(built, pump, place, text)

    record = with_runtime(work)
    terminal.rest()
    if as_json:
        _print_json(record)
    if record is None or record.state is not RunState.DONE:
        raise typer.Exit(2 if record is None else 7)


def chat_command() -> None:
    """Talk in the terminal: follow-ups know the molecule being discussed. `help` lists what can be said."""
    terminal = Terminal(console)

    async def work(built: Runtime) -> None:
        thread = new_thread()
        console.print("Ask the archive. An empty line ends the talk; `help` shows what else you can say.")
        async with built.delivering(terminal) as pump:
            while text := await asyncio.to_thread(_line):
                await ask(built, pump, thread, text)
                terminal.rest()

    with_runtime(work)


def _line() -> str:
    """One line from the user; "" at the end."""
    try:
        return console.input("[bold]> [/bold]").strip()
    except EOFError:
        return ""


def _text(question: str) -> str:
    """The question, from the argument or standard input. Raises `BadRequest` for bytes that are no text."""
    if question != "-":
        return question
    data = sys.stdin.buffer.read(INPUT_LIMIT)
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise BadRequest("Standard input is not UTF-8 text. Write the question in plain words.") from None


def _print_json(record: RunRecord | None) -> None:
    """The answer as JSON; an object with `error` if there is none."""
    answer = answer_of(record) if record else None
    if record is None:
        content: dict[str, object] = {"error": "The question was refused: ask without --json to see why."}
    elif answer is None:
        content = {"run_id": record.run_id, "state": record.state, "error": record.error}
    else:
        content = {"run_id": record.run_id, "state": record.state, **asdict(answer)}
    print(json.dumps(content, ensure_ascii=False, indent=1, default=str))
