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

COLUMNS = ("arrival", "sorted", "top 10", "published", "IntDiv", "… best 100", "circles .75", ".85")
NAMES = ("arrival", "sorted", "top10", "published10", "diversity", "diversity_top", "circles75", "circles85")


def design_command(
    folder: Annotated[Path, typer.Argument(help="A folder with oracles/*.npz and a file of SMILES.")],
    oracle: Annotated[
        list[str] | None, typer.Option(help="Ask only the oracle of this name; repeat for more.")
    ] = None,
    calls: Annotated[int, typer.Option(min=10, help="Oracle calls of each search.")] = 1_000,
    seeds: Annotated[int, typer.Option(min=1, help="Searches of each method.")] = 5,
    first_seed: Annotated[int, typer.Option(help="The seeds are this one and those after it.")] = 0,
    target: Annotated[
        str, typer.Option(help="Gene symbol to look papers up by; how the oracle's name begins, if none.")
    ] = "",
    peers: Annotated[bool, typer.Option(help="Also a plain genetic search, and molecules by chance.")] = True,
    ablations: Annotated[
        bool, typer.Option(help="Take critique, vote, debate and profiles away; vary the panel.")
    ] = False,
    method: Annotated[
        list[str] | None, typer.Option(help="Only the row of this name; repeat for more.")
    ] = None,
    kept: Annotated[
        Path | None, typer.Option(help="Where paid scores are kept, so that a killed evaluation goes on.")
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """Search for molecules that an oracle rates high, and tell how fast and how diverse.

    Top-10 AUC in the order of the calls (PMO), and sorted first as in Indibator's code; IntDiv and #Circles.
    Means over seeds with 95 % confidence intervals. What was paid for and what is done is kept: run it again
    to go on, or with another --kept after the program changed.
    """
    from agents.design.evaluate.figures import over_seeds
    from agents.design.evaluate.run import ABLATIONS, METHODS, Setting, evaluate

    kept = kept or load().home / "evaluations" / "design"
    methods = ABLATIONS if ablations else METHODS if peers else METHODS[:1]
    methods = tuple(one for one in methods if not method or one.name in method)
    if not methods:
        raise typer.BadParameter("no row has such a name", param_hint="--method")
    numbers = tuple(range(first_seed, first_seed + seeds))
    setting = Setting(folder, kept, oracle or (), calls, numbers, methods, target)
    found = asyncio.run(evaluate(setting))
    told = {name: {method: over_seeds(rows) for method, rows in by.items()} for name, by in found.items()}
    console.print(_figures(told, calls, numbers))
    write_json(
        json_file,
        {
            "calls": calls,
            "seeds": numbers,
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


def _figures(told: dict[str, dict[str, dict[str, Mean]]], calls: int, seeds: tuple[int, ...]) -> Table:
    title = f"{calls:,} oracle calls, seeds {seeds[0]} to {seeds[-1]}, ± half a 95 % confidence interval"
    table = figures_table(title, ["oracle", "search"], COLUMNS)
    for name, by in told.items():
        for method, means in by.items():
            table.add_row(name, method, *(_cell(means[figure]) for figure in NAMES))
    return table


def _cell(mean: Mean) -> str:
    digits = 0 if mean.value > 2 else 3
    half = "" if mean.half_width is None else f" ± {mean.half_width:.{digits}f}"
    return f"{mean.value:.{digits}f}{half}"
