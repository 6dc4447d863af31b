"""`pestle design BRIEF`: new molecules from a debate of scientist agents."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.reported import Exports, JsonFile, report_on
from bot.errors import BadRequest

if TYPE_CHECKING:
    from agents.design.values import Order


def design_command(
    brief: Annotated[
        str,
        typer.Argument(
            help="What is wished: “JNK3 inhibitors like SMILES, brain-penetrant, not like SMILES”, with "
            "windows as “logP 1 to 3” if you like."
        ),
    ],
    rounds: Annotated[int, typer.Option(help="Rounds of the debate.", min=1, max=20)] = 3,
    scientists: Annotated[int, typer.Option(help="Scientists from the literature.", min=1, max=12)] = 4,
    start: Annotated[
        Path | None, typer.Option(help="An SDF or molfile with the molecules to start from.")
    ] = None,
    names: Annotated[bool, typer.Option(help="Show scientists by name, not as Scientist A.")] = False,
    without: Annotated[
        list[str] | None, typer.Option(help="A person whose publications are not used; repeatable.")
    ] = None,
    ask: Annotated[bool, typer.Option(help="Ask for an approval of the goals first.")] = False,
    thread: Annotated[str, typer.Option(help="Go on in a named thread: “make M2 more soluble”.")] = "",
    json_file: JsonFile = None,
    export: Exports = None,
) -> None:
    """Design molecules in a debate of scientist agents.

    Without literature, known ligands or a language model three built-in roles debate by written rules.
    """
    molecules = _molecules(start)

    def options(order: Order) -> Order:
        told = replace(order, rounds=rounds, scientists=scientists, names=names, unasked=not ask)
        return replace(told, without=tuple(without or ()), start=molecules or order.start)

    report_on("design", None, brief, options=options, thread=thread, json_file=json_file, export=export)


def _molecules(path: Path | None) -> tuple[str, ...]:
    """The SMILES of the molecules in a file. Raises `BadRequest`, `ChemistryError`."""
    if path is None:
        return ()
    from agents.chemistry.molecule import read_sdf

    try:
        return tuple(one.smiles for one in read_sdf(path.read_bytes()))
    except OSError as error:
        raise BadRequest(f"{path} cannot be read: {error.strerror}.") from error
