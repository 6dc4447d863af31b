"""`pestle queue`: which runs wait, are at work, or failed; try one again, or let it go."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.runs import RunId, found, put_cards
from adapters.cli.session import console, with_runtime
from agents.runs.records import RunState
from bot.errors import BadRequest

if TYPE_CHECKING:
    from adapters.wiring import Runtime

queue_commands = typer.Typer(
    help="Runs that wait, are at work, or failed. Without a command: list them.", invoke_without_command=True
)
LET_GO = "Let go by an operator."
FAILED = 50
"""Failed runs that are listed, newest first."""


@queue_commands.callback()
def queue_command(
    context: typer.Context, as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False
) -> None:
    """List the runs that wait or are at work, in their order, and those that failed."""
    if context.invoked_subcommand is not None:
        return

    async def work(built: Runtime) -> None:
        line = await built.ledger.line()
        failed = await built.ledger.runs(limit=FAILED, state=RunState.FAILED)
        if as_json:
            both = {"line": [*map(asdict, line)], "failed": [*map(asdict, failed)]}
            print(json.dumps(both, ensure_ascii=False, indent=1))
            return
        told = [f"{run.run_id} {'at work' if run.held else 'waits'} {run.pipeline}" for run in line]
        told += [f"{run.run_id} failed {run.pipeline}: {run.error}" for run in failed]
        for text in told or ["Nothing waits, and nothing failed."]:
            console.tell(text)

    with_runtime(work)


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
    console.tell(f"{run_id} is tried again; its thread gets what comes of it.", wrap=True)


@queue_commands.command("drop")
def drop_command(run_id: RunId) -> None:
    """Let a run go that waits or failed; who asked is told in the thread."""

    async def work(built: Runtime) -> None:
        record = await found(built, run_id)
        if not record.state.over:
            await built.ledger.request_stop(run_id, LET_GO)
        elif record.state is RunState.FAILED:
            error = f"{record.error} {LET_GO}"
            await built.ledger.set_state(run_id, RunState.STOPPED, result=record.result, error=error)
            await put_cards(built, await found(built, run_id))
        else:
            raise BadRequest(f"The run {run_id} is over: it is {record.state}.")

    with_runtime(work)
    console.tell(f"{run_id} is let go, and its thread is told.", wrap=True)
