"""`pestle account …`: who may log in to the page."""

from __future__ import annotations

import sys
from getpass import getpass
from typing import Annotated

import typer

from adapters.cli.session import console, with_runtime
from bot.errors import BadRequest

account_commands = typer.Typer(
    help="Who may log in to the page: add, password, remove, list.", no_args_is_help=True
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
    console.print(f"{known} can log in to the page.", markup=False, highlight=False)


@account_commands.command("password")
def password_command(name: Name) -> None:
    """Set another password, and end the account's sessions."""
    known = _known(name)
    secret = _secret(known)

    if not with_runtime(lambda built: built.storage.accounts.change(known, secret)):
        raise BadRequest(f"There is no account {known}. `pestle account list` names all.")
    console.print(f"{known} has a new password and has to log in again.", markup=False, highlight=False)


@account_commands.command("remove")
def remove_command(name: Name) -> None:
    """Remove an account and end its sessions. What it wrote and signed keeps its name."""
    known = _known(name)

    if not with_runtime(lambda built: built.storage.accounts.remove(known)):
        raise BadRequest(f"There is no account {known}. `pestle account list` names all.")
    console.print(f"{known} cannot log in any more.", markup=False, highlight=False)


@account_commands.command("list")
def list_command() -> None:
    """Name all accounts."""

    names = with_runtime(lambda built: built.storage.accounts.names())
    console.print("\n".join(names) or "No accounts yet. `pestle account add NAME` makes one.", markup=False)


def _known(name: str) -> str:
    """The name as it is kept. Raises `BadRequest`."""
    from adapters.web.passwords import plain_name

    if known := plain_name(name):
        return known
    raise BadRequest(
        f"{name!r} cannot be the name of an account. Take up to 40 letters (a to z), digits, dots, dashes "
        "and underscores, beginning with a letter or digit."
    )


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
