"""`pestle eval archive`: the questions of a gold set over its archive, scored as in the paper."""

import typer

evaluations = typer.Typer(help="Score Pestle on documents with gold answers.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(evaluations, name="eval")
