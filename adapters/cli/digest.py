"""`pestle digest …`: digests of every channel, in the words that a thread understands."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.session import console, thread_named, user, with_runtime
from bot.errors import BadRequest

if TYPE_CHECKING:
    from adapters.wiring import Runtime
    from bot.values import Card, ThreadRef

TERMINAL = "digests"
"""The terminal's thread for digests that were ordered in no channel."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("digest", context_settings={"ignore_unknown_options": True})(digest_command)


def digest_command(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            help='list; add "every weekday 08:30 Europe/Zurich" about …; preview 1; mute 1; unmute 1; '
            'edit 1 "…" about …; heartbeat 1 on; delete 1. Without words: list.'
        ),
    ] = None,
    place: Annotated[
        str,
        typer.Option(
            "--in", help="Where it is told: the id of a thread, as slack:CHANNEL:THREAD or web:archive:NAME."
        ),
    ] = "",
) -> None:
    """Order, list, preview, mute, edit and delete digests: what is new for a channel, on a schedule."""
    from bot.digests.card import list_card
    from bot.values import Command, CommandName, Incoming

    text = " ".join(_quoted(words or []))

    async def work(built: Runtime) -> Card:
        if text in ("", "list") and not place:
            return list_card(await built.storage.digests.all())
        thread = _thread(place) or await _of_number(built, words or []) or thread_named(TERMINAL)
        incoming = Incoming(secrets.token_hex(8), thread, user(), f"digest {text}")
        return await built.orders.reply(incoming, Command(CommandName.DIGEST, text), None)

    from adapters.cli import render

    console.print(render.card(with_runtime(work)))


def _quoted(words: list[str]) -> list[str]:
    """The words with the quotes that the shell took off a schedule: one word with blanks in it."""
    place = next((n for n, word in enumerate(words) if " " in word), None)
    return [f'"{word}"' if n == place else word for n, word in enumerate(words)]


def _thread(place: str) -> ThreadRef | None:
    """The place that was named, or None. Raises `BadRequest`."""
    from bot.values import ThreadRef

    if not place:
        return None
    if place.count(":") < 2:
        raise BadRequest("Name a thread by its id, as slack:CHANNEL:THREAD or web:archive:NAME.")
    return ThreadRef.parse(place)


async def _of_number(built: Runtime, words: list[str]) -> ThreadRef | None:
    """The thread of the digest that the words name by its number."""
    if len(words) < 2 or not words[1].isdecimal():
        return None
    digest = await built.storage.digests.get(int(words[1]))
    return digest.thread if digest else None
