"""`pestle train reranker`: the recipe behind the weights of the compact reranker."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table

from adapters.cli.judged import progress_bar
from adapters.cli.session import console, run_to_end
from adapters.settings import load
from bot.errors import BadRequest
from retrieval.embed.minilm import MiniLM
from retrieval.errors import ModelsMissing

if TYPE_CHECKING:
    from retrieval.rerank.train.recipe import Result

LOG_S = 30.0
"""Seconds between two lines where there is no terminal."""

trainings = typer.Typer(help="Train models on judged questions.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(trainings, name="train")


@trainings.callback()
def _group() -> None:
    """Keeps `reranker` a command of a group."""


@trainings.command("reranker")
def reranker_command(
    folder: Annotated[
        Path, typer.Argument(help="Folder with scifact, bioasq and pubmedqa as their makers publish them.")
    ],
    out: Annotated[Path, typer.Option(help="Where weights, report and what is half done are kept.")],
    threads: Annotated[int, typer.Option(min=1, help="Processor cores to use.")] = 2,
) -> None:
    """Train the compact reranker, and measure it on held-out folds beside late interaction.

    Safe to interrupt and repeat: what is finished is kept in the folder. Needs the extra `models`.
    """
    try:
        from retrieval.rerank.train.recipe import Lessons, make
    except ImportError as error:
        raise ModelsMissing("Training needs torch. Install it with: pip install 'pestle[models]'") from error
    settings = load()
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadRequest(f"{out} cannot be a folder for the results: {error.strerror}.") from error
    weights = settings.index.weights
    encoder = MiniLM(Path(weights) if weights else None, stamps=settings.home)
    with _progress() as shown:
        result = run_to_end(make(folder, out, encoder, Lessons(threads=threads), shown))
    console.print(_figures(result))
    console.print(f"Weights: {result.weights}", highlight=False, soft_wrap=True)


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None]]:
    """A bar at a terminal, now and then a line in a log."""
    screen, last = Console(stderr=True), 0.0
    if screen.is_terminal:
        with progress_bar() as shown:
            yield shown
        return

    def line(what: str, done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last > LOG_S or done == total:
            last = time.monotonic()
            screen.print(f"{time.strftime('%H:%M:%S')} {what} {done} of {total}", highlight=False)

    yield line


def _figures(result: "Result") -> Table:
    table = Table(title="Held out", title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1))
    for column in ("collection", "order"):
        table.add_column(column)
    for column in ("queries", "nDCG@10", "MRR@10", "p against late interaction"):
        table.add_column(column, justify="right")
    for row in result.rows:
        cells = (f"{row.ndcg:.4f}", f"{row.reciprocal_rank:.4f}", f"{row.p_value:.4f}")
        table.add_row(row.collection, row.order, str(row.queries), *cells)
    return table
