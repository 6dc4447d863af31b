"""`pestle account …`: who may log in to the page."""

from __future__ import annotations

import secrets
import sys
from getpass import getpass
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.session import console, with_runtime
from bot.errors import BadRequest

if TYPE_CHECKING:
    from adapters.wiring import Runtime

account_commands = typer.Typer(
    help="Who may log in to the page: add, password, remove, token, list.", no_args_is_help=True
)

Name = Annotated[str, typer.Argument(help="Letters, digits, dots, dashes and underscores; up to 40.")]


@account_commands.command("add")
def add_command(name: Name) -> None:
    """Add an account. Asks for its password; without a terminal it is the first line of standard input."""
    from bot.accounts import Account

    known = _known(name)
    secret = _secret(known)

    if not with_runtime(lambda built: built.storage.accounts.add(Account(known, secret))):
        raise BadRequest(
            f"There is an account {known} already. `pestle account password {known}` changes it."
        )
    console.tell(f"{known} can log in to the page.", wrap=True)


@account_commands.command("password")
def password_command(name: Name) -> None:
    """Set another password, and end the account's sessions."""
    known = _known(name)
    secret = _secret(known)

    if not with_runtime(lambda built: built.storage.accounts.change(known, secret)):
        raise _unknown(known)
    console.tell(f"{known} has a new password and has to log in again.", wrap=True)


@account_commands.command("remove")
def remove_command(name: Name) -> None:
    """Remove an account and end its sessions. What it wrote and signed keeps its name."""
    known = _known(name)

    if not with_runtime(lambda built: built.storage.accounts.remove(known)):
        raise _unknown(known)
    console.tell(f"{known} cannot log in any more.", wrap=True)


@account_commands.command("token")
def token_command(
    name: Name,
    days: Annotated[int, typer.Option(help="How long it is good for.", min=1, max=366)] = 90,
    revoke: Annotated[str, typer.Option(help="End the token that begins so in the list instead.")] = "",
    listed: Annotated[bool, typer.Option("--list", help="List the account's tokens instead.")] = False,
) -> None:
    """Make a personal token for the page's addresses and for MCP over HTTP; it is shown this once.

    A new password ends an account's tokens too.
    """
    from bot.accounts import TOKEN, token_key

    known, made = _known(name), f"pestle_{secrets.token_urlsafe(32)}"

    async def work(built: Runtime) -> list[str]:
        accounts = built.storage.accounts
        if await accounts.get(known) is None:
            raise _unknown(known)
        theirs = {
            key[len(TOKEN) :][:8]: (key, until) for key, until in (await accounts.tokens(known)).items()
        }
        if listed:
            return [f"{short} until {until[:10]}" for short, (_, until) in sorted(theirs.items())]
        if not revoke:
            await accounts.open_session(known, token_key(made), days * 86_400)
            return [made]
        if revoke not in theirs:
            raise BadRequest(
                f"{known} has no token {revoke}. `pestle account token {known} --list` names all."
            )
        await accounts.close_session(theirs[revoke][0])
        return [f"{revoke} is over."]

    console.tell("\n".join(with_runtime(work)))


@account_commands.command("list")
def list_command() -> None:
    """Name all accounts."""

    names = with_runtime(lambda built: built.storage.accounts.names())
    console.tell("\n".join(names) or "No accounts yet. `pestle account add NAME` makes one.", wrap=True)


def _known(name: str) -> str:
    """The name as it is kept. Raises `BadRequest`."""
    from adapters.web.passwords import plain_name

    if known := plain_name(name):
        return known
    raise BadRequest(
        f"{name!r} cannot be the name of an account. Take up to 40 letters (a to z), digits, dots, dashes "
        "and underscores, beginning with a letter or digit."
    )


def _unknown(name: str) -> BadRequest:
    return BadRequest(f"There is no account {name}. `pestle account list` names all.")


def _secret(name: str) -> str:
    """The hash of the password that is typed. Raises `BadRequest` for two that differ or a weak one."""
    from adapters.web.passwords import hashed, weakness

    if sys.stdin.isatty():
        password = getpass("Password: ")
        if getpass("Once more: ") != password:
            raise BadRequest("The two passwords differ. Nothing was changed.")
    else:
        password = sys.stdin.readline().rstrip("\r\n")
    if weak := weakness(name, password):
        raise BadRequest(weak)
    return hashed(password)
