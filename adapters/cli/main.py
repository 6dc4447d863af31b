"""The `pestle` program: its commands, and one place where errors become sentences and exit codes."""

import logging
import sys
from importlib.metadata import version
from typing import Annotated

import typer
from rich.console import Console

from adapters.cli import archive, ask, demo, evaluate, runs, serve, settings
from adapters.cli.exits import OURS, code

app = typer.Typer(
    name="pestle",
    help="A pharmaceutical co-scientist: ask your archive, get a cited answer.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pestle {version('pestle')}")
        raise typer.Exit


@app.callback()
def _options(
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Log what is done, to standard error.")
    ] = False,
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    logging.basicConfig(
        level=logging.INFO if verbose else logging.ERROR,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
        stream=sys.stderr,
    )


for group in (ask, archive, runs, serve, evaluate, demo, settings):
    group.register(app)


def main() -> None:
    """Run a command; every known error is one sentence on standard error and an exit code (see `exits`)."""
    console = Console(stderr=True)
    try:
        app()
    except OURS as error:
        console.print(f"pestle: {error}", style="red", markup=False, highlight=False)
        sys.exit(code(error))
    except KeyboardInterrupt:
        console.print("pestle: interrupted; `pestle runs` shows what can be resumed", markup=False)
        sys.exit(130)
