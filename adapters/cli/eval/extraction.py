"""`pestle eval extraction`: adverse events found in label sections, against those that experts marked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.table import Table

from adapters.cli.session import console, write

if TYPE_CHECKING:
    from agents.vigilance.evaluate.extraction import ExtractionScores


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("extraction")(extraction_command)


def extraction_command(
    folder: Annotated[
        Path, typer.Argument(help="A folder or file of annotated label sections, in the form of TAC 2017.")
    ],
    folds: Annotated[int, typer.Option(min=2, help="Into so many folds the labels are dealt.")] = 5,
    learn_from: Annotated[
        Path | None,
        typer.Option("--learn-from", help="Learn from these sections, not from folds of what is scored."),
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write everything as JSON to this file.")
    ] = None,
) -> None:
    """Find the adverse events of label sections and compare them with those that experts marked.

    Micro precision, recall and F1 of pairs of a label and a preferred term. Nothing is learnt from a label
    that is scored.
    """
    import orjson

    from agents.vigilance.evaluate.annotated import read_annotated
    from agents.vigilance.evaluate.extraction import evaluate_extraction

    taught = read_annotated(learn_from) if learn_from else []
    result = evaluate_extraction(read_annotated(folder), folds, taught)
    console.print(_figures(result))
    if json_file:
        write(json_file, orjson.dumps(result.as_fields(), option=orjson.OPT_INDENT_2))


def _figures(result: ExtractionScores) -> Table:
    how = f"{result.folds} folds" if result.folds else "learnt on other labels"
    table = Table(
        title=f"{result.labels} labels, {how}", title_justify="left", box=box.SIMPLE_HEAD, padding=0
    )
    for column in ("way", "section"):
        table.add_column(column)
    for column in ("precision", "recall", "F1", "right", "found", "marked"):
        table.add_column(column, justify="right", no_wrap=True)
    for way, parts in result.by_way.items():
        for part, micro in parts.items():
            shares = (micro.precision, micro.recall, micro.f1)
            told = ["" if share is None else f"{share:.3f}" for share in shares]
            table.add_row(way, part, *told, str(micro.right), str(micro.found), str(micro.marked))
    return table
