"""`pestle skills show SECTION`: what the model of a section is told, layer by layer, with the hashes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.runs import found
from adapters.cli.session import console, with_runtime
from agents.errors import UnknownRun
from agents.runs.records import StepRecord
from agents.safety.outline import SECTIONS
from bot.errors import BadRequest

if TYPE_CHECKING:
    from adapters.wiring import Runtime
    from agents.databases.target import Found, Target
    from agents.minds.prompts import Composed
    from agents.safety.order import SafetyOrder
    from agents.safety.outline import Outline

SHOWN = {one.id: one for one in SECTIONS if not one.tells_work}
"""Sections that a model may write."""
NO_TARGET = "TARGET"

skills = typer.Typer(help="Guidance of the sections of a safety report.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(skills, name="skills")


@dataclass(frozen=True, slots=True)
class Prompted:
    """A section's prompt; `used` are the hashes that a run left for it, None without a run.

    `notes` tell of files that are not usable.
    """

    prompt: Composed
    used: frozenset[str] | None = None
    notes: tuple[str, ...] = ()


@skills.callback()
def _group() -> None:
    """Guidance of the sections of a safety report."""


@skills.command("show")
def show_command(
    section: Annotated[str, typer.Argument(help="Id of a section, such as clinical.")],
    channel: Annotated[str, typer.Option(help="The channel whose guidance is laid over.")] = "",
    target: Annotated[str, typer.Option(help="The target that the prompt is filled in for.")] = NO_TARGET,
    run: Annotated[
        str, typer.Option(help="A run: its order, channel and target, and whether its hashes are these.")
    ] = "",
) -> None:
    """Show the composed prompt of a section: role, guidance, instructions, each with its hash.

    With --run each layer is compared with what the run left in the ledger.
    """
    from agents.databases.target import Target
    from agents.safety.instructions import composed, laid_over
    from agents.safety.order import SafetyOrder

    if section not in SHOWN:
        raise BadRequest(f"There is no section {section!r} with a prompt. There are: {', '.join(SHOWN)}.")

    async def work(built: Runtime) -> Prompted:
        if run:
            return await of_run(built, SHOWN[section], run)
        laid = laid_over(built.house.skills, channel)
        return Prompted(composed(SHOWN[section], SafetyOrder(target), Target(target), laid), None, laid.notes)

    for line in lines(with_runtime(work)):
        console.print(line, markup=False, highlight=False, soft_wrap=True)


async def of_run(built: Runtime, outline: Outline, run_id: str) -> Prompted:
    """A section's prompt by the order of a run, composed of the guidance as it is now.

    Raises `UnknownRun` for a run of another kind, or one that has not recognised its target.
    """
    from agents.safety.instructions import composed, laid_over
    from agents.safety.kind import KIND
    from bot.values import ThreadRef

    record = await found(built, run_id)
    if record.pipeline != KIND.name:
        raise UnknownRun(f"The run {run_id} is no safety report.")
    steps = await built.ledger.steps(run_id)
    order: SafetyOrder = built.kinds.inputs(record)
    channel = ThreadRef.parse(record.thread_id).channel if record.thread_id else ""
    laid = laid_over(built.house.skills, channel)
    prompt = composed(outline, order, _target_of(steps, run_id), laid)
    return Prompted(prompt, _used(steps, outline), laid.notes)


def _target_of(steps: Collection[StepRecord], run_id: str) -> Target:
    """The target that a run recognised. Raises `UnknownRun`."""
    from agents.databases.target import Found
    from agents.runs.encoding import decode

    for step in steps:
        if step.name == "resolve" and not step.error:
            known: Found = decode(Found, step.output, "output of the step")
            if len(known.targets) == 1:
                return known.targets[0]
    raise UnknownRun(f"The run {run_id} has no target yet: it wrote no section.")


def _used(steps: Collection[StepRecord], outline: Outline) -> frozenset[str]:
    """The hashes that the steps of a section left."""
    own = f"section/{outline.id}"
    return frozenset(mark for step in steps if own in (step.name, step.parent) for mark in step.fingerprints)


def lines(shown: Prompted) -> Iterator[str]:
    """The prompt as it is printed: its layers with their hashes, then their texts."""
    for layer in shown.prompt.layers:
        yield f"{layer.mark}{_compared(layer.mark, shown.used)}"
    if shown.used is not None and not shown.used:
        yield "The run left no hash for this section: it did not write it, or wrote it without a model."
    yield from shown.notes
    yield ""
    yield shown.prompt.text


def _compared(mark: str, used: frozenset[str] | None) -> str:
    if not used:
        return ""
    name = mark.partition(" ")[0]
    if mark in used:
        return "  as in the run"
    then = [one for one in used if one.partition(" ")[0] == name]
    return f"  changed since: {', '.join(then)}" if then else "  not in the run"
