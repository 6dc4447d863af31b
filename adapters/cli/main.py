"""The `pestle` program: its commands, and one place where errors become sentences and exit codes."""

import logging
import sys
from functools import cache
from importlib import import_module
from importlib.metadata import version
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

MODULES = {
    **dict.fromkeys(("ask", "chat"), "ask"),
    "safety": "safety",
    "vigilance": "vigilance",
    **dict.fromkeys(("ingest", "watch", "documents", "remove"), "archive"),
    "check": "check",
    "reindex": "reindex",
    **dict.fromkeys(("runs", "run"), "runs"),
    **dict.fromkeys(("up", "bot", "worker", "scheduler"), "serve"),
    "digest": "digest",
    "connect": "connect",
    "sources": "sources",
    "mcp": "mcp",
    "skills": "skills",
    "orthologs": "orthologs",
    "signals": "signals",
    **dict.fromkeys(("extract-events", "learn-events"), "extract_events"),
    "labels": "labels",
    "eval": "evaluate",
    "calibrate": "calibrate",
    "train": "train",
    "demo": "demo",
    "account": "account",
    "settings": "settings",
}
"""Every command in the order of the help, and the module of this package that adds it."""


class Commands(TyperGroup):
    """Imports a command's module when the command is asked for: all together take seconds."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands."""
        return list(MODULES)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command; for a name that none has all are imported, so that the nearest can be suggested."""
        for name in (cmd_name,) if cmd_name in MODULES else MODULES:
            if name not in self.commands:
                self.commands.update(commands_of(MODULES[name]))
        return super().get_command(ctx, cmd_name)


@cache
def commands_of(module: str) -> dict[str, Any]:
    """The commands that a module adds."""
    made = typer.Typer(rich_markup_mode=None)
    import_module(f"adapters.cli.{module}").register(made)
    return dict(get_group(made).commands)


app = typer.Typer(
    name="pestle",
    cls=Commands,
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


SERVICES = ("bot", "worker", "scheduler", "mcp")
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
            from adapters.cli.exits import say

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


def main() -> None:
    """Run a command; every known error is one sentence on standard error and an exit code (see `exits`)."""
    try:
        app()
    except Exception as error:
        from adapters.cli.exits import end  # it knows every error of the house

        end(error)
