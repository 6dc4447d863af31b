"""`pestle safety TARGET`: a target safety report in the terminal, and as files."""

from pathlib import Path
from typing import Annotated

import typer

from adapters.cli.exits import check_done
from adapters.cli.session import ask, console, thread_named, with_runtime, write
from adapters.cli.terminal import Terminal
from adapters.export import FORMATS, pictures_of
from adapters.export.bundle import report_json
from adapters.wiring import Runtime
from agents.kinds import RunView
from agents.safety.choices import checked
from agents.safety.order import Direction, Modality, SafetyOrder
from bot.errors import BadRequest
from bot.routing import Routed


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
    thread: Annotated[str, typer.Option(help="Go on in a named thread: sections can be revised there.")] = "",
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the report as JSON to this file.")
    ] = None,
    export: Annotated[
        list[Path] | None, typer.Option(help="Write the report to this file (.docx, .pdf, .md); repeatable.")
    ] = None,
) -> None:
    """Write a target safety report: cited sections, and 15 safety endpoints weighed.

    Without a language model it takes under a minute and costs nothing.
    """
    files = [(path, format_of(path)) for path in export or ()]
    order = checked(SafetyOrder(target, modality, direction, area, instructions, tuple(without or ())))
    terminal = Terminal(console, thread_named(thread))

    async def work(built: Runtime) -> RunView | None:
        record = await ask(built, terminal, order.asked, Routed(built.views.kinds["safety"], order))
        view = await built.views.of(record) if record else None
        if view is None or view.history is None:
            return view
        if json_file:
            write(json_file, report_json(view))
        steps, events = (
            await built.ledger.steps(view.record.run_id),
            await built.ledger.events(view.record.run_id),
        )
        pictures = await pictures_of(view, built.storage.artefacts)
        for path, form in files:
            write(path, FORMATS[form][1](view, steps, events, pictures))
        return view

    view = with_runtime(work)
    if view:
        check_done(view.record)


def format_of(path: Path) -> str:
    """The format that a file's ending names. Raises `BadRequest` for another one."""
    form = path.suffix.lower().lstrip(".")
    if form not in FORMATS:
        raise BadRequest(f"{path.name} cannot be written: the ending is one of {', '.join(FORMATS)}.")
    return form
