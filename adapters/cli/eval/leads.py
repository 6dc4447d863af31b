"""`pestle eval leads`: better docking near a seed, within limits on every lead."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.eval.figures import figures_table
from adapters.cli.session import JsonFile, console, load, write_json

if TYPE_CHECKING:
    from agents.design.evaluate.leads import Led

COLUMNS = ("published", "seed", "best lead", "gain", "QED", "SA", "similarity", "leads", "calls")
SHOWN = 10
"""Leads of a seed in the JSON file."""
SEED = 0
"""Of the search."""


def leads_command(
    folder: Annotated[Path, typer.Argument(help="A folder with seeds.csv, boxes.json and RECEPTOR.pdbqt.")],
    row: Annotated[list[int] | None, typer.Option(help="Only the seed of this row, from 1; repeat.")] = None,
    calls: Annotated[int, typer.Option(min=5, help="Docking calls of each seed, its own the first.")] = 1_000,
    similarity: Annotated[float, typer.Option(help="Tanimoto similarity to the seed at least.")] = 0.4,
    plain: Annotated[
        bool, typer.Option("--plain", help="A plain genetic search instead, as a peer.")
    ] = False,
    json_file: JsonFile = None,
) -> None:
    """Optimise leads by docking: the best score near each seed, kcal/mol, and what all leads keep to.

    QED and similarity are the lowest, SA the highest of all leads of a seed.
    """
    from agents.design.evaluate.leads import PLAIN, PLAN, Limits, all_led, read_starts

    starts = read_starts(folder)
    chosen = [one for number, one in enumerate(starts, 1) if not row or number in row]
    where = load().home / "evaluations" / "leads"
    limits = Limits(similarity=similarity)
    work = all_led(folder, chosen, limits, calls, SEED, where, PLAIN if plain else PLAN)
    rows = [_row(one) for one in asyncio.run(work)]
    table = figures_table(f"{calls} docking calls a seed, {limits}", ["receptor"], COLUMNS)
    for one in rows:
        cells = (one[name] for name in COLUMNS)
        table.add_row(str(one["receptor"]), *(_cell(cell) for cell in cells))
    console.print(table)
    write_json(json_file, {"limits": repr(limits), "rows": rows})


def _row(led: Led) -> dict[str, object]:
    from agents.chemistry.properties import qed, sa
    from agents.chemistry.similarity import tanimoto

    best = led.leads[0].score.value if led.leads else None
    molecules = [one.molecule for one in led.leads]
    seed = led.start.molecule
    return {
        "receptor": led.start.receptor,
        "smiles": seed.smiles,
        "published": led.start.published,
        "seed": led.before,
        "best lead": best,
        "gain": None if best is None or led.before is None else led.before - best,
        "QED": min(map(qed, molecules), default=None),
        "SA": max(map(sa, molecules), default=None),
        "similarity": min((tanimoto(one, seed) for one in molecules), default=None),
        "leads": len(molecules),
        "calls": led.calls,
        "best": [(one.molecule.smiles, one.score.value) for one in led.leads[:SHOWN]],
    }


def _cell(value: object) -> str:
    return "none" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)
