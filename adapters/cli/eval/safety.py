"""`pestle eval safety`: what the sources show of targets, against what reviews of target safety name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.eval.figures import figures_table, share
from adapters.cli.session import JsonFile, console, load, run_to_end, write
from retrieval.errors import JudgementsError

if TYPE_CHECKING:
    from rich.table import Table

    from agents.safety.evaluate.figures import Figures
    from agents.safety.evaluate.targets import SafetyEvaluation
    from agents.tools.toolset import Toolset

COLUMNS = ("recall", "precision", "F1", "found")


def safety_command(
    folder: Annotated[Path, typer.Argument(help="Folder with targets.tsv and adverse_effects.tsv.")],
    json_file: JsonFile = None,
    learn: Annotated[
        Path | None, typer.Option(help="Write the weights of evidence that these targets teach to this file.")
    ] = None,
) -> None:
    """Compare what the loaded databases show of targets with what reviews of target safety name.

    Only loaded files are asked, and never the curated rows themselves.
    """
    from agents.safety.evaluate.targets import evaluate_targets

    result = run_to_end(evaluate_targets(folder, _tools()))
    if not result.covered:
        raise JudgementsError(
            "No loaded database knows any of these targets. `pestle sources load` takes their files."
        )
    console.print(
        f"{len(result.covered)} of {len(result.targets)} targets covered by loaded files", highlight=False
    )
    console.print(_figures(result))
    console.print(_curve(result))
    for line in result.not_covered():
        console.print(line, markup=False, highlight=False)
    if json_file:
        write(json_file, result.as_json())
    if learn:
        write(learn, result.learnt().as_json().encode())


def _tools() -> Toolset:
    """The databases of which a file is loaded; the network is not used, so that figures can be repeated."""
    from adapters.sources.reach import bulk_folder
    from agents.databases.ports import Reach
    from agents.databases.toolset import database_tools

    return database_tools(Reach(bulk_folder(load())))


def _figures(result: SafetyEvaluation) -> Table:
    table = figures_table(result.folder, [""], COLUMNS)
    least = result.weights.likely
    rows = {
        f"organ systems, score from {least:.2f}": result.organ_systems(least),
        "the same, weights learnt without the target's group": _held(result, least),
        "as a report lists them: likely, or with more than weak evidence": result.listed(),
        "always the same systems": result.baseline(),
        "organ systems with direction": result.affected(),
        **{name.replace("_", ", "): found for name, found in result.events().items()},
    }
    for name, found in rows.items():
        if found is not None:
            table.add_row(name, *_cells(found))
    return table


def _curve(result: SafetyEvaluation) -> Table:
    from agents.safety.evaluate.targets import CURVE

    title = "Organ systems by score of the evidence; left fitted, right held out"
    table = figures_table(title, [""], (*COLUMNS, *COLUMNS))
    for least in CURVE:
        held = _held(result, least)
        cells = [*_cells(result.organ_systems(least)), *(_cells(held) if held else [])]
        table.add_row(f"{least:.2f}", *cells)
    return table


def _held(result: SafetyEvaluation, least: float) -> Figures | None:
    return result.organ_systems(least, held_out=True) if result.without else None


def _cells(found: Figures) -> list[str]:
    shares = (found.recall, found.precision, found.f1)
    return [*map(share, shares), f"{found.found:.1f}"]
