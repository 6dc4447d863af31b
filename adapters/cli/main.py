"""The `pestle` program: its commands, and one place where errors become sentences and exit codes."""

import logging
import sys
from importlib.metadata import version
from typing import Annotated

import typer

from adapters.cli import (
    account,
    archive,
    ask,
    calibrate,
    check,
    demo,
    evaluate,
    mcp,
    reindex,
    runs,
    serve,
    settings,
    train,
)
from adapters.cli.exits import end, say

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


SERVICES = ("bot", "worker", "mcp")
"""Commands whose standard error is a log that an operator reads."""


WAITING = ("retrieval.index.elastic.server", "retrieval.index.elastic.lock")
"""Who may wait for minutes, and says why: a person at a terminal should read it at once."""


class _Said(logging.Handler):
    """Says a warning, as an error is said, if the log does not show it."""

    def __init__(self, log: logging.Handler) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Say it."""
        if record.levelno < self._log.level:
            say(record.getMessage())


@app.callback()
def _options(
    context: typer.Context,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Log what is done, to standard error.")
    ] = False,
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    quiet = logging.ERROR if context.invoked_subcommand in SERVICES else logging.CRITICAL
    log = logging.StreamHandler(sys.stderr)
    # Set on the handler: libraries set levels of their own on their loggers.
    log.setLevel(logging.INFO if verbose else quiet)
    logging.captureWarnings(True)
    form = "%(asctime)s %(levelname)s %(name)s: %(message)s"
    logging.basicConfig(level=logging.INFO, format=form, handlers=[log])
    for name in WAITING:
        logging.getLogger(name).handlers = [_Said(log)]


for group in (
    *(ask, archive, check, reindex, runs, serve, mcp),
    *(evaluate, calibrate, train, demo, account, settings),
):
    group.register(app)


def main() -> None:
    """Run a command; every known error is one sentence on standard error and an exit code (see `exits`)."""
    try:
        app()
    except Exception as error:
        end(error)
