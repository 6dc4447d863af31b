"""Commands of pharmacovigilance."""

import typer

from adapters.cli.kinds.vigilance import events, question


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for one in (question, events):
        one.register(app)
