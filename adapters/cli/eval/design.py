"""`pestle eval design`: what searches reach with a budget of oracle calls, beside plain peers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.eval.figures import figures_table
from adapters.cli.session import JsonFile, console, load, with_runtime, write_json

if TYPE_CHECKING:
    from agents.design.evaluate.figures import Mean

COLUMNS = (
    "arrival",
    "− first",
    "designed",
    "− first",
    "sorted",
    "top 10",
    "published",
    "IntDiv",
    "of 100",
    ".75",
    ".85",
)
OTHERS = ("sorted", "top10", "published10", "diversity", "diversity_top", "circles75", "circles85")


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

    Top-10 AUC in the order of the calls (PMO), the same without what papers report ("designed"), what each
    has more than the first row on the same seeds, and sorted first as in Indibator's code; IntDiv, also of
    the best 100; #Circles at .75 and .85. What is paid for and done is kept: run it again to go on, or with
    another --kept after the program changed.
    """
    from agents.design.evaluate.figures import over_seeds
    from agents.design.evaluate.run import ABLATIONS, METHODS, Setting, evaluate

    kept = kept or load().home / "evaluations" / "design"
    methods = ABLATIONS if ablations else METHODS
    methods = tuple(one for one in methods if not method or one.name in method)
    if not methods:
        raise typer.BadParameter("no row has such a name", param_hint="--method")
    numbers = tuple(range(first_seed, first_seed + seeds))
    setting = Setting(folder, kept, oracle or (), calls, numbers, methods, target)
    found = with_runtime(lambda built: evaluate(replace(setting, model=built.house.model)))
    for left in {one.name for one in methods}.difference(*found.values()):
        console.tell(f"“{left}” is left out: it needs a language model. Set PESTLE_MODEL_BASE_URL.")
    title = f"{calls:,} oracle calls, seeds {numbers[0]} to {numbers[-1]}, ± half a 95 % confidence interval"
    table = figures_table(title, ["oracle", "search"], COLUMNS)
    for name, by in found.items():
        for search, rows in by.items():
            means, more = over_seeds(rows), over_seeds(rows, next(iter(by.values())))
            cells = [_cell(some[figure]) for figure in ("arrival", "designed") for some in (means, more)]
            table.add_row(name, search, *cells, *(_cell(means[figure]) for figure in OTHERS))
    console.print(table)
    write_json(json_file, {"calls": calls, "seeds": numbers, "by_seed": found})


def _cell(mean: Mean) -> str:
    digits = 0 if mean.value > 2 else 3
    half = "" if mean.half_width is None else f" ± {mean.half_width:.{digits}f}"
    return f"{mean.value:.{digits}f}{half}"
