"""`pestle eval retrieval`: how well the search ranks the documents that experts judged relevant."""

from __future__ import annotations

import secrets
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.table import Table

from adapters.cli.screen import Screen
from adapters.cli.session import console, load, run_to_end, write

if TYPE_CHECKING:
    from adapters.settings import Settings
    from adapters.wiring import Runtime
    from retrieval.evaluate.run import RetrievalEvaluation
    from retrieval.evaluate.significance import Comparison


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("retrieval")(retrieval_command)


def retrieval_command(
    folder: Annotated[
        Path, typer.Argument(help="Folder in BEIR form: corpus.jsonl, queries.jsonl, qrels/*.tsv.")
    ],
    split: Annotated[
        str, typer.Option(help="File of qrels/ to use, such as test; needed if there are several.")
    ] = "",
    documents: Annotated[
        int, typer.Option(min=0, help="Use only the first so many documents, and their queries; 0: all.")
    ] = 0,
    rerank: Annotated[
        int, typer.Option(min=0, help="Also rerank so many of the best documents with the reranker set.")
    ] = 0,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write everything, per query too, as JSON to this file.")
    ] = None,
) -> None:
    """Rank judged documents by words, by meaning and by both, and compare.

    The documents go through the same chunks, vectors and index as those of an archive, with the encoder and
    the index that are set.
    """
    from retrieval.evaluate.beir import read_collection
    from retrieval.evaluate.run import evaluate

    settings = load()
    collection = read_collection(folder, split, documents)

    async def work() -> RetrievalEvaluation:
        with _progress_bar() as progress:
            async with _apart(settings) as built:
                return await evaluate(
                    collection,
                    built.index,
                    built.encoder,
                    progress=progress,
                    reranker=built.reranker if rerank else None,
                    reranked=rerank,
                )

    result = run_to_end(work())
    console.print(_figures(result))
    console.print(_differences(result.comparisons()))
    if json_file:
        write(json_file, result.as_json().encode())


@asynccontextmanager
async def _apart(settings: Settings) -> AsyncIterator[Runtime]:
    """A runtime with an empty index that is thrown away."""
    from adapters.data_sections import DatabaseSettings
    from adapters.wiring import runtime

    with tempfile.TemporaryDirectory(prefix="pestle-eval-") as home:
        alone = {"alias": f"pestle-eval-{secrets.token_hex(6)}", "replicas": 0}
        fresh = settings.model_copy(
            update={
                "home": Path(home),
                "database": DatabaseSettings(),
                "index": settings.index.model_copy(update={"path": ""}),
                "elasticsearch": settings.elasticsearch.model_copy(update=alone),
            }
        )
        async with runtime(fresh) as built:
            try:
                yield built
            finally:
                await built.drop_index()


@contextmanager
def _progress_bar() -> Iterator[Callable[[str, int, int], None]]:
    """A bar on standard error that shows what is being done, how far it is, and how long it will take."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    screen = Screen(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as bar:
        tasks = {}

        def shown(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.update(tasks[what], completed=done)

        yield shown


def _figures(result: RetrievalEvaluation) -> Table:
    """Means of every ranking."""
    from retrieval.evaluate.metrics import mean

    about = result.collection
    title = (
        f"{about.name} {about.split}: {len(about.articles)} documents, {len(about.queries)} queries; "
        f"{result.encoder}"
    )
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1))
    table.add_column("")
    for column in ("nDCG@10", "R@100", "MRR@10"):
        table.add_column(column, justify="right", no_wrap=True)
    for name, scores in result.rankings.items():
        found = mean(scores)
        table.add_row(name, *(f"{value:.4f}" for value in (found.ndcg, found.recall, found.reciprocal_rank)))
    return table


def _differences(comparisons: Sequence[Comparison]) -> Table:
    """Differences of nDCG@10 with their p-values."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1))
    table.add_column("nDCG@10")
    for column in ("difference", "p", "better", "worse", "equal"):
        table.add_column(column, justify="right", no_wrap=True)
    for one in comparisons:
        counts = map(str, (one.wins, one.losses, one.ties))
        table.add_row(f"{one.first} - {one.second}", f"{one.difference:+.4f}", f"{one.p_value:.5f}", *counts)
    return table
