"""`pestle settings`: what can be set, and what is set."""

import typer
from pydantic import SecretStr
from rich.markup import escape
from rich.table import Table

from adapters.cli.session import console
from adapters.settings import Settings, load, variables


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("settings")(settings_command)


def settings_command() -> None:
    """Show every setting with its variable, value and meaning. Secrets are never shown."""
    settings = load()
    table = Table(title="Settings (variables win over pestle.toml)", title_justify="left")
    for column in ("Variable", "Value", "Meaning"):
        table.add_column(column, overflow="fold")
    for name, (section, field) in variables().items():
        owner = getattr(settings, section) if section else settings
        meaning = (type(owner) if section else Settings).model_fields[field].description or ""
        table.add_row(name, escape(_shown(getattr(owner, field))), escape(meaning))
    console.print(table)


def _shown(value: object) -> str:
    """A value as text; a secret only as being set or not."""
    if isinstance(value, SecretStr):
        return "(set)" if value.get_secret_value() else ""
    return str(value) if value not in ({}, None) else ""
