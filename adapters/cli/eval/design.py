"""`pestle eval design`: what searches reach with a budget of oracle calls, beside plain peers."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.eval.figures import figures_table
from adapters.cli.session import JsonFile, console, load, write_json

if TYPE_CHECKING:
    from rich.table import Table

    from agents.design.evaluate.figures import Mean

COLUMNS = ("AUC, arrival", "AUC, sorted", "top 10", "IntDiv", "… of best 100", "circles .75", ".85")
NAMES = ("arrival", "sorted", "top10", "diversity", "diversity_top", "circles75", "circles85")


def design_command(
    folder: Annotated[Path, typer.Argument(help="A folder with oracles/*.npz and a file of SMILES.")],
    oracle: Annotated[
        list[str] | None, typer.Option(help="Ask only the oracle of this name; repeat for more.")
    ] = None,
    calls: Annotated[int, typer.Option(min=10, help="Oracle calls of each search.")] = 1_000,
    seeds: Annotated[int, typer.Option(min=1, help="Searches of each method.")] = 5,
    peers: Annotated[bool, typer.Option(help="Also a plain genetic search, and molecules by chance.")] = True,
    kept: Annotated[
        Path | None, typer.Option(help="Where paid scores are kept, so that a killed evaluation goes on.")
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """Search for molecules that an oracle rates high, and tell how fast and how diverse.

    Top-10 AUC in the order of the calls (PMO), and sorted first as in Indibator's code; IntDiv and #Circles.
    Means over seeds with 95 % confidence intervals. What was paid for is kept: run it again to go on.
    """
    from agents.design.evaluate.figures import over_seeds
    from agents.design.evaluate.run import METHODS, Setting, evaluate

    folder_of_scores = kept or load().home / "evaluations" / "design"
    methods = METHODS if peers else METHODS[:1]
    setting = Setting(folder, folder_of_scores, oracle or (), calls, seeds, methods)
    found = asyncio.run(evaluate(setting))
    told = {name: {method: over_seeds(rows) for method, rows in by.items()} for name, by in found.items()}
    console.print(_figures(told, calls, seeds))
    write_json(
        json_file,
        {
            "calls": calls,
            "seeds": seeds,
            "figures": {
                name: {
                    method: {figure: asdict(mean) for figure, mean in means.items()}
                    for method, means in by.items()
                }
                for name, by in told.items()
            },
            "by_seed": {
                name: {method: [asdict(row) for row in rows] for method, rows in by.items()}
                for name, by in found.items()
            },
        },
    )


def _figures(told: dict[str, dict[str, dict[str, Mean]]], calls: int, seeds: int) -> Table:
    title = f"{calls:,} oracle calls, {seeds} seeds, ± half a 95 % confidence interval"
    table = figures_table(title, ["oracle", "search"], COLUMNS)
    for name, by in told.items():
        for method, means in by.items():
            table.add_row(name, method, *(_cell(means[figure]) for figure in NAMES))
    return table


def _cell(mean: Mean) -> str:
    digits = 0 if mean.value > 2 else 3
    half = "" if mean.half_width is None else f" ± {mean.half_width:.{digits}f}"
    return f"{mean.value:.{digits}f}{half}"
