"""`pestle train reranker`: the recipe behind the weights of late interaction."""

from __future__ import annotations

import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.table import Table

from adapters.cli.judged import progress_bar
from adapters.cli.screen import Screen
from adapters.cli.session import console, load, run_to_end
from bot.errors import BadRequest
from retrieval.errors import ModelsMissing

if TYPE_CHECKING:
    from adapters.settings import Settings
    from retrieval.evaluate.fill import Progress

if TYPE_CHECKING:
    from retrieval.train.late_interaction import TrainingResult

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
        Path, typer.Argument(help="Folder with scifact and bioasq as their makers publish them.")
    ],
    out: Annotated[Path, typer.Option(help="Where weights, report and what is half done are kept.")],
) -> None:
    """Learn the weights of late interaction, and measure them on held-out folds beside equal weights.

    They are learnt for the encoder that is set. Safe to interrupt and repeat: what is finished is kept in the
    folder. Needs the extra `models`.
    """
    settings = load()
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadRequest(f"{out} cannot be a folder for the results: {error.strerror}.") from error
    with _progress() as shown:
        result = run_to_end(_recipe(settings, folder, out, shown))
    console.print(_figures(result))
    console.print(f"Weights: {result.weights}", highlight=False, soft_wrap=True)


def _recipe(
    settings: Settings, folder: Path, out: Path, shown: Progress
) -> Coroutine[None, None, TrainingResult]:
    """The training, not yet begun. Raises `ModelsMissing`, and `BadRequest` for an encoder that is unfit."""
    from adapters.models import encoder_here
    from retrieval.embed.minilm import MiniLM
    from retrieval.embed.sentence_transformer import SentenceTransformerEncoder

    try:
        from retrieval.train.late_interaction import train_late_interaction
    except ImportError as error:
        raise ModelsMissing("Training needs torch. Install it with: pip install 'pestle[models]'") from error
    encoder = encoder_here(settings)
    if isinstance(encoder, MiniLM | SentenceTransformerEncoder):
        return train_late_interaction(folder, out, encoder, shown)
    raise BadRequest(
        f"Late interaction cannot be trained over {encoder.name}. Set PESTLE_ENCODER_KIND to minilm."
    )


@contextmanager
def _progress() -> Iterator[Progress]:
    """A bar at a terminal, now and then a line in a log."""
    screen, last = Screen(stderr=True), 0.0
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


def _figures(result: TrainingResult) -> Table:
    table = Table(title="Held out", title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1))
    for column in ("collection", "order"):
        table.add_column(column)
    for column in ("queries", "nDCG@10", "MRR@10", "p against equal weights"):
        table.add_column(column, justify="right")
    for row in result.orders:
        cells = (f"{row.ndcg:.4f}", f"{row.reciprocal_rank:.4f}", f"{row.p_value:.4f}")
        table.add_row(row.collection, row.order, str(row.queries), *cells)
    return table
