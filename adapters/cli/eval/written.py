"""`pestle eval consistency` and `pestle eval refinement`: safety reports that were written to JSON files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.eval.figures import figures_table, share
from adapters.cli.session import JsonFile, console, load, run_to_end, with_runtime, write, write_json
from bot.errors import BadRequest

if TYPE_CHECKING:
    from rich.table import Table

    from adapters.wiring import Runtime
    from agents.safety.evaluate.consistency import Agreement, Consistency
    from agents.safety.evaluate.refinement import Labelled, Refinement


def consistency_command(
    reports: Annotated[list[Path], typer.Argument(help="Two reports or more, as JSON.")],
    json_file: JsonFile = None,
    model: Annotated[
        bool, typer.Option("--model", help="The language model that is set judges, not the vocabulary.")
    ] = False,
) -> None:
    """Species-weighted Claim-F1 between safety reports on the same target, by endpoint.

    Every pair of reports on a target is compared.
    """
    from agents.safety.evaluate.consistency import compare
    from agents.safety.evaluate.judges import ModelJudge, VocabularyJudge
    from agents.safety.evaluate.written import read_risks

    runs = [read_risks(path) for path in reports]
    if len(runs) < 2:
        raise BadRequest("Name two reports or more.")
    if model and not load().model.base_url:
        raise BadRequest("--model needs a language model: set PESTLE_MODEL_BASE_URL.")

    async def judged(built: Runtime) -> Consistency:
        assert built.house.model is not None
        return await compare(runs, ModelJudge(built.house.model))

    result = with_runtime(judged) if model else run_to_end(compare(runs, VocabularyJudge()))
    if not result.pairs:
        raise BadRequest("No two of these reports are on the same target.")
    console.print(_agreements(result))
    if json_file:
        write(json_file, result.as_json())


def refinement_command(
    reports: Annotated[
        list[Path] | None, typer.Argument(metavar="BEFORE AFTER", help="A report before and after, as JSON.")
    ] = None,
    section: Annotated[str, typer.Option(help="Id of the section that was to change.")] = "",
    request: Annotated[str, typer.Option(help="The request as the sheet names it.")] = "",
    sheet: Annotated[Path | None, typer.Option(help="Write a labelling sheet (CSV) to this file.")] = None,
    labels: Annotated[
        list[Path] | None, typer.Option(help="Filled-in sheet; several are counted together.")
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """What a request changed in a report, and in other sections; or the figures of filled-in sheets.

    Label each changed sentence B (beneficial), N (neutral) or H (harmful).
    """
    from agents.safety.evaluate.refinement import labelled, refinement
    from agents.safety.evaluate.written import read_report

    if labels:
        _tell_labels(labelled(labels), json_file)
        return
    if not reports or len(reports) != 2:
        raise BadRequest("Name the report before and the report after, or sheets with --labels.")
    found = refinement(read_report(reports[0]), read_report(reports[1]), section)
    _tell(found)
    if sheet:
        write(sheet, found.sheet(request or reports[1].stem).encode())
    if json_file:
        write(json_file, found.as_json())


def _tell(found: Refinement) -> None:
    elsewhere = len(found.changes) - found.in_section
    console.print(
        f"{found.in_section} sentences changed in {found.asked or 'no section'}, {elsewhere} elsewhere; "
        f"{len(found.identical)} other sections identical, {len(found.collateral)} not",
        highlight=False,
    )
    for name in found.collateral:
        console.print(f"not identical: {name}", style="red", markup=False, highlight=False)
    for one in found.changes:
        for mark, text in (("-", one.before), ("+", one.after)):
            if text:
                console.print(f"{mark} {one.section}: {text}", markup=False, highlight=False)


def _tell_labels(found: Labelled, json_file: Path | None) -> None:
    fields = found.as_fields()
    for name, value in fields.items():
        told = str(value) if isinstance(value, int | str) else share(value)
        console.print(f"{name.replace('_', ' ')}: {told}", highlight=False)
    write_json(json_file, fields)


def _agreements(result: Consistency) -> Table:
    """A row for each endpoint with claims, and one for all."""
    from agents.safety.endpoints.values import Endpoint

    title = f"{len(result.pairs)} pairs of reports, judged by {result.judge}"
    table = figures_table(title, [""], ("precision", "recall", "Claim-F1", "claims", "left out"))
    rows = {endpoint.title: result.of_endpoint(endpoint) for endpoint in Endpoint}
    for name, found in {**rows, "all endpoints": result.overall}.items():
        if found.claims:
            table.add_row(name, *_cells(found))
    return table


def _cells(found: Agreement) -> list[str]:
    shares = (found.precision, found.recall, found.f1)
    return [*map(share, shares), str(found.claims), str(found.left_out)]
