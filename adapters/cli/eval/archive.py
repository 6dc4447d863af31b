"""`pestle eval archive`: the questions of a gold set over its archive, scored as in the paper."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.eval.figures import figures_table, share
from adapters.cli.session import JsonFile, console, load, run_to_end, write

if TYPE_CHECKING:
    from rich.table import Table

    from agents.archive.evaluate.run import Evaluation

SHARES = ("accuracy", "precision", "recall", "specificity", "F1")


def archive_command(
    folder: Annotated[
        Path, typer.Argument(help="Folder with molecules.json, questions.json, gold and documents.")
    ],
    json_file: JsonFile = None,
) -> None:
    """Ask the questions of a gold set, score the answers, explain each miss, check each citation."""
    from adapters.cli.eval.tools import tools_for
    from agents.archive.evaluate.run import evaluate

    result = run_to_end(evaluate(folder, tools_for(load())))
    console.print(_figures(result))
    for cell in result.cells:
        if cell.explanation:
            head = f"{cell.gold.molecule} {cell.gold.question_id} {cell.judged.outcome}"
            console.tell(f"{head}: {cell.explanation}", wrap=True)
    _print_citations(result)
    if json_file:
        write(json_file, result.as_json().encode())
    if result.verbatim.wrong:
        raise typer.Exit(7)


def _figures(result: Evaluation) -> Table:
    """The figures of every group."""
    table = figures_table(result.folder, [""], ("cells", "TP", "TN", "FP", "FN", *SHARES))
    for name, found in result.groups.items():
        counts = (found.cells, found.tp, found.tn, found.fp, found.fn)
        shares = (found.accuracy, found.precision, found.recall, found.specificity, found.f1)
        table.add_row(name, *map(str, counts), *map(share, shares))
    return table


def _print_citations(result: Evaluation) -> None:
    """How many citations are verbatim, and each that is not."""
    checked = result.verbatim
    console.print(
        f"{checked.citations} citations of {checked.answers} answers: {len(checked.wrong)} not verbatim",
        highlight=False,
    )
    for line in checked.wrong:
        console.tell(line, "red", wrap=True)
