"""`pestle records`: documents, studies and molecules of the archive, by what is known of them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from adapters.cli.session import console, with_runtime
from retrieval.records import RecordFilter, RecordRow, Thing, find_records

COLUMNS = ("Title", "Type", "Phase", "Species", "Status", "Date", "Molecules", "Documents")


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
    as_json: Annotated[bool, typer.Option("--json", help="Print the rows as JSON.")] = False,
) -> None:
    """List documents, studies or molecules that meet all conditions."""
    asked = RecordFilter(thing, molecule, document_type, year, phase, species, status, " ".join(words or ()))

    found = with_runtime(lambda built: find_records(built.index, asked, limit=most))
    if as_json:
        from adapters.cli.archive import as_json_text

        print(as_json_text({"total": found.total, "rows": [asdict(row) for row in found.rows]}))
    elif found.rows:
        console.print(_table(found.rows))
        console.print(f"{len(found.rows)} of {found.total} {thing.value}.", highlight=False)
    else:
        console.print(f"No {thing.value} in the archive meet that. `pestle documents` lists all.")


def _table(rows: tuple[RecordRow, ...]) -> object:
    """The rows with the columns that any of them fills."""
    from rich import box
    from rich.table import Table

    told = [_cells(row) for row in rows]
    filled = [number for number in range(len(COLUMNS)) if any(cells[number] for cells in told)]
    table = Table("Name", *(COLUMNS[number] for number in filled), box=box.SIMPLE_HEAD)
    for row, cells in zip(rows, told, strict=True):
        table.add_row(row.name, *(cells[number] for number in filled))
    return table


def _cells(row: RecordRow) -> tuple[str, ...]:
    documents = ", ".join(one for one in row.documents if one != row.name)
    molecules = ", ".join(row.names if row.molecules == (row.name,) else row.molecules)
    return (
        row.title,
        row.type,
        row.phase,
        ", ".join(row.species),
        row.status,
        row.date,
        molecules,
        documents,
    )
