"""`pestle eval retrieval`: how well the search ranks the documents that experts judged relevant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.table import Table

from adapters.cli.judged import Cache, Documents, Folder, IndexKind, Kind, Model, Split, apart, progress_bar
from adapters.cli.session import console, load, run_to_end, write
from bot.errors import BadRequest

if TYPE_CHECKING:
    from retrieval.evaluate.beir import Collection
    from retrieval.evaluate.run import RetrievalEvaluation
    from retrieval.evaluate.significance import Comparison

SHOWN = 5
"""Queries shown for either side of a comparison that was asked for."""

Depth = Annotated[
    int | None, typer.Option(min=1, help="Chunks that either search hands over; default: as in use.")
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("retrieval")(retrieval_command)


def retrieval_command(
    folder: Folder,
    index: Kind = IndexKind.EMBEDDED,
    model: Model = None,
    split: Split = "",
    documents: Documents = 0,
    depth: Depth = None,
    rerank: Annotated[
        int, typer.Option(min=0, help="Also rerank so many of the best documents with the reranker set.")
    ] = 0,
    compare: Annotated[
        tuple[str, str], typer.Option(help="Two rows of the table, compared query by query.")
    ] = ("", ""),
    earlier: Annotated[
        Path | None, typer.Option("--against", help="JSON of an earlier run, compared row by row.")
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write everything, per query too, as JSON to this file.")
    ] = None,
    cache: Cache = None,
) -> None:
    """Rank judged documents by words, by meaning and by both, and compare.

    The documents go through the same chunks, vectors and index as those of an archive. Weights are learnt in
    five folds, so that no query is scored with what was learnt on it.
    """
    from retrieval.evaluate.beir import read_collection
    from retrieval.evaluate.run import COMPARED, against, evaluate, read_earlier
    from retrieval.evaluate.systems import IN_USE, RERANKED
    from retrieval.search import CANDIDATES

    settings = load()
    collection = read_collection(folder, split, documents)
    other = read_earlier(earlier) if earlier else {}

    async def work() -> RetrievalEvaluation:
        with progress_bar() as progress:
            async with apart(settings, index, cache, model) as (built, encoder):
                return await evaluate(
                    collection,
                    built.index,
                    encoder,
                    built.calibration,
                    index_name=index,
                    depth=depth or CANDIDATES,
                    progress=progress,
                    reranker=built.reranker if rerank else None,
                    reranked=rerank,
                    sparse=built.models.sparse,
                )

    result = run_to_end(work())
    pairs = [*COMPARED, *([(RERANKED, IN_USE)] if rerank else []), *([compare] if any(compare) else [])]
    comparisons = [*against(result, other), *(compared(result, *pair) for pair in pairs)]
    console.print(figures(result))
    console.print(differences(comparisons))
    if any(compare):
        for line in queries_apart(collection, comparisons[-1]):
            console.print(line, markup=False, highlight=False, soft_wrap=True)
    if json_file:
        write(json_file, result.as_json(comparisons).encode())


def compared(result: RetrievalEvaluation, first: str, second: str) -> Comparison:
    """A comparison. Raises `BadRequest` for a row that there is not."""
    try:
        return result.compared(first, second)
    except KeyError as error:
        names = ", ".join(f'"{system.name}"' for system in result.systems)
        raise BadRequest(f"There is no row {error} to compare. There are {names}.") from None


def figures(result: RetrievalEvaluation) -> Table:
    """Means of every configuration."""
    from retrieval.evaluate.metrics import mean

    about = result.collection
    title = (
        f"{about.name} {about.split}: {len(about.articles)} documents, {len(about.queries)} queries; "
        f"{result.encoder}, {result.index} index"
    )
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1))
    table.add_column("")
    for column in ("nDCG@10", "R@100", "MRR@10"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("chosen")
    for system in result.systems:
        found = mean(system.scores)
        cells = (f"{value:.4f}" for value in (found.ndcg, found.recall, found.reciprocal_rank))
        table.add_row(system.name, *cells, system.note)
    return table


def differences(comparisons: Sequence[Comparison]) -> Table:
    """Differences of nDCG@10 with their p-values."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1))
    table.add_column("nDCG@10")
    for column in ("difference", "p", "better", "worse", "equal"):
        table.add_column(column, justify="right", no_wrap=True)
    for one in comparisons:
        counts = map(str, (one.wins, one.losses, one.ties))
        table.add_row(f"{one.first} - {one.second}", f"{one.difference:+.4f}", f"{one.p_value:.5f}", *counts)
    return table


def queries_apart(collection: Collection, comparison: Comparison) -> Iterator[str]:
    """The queries with the largest differences either way."""
    ordered = sorted(comparison.differences.items(), key=lambda item: item[1])
    for name, difference in (*ordered[::-1][:SHOWN], *ordered[:SHOWN][::-1]):
        if difference:
            yield f"{difference:+.3f}  {name}: {collection.queries[name]}"
