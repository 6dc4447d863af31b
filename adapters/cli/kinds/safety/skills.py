"""`pestle skills show SECTION`: what the model of a section is told, layer by layer, with the hashes."""

from __future__ import annotations

from typing import Annotated

import typer

from adapters.cli.session import console, load
from agents.safety.outline import SECTIONS
from bot.errors import BadRequest

SHOWN = {one.id: one for one in SECTIONS if not one.tells_work}
"""Sections that a model may write."""
NO_TARGET = "TARGET"

skills = typer.Typer(help="Guidance of the sections of a safety report.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(skills, name="skills")


@skills.callback()
def _group() -> None:
    """Guidance of the sections of a safety report."""


@skills.command("show")
def show_command(
    section: Annotated[str, typer.Argument(help="Id of a section, such as clinical.")],
    channel: Annotated[str, typer.Option(help="The channel whose guidance is laid over.")] = "",
    target: Annotated[str, typer.Option(help="The target that the prompt is filled in for.")] = NO_TARGET,
) -> None:
    """Show the composed prompt of a section: role, guidance, instructions, each with its hash."""
    from agents.databases.target import Target
    from agents.safety.instructions import composed, laid_over
    from agents.safety.order import SafetyOrder

    if section not in SHOWN:
        raise BadRequest(f"There is no section {section!r} with a prompt. There are: {', '.join(SHOWN)}.")
    laid = laid_over(load().home / "skills", channel)
    prompt = composed(SafetyOrder(target), Target(target), laid, [SHOWN[section]])
    for line in (*(layer.mark for layer in prompt.layers), *laid.notes, "", prompt.text):
        console.tell(line)
