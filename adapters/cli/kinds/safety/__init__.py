"""Commands of target safety reports."""

import typer

from adapters.cli.kinds.safety import orthologs, report, skills


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for one in (report, skills, orthologs):
        one.register(app)
