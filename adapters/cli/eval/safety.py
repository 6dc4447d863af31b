"""`pestle eval safety`: what the sources show of targets, against what reviews of target safety name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.eval.figures import figures_table, share
from adapters.cli.session import JsonFile, console, load, run_to_end, write_json
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
    right, told = result.directions()
    areas = ", ".join(
        f"{system} {area:.3f} ({low:.2f} to {high:.2f})"
        for system, (area, low, high) in result.areas().items()
    )
    console.tell(f"Directions told in systems that reviews name: {right} of {told} right", wrap=True)
    console.tell(f"Area under the curve of each system (95 % over groups): {areas}", wrap=True)
    for line in result.not_covered():
        console.tell(line, wrap=True)
    write_json(json_file, result.as_fields())


def _tools() -> Toolset:
    """The databases of which a file is loaded; the network is not used, so that figures can be repeated."""
    from adapters.sources.reach import bulk_folder
    from agents.databases.ports import Reach
    from agents.databases.toolset import database_tools

    return database_tools(Reach(bulk_folder(load())))


def _figures(result: SafetyEvaluation) -> Table:
    from agents.safety.evaluate.targets import ALWAYS

    table = figures_table(result.folder, [""], COLUMNS)
    rows = {
        "organ systems as a report lists them": result.listed(),
        "… by numbers chosen on the other groups": result.held_out(),
        "organ systems with direction": result.affected(),
        **{f"always the same {count} systems": result.baseline(count) for count in ALWAYS},
    }
    for name, found in rows.items():
        table.add_row(name, *_cells(found))
    return table


def _cells(found: Figures) -> list[str]:
    shares = (found.recall, found.precision, found.f1)
    return [*map(share, shares), f"{found.found:.1f}"]
