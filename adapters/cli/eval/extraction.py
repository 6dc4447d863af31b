"""`pestle eval extraction`: adverse events found in label sections, against those that experts marked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.eval.figures import figures_table, share
from adapters.cli.session import JsonFile, console, write_json

if TYPE_CHECKING:
    from rich.table import Table

    from agents.vigilance.evaluate.extraction import ExtractionScores


def extraction_command(
    folder: Annotated[
        Path, typer.Argument(help="A folder or file of annotated label sections, in the form of TAC 2017.")
    ],
    learn_from: Annotated[
        Path | None,
        typer.Option("--learn-from", help="Learn from these sections, not from folds of what is scored."),
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """Find the adverse events of label sections and compare them with those that experts marked.

    Micro precision, recall and F1 of pairs of a label and a preferred term. Nothing is learnt from a label
    that is scored.
    """
    from agents.vigilance.evaluate.annotated import read_annotated
    from agents.vigilance.evaluate.extraction import evaluate_extraction

    taught = read_annotated(learn_from) if learn_from else []
    result = evaluate_extraction(read_annotated(folder), taught=taught)
    console.print(_figures(result))
    write_json(json_file, result.as_fields())


def _figures(result: ExtractionScores) -> Table:
    how = f"{result.folds} folds" if result.folds else "learnt on other labels"
    columns = ("precision", "recall", "F1", "right", "found", "marked")
    table = figures_table(f"{result.labels} labels, {how}", ("way", "section"), columns)
    for way, parts in result.by_way.items():
        for part, micro in parts.items():
            shares = map(share, (micro.precision, micro.recall, micro.f1))
            table.add_row(way, part, *shares, str(micro.right), str(micro.found), str(micro.marked))
    return table
