"""The `pestle` program: its commands, and one place where errors become sentences and exit codes."""

import atexit
import gc
import logging
import sys
from typing import Annotated

import typer

from adapters.cli.lazy import Entry, LazyGroup, of
from adapters.kinds import KINDS

OF_KINDS = {
    name: Entry(f"adapters.cli.kinds.{kind.name}", told)
    for kind in KINDS
    for name, told in kind.terminal.items()
}
"""What kinds of runs can be asked for, as their descriptors say."""

PANELS = {
    "Everyday": {
        **OF_KINDS,
        **of(
            "archive",
            ingest="Bring the archive up to date with a folder or bucket.",
            watch="Follow a folder or bucket: the archive stays like it.",
            documents="List documents and molecules; set a record right.",
            remove="Take one document out of the archive.",
        ),
        **of("records", records="List documents, studies or molecules by what is known of them."),
        **of("runs", runs="List the latest runs.", run="One run: show, resume, stop, answer, export, …"),
        **of("digest", digest="Order and change digests: what is new, on a schedule."),
        **of("serve", up="Serve the web page on this machine."),
        **of("demo", demo="Try the demo archive: read, ask, open the page."),
    },
    "Databases and index": {
        **of("sources", sources="List public databases, and load their files."),
        **of("labels", labels="Search the drug labels that are loaded."),
        **of("check", check="Read every stored document again."),
        **of("reindex", reindex="Write the index on Elasticsearch anew."),
        **of("settings", settings="Show every setting; `settings check` tries what is set."),
        **of("doctor", doctor="Try every part, and say what to do."),
        **of("model", model="Find a language model, try it, set it."),
    },
    "Team": {
        **of(
            "serve",
            bot="Hear Slack and Teams.",
            worker="Carry runs from the queue.",
            scheduler="Tell digests when they are due.",
        ),
        **of("queue", queue="List runs that wait or failed; try one again, let one go."),
        **of("connect", connect="Connect a chat platform."),
        **of("access", access="Say who may read which documents."),
        **of("account", account="Say who may log in to the page."),
        **of("audit", audit="Who did what: show, prove, keep, purge."),
        **of("mcp", mcp="Lend the tools to other programs."),
    },
    "Evaluation": {
        **of("eval", eval="Score Pestle on documents with gold answers."),
    },
}
"""Every command, below its heading of the help."""

COLLECTED_AFTER = 50_000
"""New objects after which Python looks for garbage; else it looks through what was imported many times."""

app = typer.Typer(
    name="pestle",
    cls=LazyGroup.of(PANELS),
    help="A pharmaceutical co-scientist: ask your archive, get a cited answer.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"pestle {version('pestle')}")
        raise typer.Exit


SERVICES = ("bot", "worker", "scheduler", "mcp")
"""Commands whose standard error is a log that an operator reads."""


FORM = "%(asctime)s %(levelname)s %(name)s: %(message)s"
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
    log = logging.StreamHandler(sys.stderr)
    # Set on the handler: libraries set levels of their own on their loggers.
    log.setLevel(logging.INFO if verbose else logging.CRITICAL)
    logging.captureWarnings(True)
    if context.invoked_subcommand in SERVICES:
        from adapters.logs import Discreet, JsonLines
        from adapters.settings import load

        chosen = load().log
        log.setFormatter((JsonLines if chosen.form == "json" else Discreet)(FORM, wordy=verbose))
        log.setLevel(logging.INFO if verbose else chosen.level.upper())
    logging.basicConfig(level=logging.INFO, format=FORM, handlers=[log])
    for name in WAITING:
        logging.getLogger(name).handlers = [_Said(log)]


def main() -> None:
    """Run a command; every known error is one sentence on standard error and an exit code (see `exits`)."""
    gc.set_threshold(COLLECTED_AFTER)
    atexit.register(gc.freeze)  # else Python looks through all that was imported once more, 0.4 s for nothing
    try:
        app()
    except Exception as error:
        from adapters.cli.exits import end  # it knows every error of the house

        end(error)
