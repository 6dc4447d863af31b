"""`pestle eval retrieval`: how well the search ranks the documents that experts judged relevant."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.eval.figures import figures_table
from adapters.cli.progress import progress
from adapters.cli.session import console, load, run_to_end, write_json

if TYPE_CHECKING:
    from rich.table import Table

    from retrieval.evaluate.run import RetrievalEvaluation
    from retrieval.evaluate.significance import Comparison


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
    from adapters.cli.eval.tools import house_apart
    from retrieval.evaluate.beir import read_collection
    from retrieval.evaluate.run import evaluate

    settings = load()
    collection = read_collection(folder, split, documents)

    async def work() -> RetrievalEvaluation:
        with progress(console, "steps") as shown:
            async with house_apart(settings) as built:
                return await evaluate(
                    collection,
                    built.index,
                    built.encoder,
                    progress=lambda what, done, total: shown(done, total, what),
                    reranker=built.reranker if rerank else None,
                    reranked=rerank,
                )

    result = run_to_end(work())
    console.print(_figures(result))
    console.print(_differences(result.comparisons()))
    write_json(json_file, result.as_fields())


def _figures(result: RetrievalEvaluation) -> Table:
    """Means of every ranking."""
    from retrieval.evaluate.metrics import mean

    about = result.collection
    title = (
        f"{about.name} {about.split}: {len(about.articles)} documents, {len(about.queries)} queries; "
        f"{result.encoder}"
    )
    table = figures_table(title, [""], ("nDCG@10", "R@100", "MRR@10"))
    for name, scores in result.rankings.items():
        found = mean(scores)
        table.add_row(name, *(f"{value:.4f}" for value in (found.ndcg, found.recall, found.reciprocal_rank)))
    return table


def _differences(comparisons: Sequence[Comparison]) -> Table:
    """Differences of nDCG@10 with their p-values."""
    table = figures_table("", ["nDCG@10"], ("difference", "p", "better", "worse", "equal"))
    for one in comparisons:
        counts = map(str, (one.wins, one.losses, one.ties))
        table.add_row(f"{one.first} - {one.second}", f"{one.difference:+.4f}", f"{one.p_value:.5f}", *counts)
    return table
