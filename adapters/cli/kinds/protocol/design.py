"""`pestle protocol OBJECTIVE`: a protocol in the terminal, and as files."""

from __future__ import annotations

from typing import Annotated

import typer

from adapters.cli.reported import Exports, JsonFile, report_on


def design_command(
    objective: Annotated[str, typer.Argument(help="What is to be found out.")],
    condition: Annotated[
        list[str] | None,
        typer.Option(help="What there is: samples, data (file names or accessions), platforms; repeatable."),
    ] = None,
    requirement: Annotated[list[str] | None, typer.Option(help="What it must have; repeatable.")] = None,
    query: Annotated[
        list[str] | None, typer.Option(help="A Boolean query in place of those that are made; repeatable.")
    ] = None,
    review: Annotated[bool, typer.Option(help="Ask before the queries run.")] = False,
    programs: Annotated[
        bool, typer.Option(help="Run the programs of the tasks; `pestle run answer` approves of them.")
    ] = False,
    thread: Annotated[str, typer.Option(help="Go on in a named thread to revise sections there.")] = "",
    json_file: JsonFile = None,
    export: Exports = None,
) -> None:
    """Design a protocol from a research objective and the literature at hand.

    The literature is a folder (PESTLE_SOURCES_LITERATURE), PubMed, PMC and GEO where PESTLE_SOURCES_LIVE
    allows it, and the archive.
    """
    from agents.protocol.understand import ordered
    from agents.protocol.values import Objective, Order

    read = ordered(objective)
    conditions = (*read.objective.conditions, *(condition or ()))
    requirements = (*read.objective.requirements, *(requirement or ()))
    order = Order(
        objective=Objective(read.objective.text, conditions, requirements),
        queries=(*read.queries, *(query or ())),
        review=review,
        programs=programs,
    )
    report_on("protocol", order, order.asked, thread=thread, json_file=json_file, export=export)
