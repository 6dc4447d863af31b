"""`pestle safety TARGET`: a target safety report in the terminal, and as files."""

from typing import Annotated

import typer

from adapters.cli.reported import Exports, JsonFile, report_on
from agents.safety.modality import Direction, Modality


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("safety")(safety_command)


def safety_command(
    target: Annotated[
        str, typer.Argument(help="Gene symbol or alias, Ensembl or NCBI gene id, or UniProt accession.")
    ],
    modality: Annotated[Modality | None, typer.Option(help="What kind of medicine it is meant for.")] = None,
    direction: Annotated[Direction | None, typer.Option(help="What shall be done to the target.")] = None,
    area: Annotated[str, typer.Option(help="Therapeutic area.")] = "",
    instructions: Annotated[str, typer.Option(help="Wishes for the whole report.")] = "",
    without: Annotated[
        list[str] | None,
        typer.Option(help="A tool that is not asked, or a section that is not written; repeatable."),
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Print all sections, with their tables.")] = False,
    thread: Annotated[str, typer.Option(help="Go on in a named thread: sections can be revised there.")] = "",
    json_file: JsonFile = None,
    export: Exports = None,
) -> None:
    """Write a target safety report: cited sections, and 19 safety endpoints weighed; its first page is shown.

    Without a language model it takes under a minute and costs nothing.
    """
    from agents.safety.choices import checked
    from agents.safety.order import SafetyOrder

    order = checked(SafetyOrder(target, modality, direction, area, instructions, tuple(without or ())))
    report_on("safety", order, order.asked, thread=thread, json_file=json_file, export=export, full=full)
