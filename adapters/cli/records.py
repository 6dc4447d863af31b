"""`pestle records`: documents, studies and molecules of the archive, by what is known of them."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from adapters.cli.session import console, with_runtime, write_json
from bot.errors import BadRequest
from bot.record_cards import counted, in_columns
from retrieval.records import RecordFilter, Thing, find_records

COLUMN_WIDTH = 26
"""Characters of the terminal for each column beside the name."""


def records_command(
    words: Annotated[list[str] | None, typer.Argument(help="Words that a record holds.")] = None,
    thing: Annotated[Thing, typer.Option("--of", help="What to list.")] = Thing.DOCUMENTS,
    molecule: Annotated[str, typer.Option(help="A name of the molecule, in any spelling.")] = "",
    document_type: Annotated[str, typer.Option("--type", help="Words of the type.")] = "",
    year: Annotated[str, typer.Option(help="One year, or two: 2017-2019.")] = "",
    phase: Annotated[str, typer.Option(help="The phase, such as 2.")] = "",
    species: Annotated[str, typer.Option(help="The species, such as rat.")] = "",
    status: Annotated[str, typer.Option(help="The status, such as terminated.")] = "",
    most: Annotated[int, typer.Option(help="How many rows to show.", min=1)] = 200,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the rows as JSON; a FILE.json named last is written.")
    ] = False,
) -> None:
    """List documents, studies or molecules that meet all conditions."""
    if year and not re.fullmatch(r"\d{4}(?:-\d{4})?", year):
        raise BadRequest(f"{year!r} is no year. Write one, or two: --year 2017-2019.")
    said = list(words or ())
    file = Path(said.pop()) if as_json and said and said[-1].endswith(".json") else None
    asked = RecordFilter(thing, molecule, document_type, year, phase, species, status, " ".join(said))
    found = with_runtime(lambda built: find_records(built.index, asked, limit=most))
    if as_json:
        from adapters.cli.archive import as_json_text

        content = {"total": found.total, "rows": [asdict(row) for row in found.rows]}
        if file:
            write_json(file, content)
        else:
            print(as_json_text(content))
    elif found.rows:
        heads, rows, left_out = in_columns(found.rows, console.width // COLUMN_WIDTH)
        console.print(_table(heads, rows))
        more = f" A wider terminal and --json also show: {', '.join(left_out).lower()}." if left_out else ""
        some = f"{len(found.rows)} of " if len(found.rows) < found.total else ""
        console.print(f"{some}{counted(found, thing)}.{more}", highlight=False)
    else:
        console.print(f"No {thing.value} in the archive meet that. `pestle documents` lists all.")


def _table(heads: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> Table:
    table = Table(*heads, box=box.SIMPLE_HEAD, show_edge=False)
    for column in table.columns:
        column.overflow = "fold"
    table.columns[0].min_width = min(max(len(row[0]) for row in rows), console.width // 2)
    for row in rows:
        table.add_row(*map(Text, row))
    return table
