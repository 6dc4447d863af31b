"""`pestle queue`: which runs wait, which are at work, which failed; try one again, or let it go."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.runs import RunId, found, put_cards, runs_table
from adapters.cli.session import console, with_runtime
from agents.counts import number_of
from agents.kinds import RunView
from agents.runs.records import InLine, RunState
from bot.errors import BadRequest

if TYPE_CHECKING:
    from adapters.wiring import Runtime

queue_commands = typer.Typer(
    help="Runs that wait, are at work, or failed. Without a command: list them.", invoke_without_command=True
)
LET_GO = "Let go by an operator."


@queue_commands.callback()
def queue_command(
    context: typer.Context,
    limit: Annotated[int, typer.Option(help="Failed runs, newest first.", min=1)] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """List the runs that wait or are at work, and those that failed."""
    if context.invoked_subcommand is not None:
        return

    async def work(built: Runtime) -> tuple[list[InLine], list[RunView]]:
        failed = await built.ledger.runs(limit=limit, state=RunState.FAILED)
        return await built.ledger.line(), await built.views.all(failed)

    line, failed = with_runtime(work)
    if as_json:
        both = {"line": [asdict(one) for one in line], "failed": [asdict(one.record) for one in failed]}
        print(json.dumps(both, ensure_ascii=False, indent=1))
        return
    held = Counter(one.held for one in line)
    console.print(
        f"{held[False]} wait, {held[True]} are at work, {number_of(len(failed), 'run')} failed.", markup=False
    )
    for one in line:
        told = f"{one.run_id} {'at work' if one.held else 'waits'} {one.queue} {one.pipeline} {one.thread_id}"
        console.print(told, markup=False, highlight=False, soft_wrap=True)
    if failed:
        console.print(
            runs_table([one.record for one in failed], [one.asked for one in failed], console.width)
        )
    for view in failed:
        told = f"{view.record.run_id}: {view.record.error}"
        console.print(told, style="yellow", markup=False, highlight=False, soft_wrap=True)


@queue_commands.command("replay")
def replay_command(run_id: RunId) -> None:
    """Let a worker try a failed or stopped run again, from its finished steps."""
    from agents.runs.execute import resume

    async def work(built: Runtime) -> None:
        record = await found(built, run_id)
        if not await resume(run_id, built.ledger, by="pestle queue"):
            raise BadRequest(f"The run {run_id} did not fail: it is {record.state}.")
        if built.settings.redis.url:
            await built.enqueue(run_id)
        else:
            await built.finished(run_id)

    with_runtime(work)
    console.print(f"{run_id} is tried again; its thread gets what comes of it.", markup=False)


@queue_commands.command("drop")
def drop_command(run_id: RunId) -> None:
    """Let a run go that waits or failed; who asked is told in the thread."""

    async def work(built: Runtime) -> None:
        record = await found(built, run_id)
        if record.state.needs_worker or record.state is RunState.WAITING:
            await built.ledger.request_stop(run_id, LET_GO)
        elif record.state is RunState.FAILED:
            error = f"{record.error} {LET_GO}"
            await built.ledger.set_state(run_id, RunState.STOPPED, result=record.result, error=error)
            if record.thread_id:
                await put_cards(built, await found(built, run_id))
        else:
            raise BadRequest(f"The run {run_id} is over: it is {record.state}.")

    with_runtime(work)
    console.print(f"{run_id} is let go, and its thread is told. `pestle queue replay` tries it again.")
