"""`pestle vigilance QUESTION`: what drug labels say of classes of drugs and outcomes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.reported import Exports, JsonFile, report_on

if TYPE_CHECKING:
    from agents.vigilance.values import Order


def vigilance_command(
    question: Annotated[
        str,
        typer.Argument(
            help="Drugs and outcomes: “Do ACE inhibitors raise the risk of angioedema?”, “warfarin, all "
            "outcomes”, or a table, “statins, beta blockers x myopathy, stroke”."
        ),
    ],
    top: Annotated[int, typer.Option(help="Drugs that stand for a class.", min=1, max=10)] = 3,
    critics: Annotated[bool, typer.Option(help="Let critics review what the model's agents find.")] = False,
    retrieval: Annotated[bool, typer.Option(help="Let the model's agents read labels.")] = True,
    thread: Annotated[
        str,
        typer.Option(
            help="Go on in a named thread: there “without metoprolol” or “add ramipril” edits the class, "
            "and a number picks what was offered."
        ),
    ] = "",
    json_file: JsonFile = None,
    export: Exports = None,
) -> None:
    """Tell what drug labels say: does a class of drugs raise or lower the risk of an outcome?

    Labels, the NDC directory and prescription counts are loaded before, with `pestle sources load FILE`.
    """

    def options(order: Order) -> Order:
        return replace(order, top=top, critics=critics, retrieval=retrieval)

    report_on("vigilance", None, question, options=options, thread=thread, json_file=json_file, export=export)
