"""`pestle eval refinement`: two states of a safety report that were written to JSON files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adapters.cli.session import JsonFile, console, write_json


def refinement_command(
    before: Annotated[Path, typer.Argument(help="A report before the request, as JSON.")],
    after: Annotated[Path, typer.Argument(help="The report after it.")],
    section: Annotated[str, typer.Option(help="Id of the section that was to change.")] = "",
    json_file: JsonFile = None,
) -> None:
    """What a request changed in a report, and in other sections than the one it was for."""
    from agents.reports.diff import Side
    from agents.safety.evaluate.refinement import read_report, refinement

    found = refinement(read_report(before), read_report(after), section)
    own = len(found.changes.get(found.asked, ()))
    elsewhere = sum(map(len, found.changes.values())) - own
    console.print(
        f"{own} sentences changed in {found.asked or 'no section'}, {elsewhere} elsewhere; "
        f"{len(found.identical)} other sections identical, {len(found.collateral)} not",
        highlight=False,
    )
    for name in found.collateral:
        console.tell(f"not identical: {name}", "red", wrap=True)
    for name, changes in found.changes.items():
        for one in changes:
            mark = "-" if one.side is Side.BEFORE else "+"
            console.tell(f"{mark} {name}: {one.text}", wrap=True)
    write_json(json_file, found)
