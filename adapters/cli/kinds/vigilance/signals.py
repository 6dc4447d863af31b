"""`pestle signals`: disproportionality in a table of spontaneous reports."""

from pathlib import Path
from typing import Annotated

import typer

from adapters.cli.session import console, write
from bot.errors import BadRequest


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("signals")(signals_command)


def signals_command(
    table: Annotated[
        Path, typer.Argument(help="Reports: columns report, drug, event; sex and age if known.")
    ],
    drug: Annotated[list[str], typer.Option(help="The drug; may be given again with its other names.")],
    event: Annotated[list[str], typer.Option(help="The event; may be given again with other terms.")],
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write everything as JSON to this file.")
    ] = None,
) -> None:
    """Tell whether spontaneous reports name a drug with an event more often than expected.

    ROR, PRR and IC with 95 % intervals; ROR over strata of sex and age where the table has them. It supports
    what labels say and proves no cause.
    """
    import orjson

    from agents.databases.case_reports import read_cases
    from agents.vigilance.outcomes import outcome_of
    from agents.vigilance.signals import meets_evans, signal

    try:
        with table.open(encoding="utf-8-sig", errors="replace", newline="") as opened:
            cases = read_cases(opened)
    except OSError as error:
        raise BadRequest(f"{table} cannot be read: {error.strerror}.") from error
    terms = [term for one in event for term in (one, *outcome_of(one).terms)]
    found = signal(cases, drug, terms, event=event[0])
    console.print(found.told, highlight=False, markup=False)
    if json_file:
        content = {"meets_evans": meets_evans(found), "told": found.told, "signal": found}
        write(json_file, orjson.dumps(content, option=orjson.OPT_INDENT_2))
