"""`pestle settings`: what can be set, and what is set."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.doctor import doctor_command
from adapters.cli.session import console, with_runtime
from bot.errors import BadRequest

if TYPE_CHECKING:
    from adapters.wiring import Runtime

PASSWORD = re.compile(r"(://[^/:@]*:)[^\s,]*@")
"""The password in an address, such as that of a database."""
TOKEN = re.compile(r"(://)[^/:@\s,]+@")
"""A user without a password in an address; it is often a token."""


def settings_command(
    check: Annotated[
        str,
        typer.Argument(
            help="`check` tries what is set, as `pestle doctor` does; `back` makes the database's tables "
            "those of the version before, for its Pestle."
        ),
    ] = "",
) -> None:
    """Show every setting with its variable, value and meaning.

    A variable wins over pestle.toml. Secrets are never shown.
    """
    if check == "back":
        typer.confirm("Have you a backup, and is nothing of Pestle running?", abort=True)
        return with_runtime(_back)
    if check:
        if check != "check":
            raise BadRequest(f"There is no `pestle settings {check}`; `pestle settings check` tries them.")
        return doctor_command()
    from adapters.settings import load, variables

    settings = load()
    for name, (section, field) in variables().items():
        owner = getattr(settings, section) if section else settings
        console.tell(f"{name} = {shown(getattr(owner, field))}")
        console.tell(f"    {type(owner).model_fields[field].description}", "dim", wrap=True)


async def _back(built: Runtime) -> None:
    from adapters.storage.schema import take_back

    async with built.storage.database.writing() as connection:
        await take_back(connection)


def shown(value: object) -> str:
    """A value as text; a secret only as being set or not."""
    from pydantic import SecretStr

    if isinstance(value, SecretStr):
        return "(set)" if value.get_secret_value() else ""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    if value in ({}, None):
        return ""
    return TOKEN.sub(r"\1***@", PASSWORD.sub(r"\1***@", str(value)))
