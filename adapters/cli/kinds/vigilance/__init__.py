"""Commands of pharmacovigilance."""

import typer

from adapters.cli.kinds.vigilance import events, question, signals


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for one in (question, signals, events):
        one.register(app)
