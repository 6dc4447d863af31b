"""`pestle runs` and `pestle run …`: what was done, how long it took, what it cost, and doing it again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.markup import escape
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from adapters.cli.exits import check_done
from adapters.cli.session import console, shown, user, with_runtime
from agents.counts import number_of, shortened
from agents.errors import UnknownRun
from agents.kinds import RunView
from agents.runs.records import Event, RunRecord, RunState, StepRecord
from bot.errors import BadRequest

if TYPE_CHECKING:
    from adapters.wiring import Runtime
    from agents.runs.tree import StepNode
    from bot.values import Card, Unposted

run_commands = typer.Typer(
    help="One run: show, dialog, replay, resume, stop, answer, post, export.", no_args_is_help=True
)

DATED, QUESTION = 64, 8
"""Columns that a terminal needs to show when a run was asked, and that a question needs."""

RunId = Annotated[str, typer.Argument(help="Id of the run, as `pestle runs` and every card show it.")]


def runs_command(
    limit: Annotated[int, typer.Option(help="How many, newest first.", min=1)] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="Print the runs as JSON.")] = False,
) -> None:
    """List the latest runs."""

    async def work(built: Runtime) -> tuple[list[RunView], Mapping[str, list[Unposted]]]:
        views = await built.views.all(await built.ledger.runs(limit=limit))
        return views, await unposted(built, [view.record for view in views])

    views, held = with_runtime(work)
    if as_json:
        listed = [asdict(view.record) | _as_json(held.get(view.record.run_id, [])) for view in views]
        print(json.dumps(listed, ensure_ascii=False, indent=1))
        return
    if not views:
        console.print("No runs yet. `pestle ask QUESTION` starts one.")
        return
    console.print(runs_table([view.record for view in views], [view.asked for view in views], console.width))
    for run_id, cards in held.items():
        console.tell(_not_posted(run_id, cards), "yellow", wrap=True)


def runs_table(records: Sequence[RunRecord], asked: Sequence[str], width: int) -> Table:
    """The runs in a terminal of this width: the question gives way first, then the time, never the state."""
    columns = [("Run", 12), ("State", 7), *([("Asked (UTC)", 16)] if width >= DATED else [])]
    left = width - sum(wide + 2 for _, wide in columns) - 1
    if left >= QUESTION:
        columns.append(("Question", left))
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0), pad_edge=False)
    for name, wide in columns:
        table.add_column(name, no_wrap=True, width=wide)
    for record, question in zip(records, asked, strict=True):
        told = {
            "Run": record.run_id,
            "State": record.state,
            "Asked (UTC)": record.created[:16].replace("T", " "),
        }
        told["Question"] = shortened(" ".join(question.split()), left)
        table.add_row(*(Text(told[name]) for name, _ in columns))
    return table


async def unposted(built: Runtime, records: Sequence[RunRecord]) -> dict[str, list[Unposted]]:
    """The cards of these runs that their platforms have not taken, by run."""
    from bot.values import ThreadRef

    threads = {record.thread_id for record in records if record.thread_id}
    held: dict[str, list[Unposted]] = {record.run_id: [] for record in records}
    for card in await built.storage.outbox.unposted([ThreadRef.parse(name) for name in sorted(threads)]):
        if card.run_id in held:
            held[card.run_id].append(card)
    return {run_id: cards for run_id, cards in held.items() if cards}


def _not_posted(run_id: str, cards: Sequence[Unposted]) -> str:
    """That a run's cards are not shown yet, why, and what to do."""
    last, count = cards[-1], number_of(len(cards), "card")
    told = f"{run_id}: {count} not posted. {last.error.rstrip('.')}."
    if last.given_up:
        return f"{told} It is not tried again by itself: `pestle run post {run_id}` does."
    later = last.not_before[:16].replace("T", " ")
    return f"{told} Tried again at {later} UTC, or now with `pestle run post {run_id}`."


def _as_json(cards: Sequence[Unposted]) -> dict[str, object]:
    keys = ("slot", "error", "given_up", "not_before")
    return {"unposted": [{key: getattr(card, key) for key in keys} for card in cards]}


async def found(built: Runtime, run_id: str) -> RunRecord:
    """The run. Raises `UnknownRun`."""
    record = await built.ledger.run(run_id)
    if record is None:
        raise UnknownRun(f"There is no run {run_id!r}. `pestle runs` lists them.")
    return record


@run_commands.command("show")
def show_command(
    run_id: RunId,
    events: Annotated[bool, typer.Option("--events", help="Show the append-only trail too.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Show its whole report instead.")] = False,
) -> None:
    """Show the steps of a run as a tree, with time, tokens and cost; or its report."""

    from bot.cards import ending_cards

    async def work(built: Runtime) -> tuple[RunView, list[StepRecord], list[Event]]:
        view = await built.views.of(await found(built, run_id))
        return view, await built.ledger.steps(run_id), await built.ledger.events(run_id)

    view, steps, trail = with_runtime(work)
    if full:
        return _print_cards(ending_cards(view))
    console.print(_tree(view, steps))
    if view.record.error:
        console.tell(view.record.error, "yellow", wrap=True)
    if report := view.report:
        told = f"{view.kind.result.capitalize()}: {report.short or report.title}"
        console.tell(told, wrap=True)
    for event in trail if events else ():
        line = f"{event.number:4} {event.at[:23]} {event.kind} {event.detail}"
        console.tell(line)


@run_commands.command("dialog")
def dialog_command(run_id: RunId) -> None:
    """Show what the agents of a run, their critics and their tools said to each other."""
    from agents.minds.dialogs import messages

    async def work(built: Runtime) -> list[StepRecord]:
        await found(built, run_id)
        return await built.ledger.steps(run_id)

    where = None
    for one in messages(with_runtime(work)):
        if one.where != where:
            where = one.where
            console.tell(f"\n{where or run_id}", "bold", wrap=True)
        console.tell(f"{one.who}: {one.text}")


def _tree(view: RunView, steps: Sequence[StepRecord]) -> Tree:
    """A run as a tree."""
    from agents.runs.tree import tree

    record = view.record
    seconds = sum(step.seconds for step in steps if not step.parent)
    spent = sum(step.usage.tokens for step in steps), sum(step.usage.cost_usd for step in steps)
    head = f"{record.run_id} {record.state} {seconds:.2f} s, {spent[0]} tokens, ${spent[1]:.4f}"
    root = Tree(escape(f"{head}: {view.asked[:100]}"))
    for node in tree(steps):
        _branch(root, node)
    return root


def _branch(above: Tree, node: StepNode) -> None:
    """A step and those inside it."""
    used = node.step.usage
    spent = f", {used.tokens} tokens, ${used.cost_usd:.4f} ({', '.join(used.models)})" if used.calls else ""
    marks = f" [{', '.join(node.step.fingerprints)}]" if node.step.fingerprints else ""
    error = f" failed: {node.step.error}" if node.step.error else ""
    branch = above.add(escape(f"{node.step.name} {node.step.seconds:.3f} s{spent}{marks}{error}"))
    for inner in node.inside:
        _branch(branch, inner)


@run_commands.command("replay")
def replay_command(run_id: RunId) -> None:
    """Carry a run out again with the same inputs and show what differs. Exit code 7 if something does."""
    from agents.runs.replay import Change, replay

    comparison = with_runtime(lambda built: replay(run_id, built.ledger, built.pipelines, "replay"))
    for step in comparison.steps:
        if step.change is not Change.SAME or step.fingerprints_differ:
            console.tell(f"{step.name}: {step.change}", "yellow", wrap=True)
        for line in step.lines:
            console.tell(f"  {line}", wrap=True)
    for line in comparison.result:
        console.tell(line, wrap=True)
    told = "the same answer" if comparison.same else "something differs"
    console.print(
        f"{len(comparison.steps)} steps compared with run {comparison.again.run_id}: {told}", highlight=False
    )
    if not comparison.same:
        raise typer.Exit(7)


@run_commands.command("resume")
def resume_command(run_id: RunId) -> None:
    """Go on with a stopped, failed or interrupted run, from its finished steps."""
    from adapters.cli.terminal import PREFIX, Terminal
    from agents.runs.execute import resume
    from bot.values import ThreadRef

    async def work(built: Runtime) -> RunRecord:
        record = await found(built, run_id)
        if record.state is RunState.DONE:
            raise BadRequest(f"The run {run_id} is done. `pestle run replay {run_id}` carries it out again.")
        await resume(run_id, built.ledger, by="terminal")
        await built.enqueue(run_id)
        if not record.thread_id.startswith(PREFIX):
            return await _shown_here(built, await built.finished(run_id))
        terminal = Terminal(console, ThreadRef.parse(record.thread_id))
        async with shown(built, terminal):
            ended = await built.finished(run_id)
        # A killed process may hold the thread's cards for some seconds more: then they are shown from here.
        return ended if terminal.shown else await _shown_here(built, ended)

    check_done(with_runtime(work))


async def _shown_here(built: Runtime, record: RunRecord) -> RunRecord:
    """The run, its report printed: a run of another skin hands its cards over there."""
    from bot.cards import ending_cards
    from bot.request_cards import request_cards

    if record.ended:
        _print_cards(ending_cards(await built.views.of(record)))
        return record
    asked, events = await built.ledger.open_requests(record.run_id), await built.ledger.events(record.run_id)
    _print_cards(request_cards(record.run_id, asked, events).items())
    return record


def _print_cards(cards: Iterable[tuple[str, Card]]) -> None:
    """The cards, with what is folded."""
    from adapters.cli import render

    for _, card in cards:
        console.print(render.card(card, more=True))


@run_commands.command("answer")
def answer_command(
    run_id: RunId,
    choice: Annotated[str, typer.Argument(help="One of the choices offered, or your words.")],
) -> None:
    """Decide on what a run asks a person; it then goes on, here or with a worker."""
    from agents.runs.requests import answer

    async def work(built: Runtime) -> RunRecord:
        await found(built, run_id)
        waiting = await built.ledger.open_requests(run_id)
        fitting = [one for one in waiting if not one.request.options or choice in one.request.options]
        if not fitting:
            asked = "; ".join(f"{one.request.question} ({', '.join(one.request.options)})" for one in waiting)
            raise BadRequest(f"The run {run_id} asks {asked or 'nothing at the moment'}.")
        await answer(run_id, fitting[0].name, choice, f"cli:{user()}", built.ledger)
        await built.enqueue(run_id)
        return await _shown_here(built, await built.finished(run_id))

    check_done(with_runtime(work))


@run_commands.command("stop")
def stop_command(run_id: RunId) -> None:
    """Stop a run at once, also in the middle of a step; it keeps what it has."""

    async def work(built: Runtime) -> None:
        record = await found(built, run_id)
        if record.ended:
            raise BadRequest(f"The run {run_id} is over already: it is {record.state}.")
        await built.ledger.request_stop(run_id, "stopped from the terminal")

    with_runtime(work)
    console.tell(f"{run_id} stops within two seconds. `pestle run resume {run_id}` goes on.", wrap=True)


@run_commands.command("post")
def post_command(run_id: RunId) -> None:
    """Post a run's report in its thread again, with every card that could not be posted.

    What stands there already is not posted twice.
    """
    from adapters.cli.terminal import PREFIX
    from bot.values import ThreadRef

    async def work(built: Runtime) -> int:
        record = await found(built, run_id)
        if not record.thread_id or record.thread_id.startswith(PREFIX):
            raise BadRequest(f"The run {run_id} was asked in no chat. `pestle run show {run_id}` has it.")
        count = await built.storage.outbox.again(ThreadRef.parse(record.thread_id), run_id)
        if record.state.over and not record.revises:
            await put_cards(built, record)
        return count

    count = with_runtime(work)
    held = f" {count} of its cards could not be posted before." if count else ""
    console.tell(f"{run_id} is posted by the bot at its next look.{held}", wrap=True)


async def put_cards(built: Runtime, record: RunRecord) -> None:
    """Let the run's thread show how it ended."""
    from bot.cards import ending_cards
    from bot.values import ThreadRef

    if not record.thread_id:
        return
    feedback = await built.storage.conversations.feedback(record.run_id)
    for slot, card in ending_cards(await built.views.of(record), feedback):
        await built.storage.outbox.put(ThreadRef.parse(record.thread_id), slot, card)


@run_commands.command("export")
def export_command(
    run_id: RunId,
    form: Annotated[
        str,
        typer.Argument(
            help="md, html, docx, pdf, json; sdf, csv, smi of molecules; default: as FILE ends, or md.",
            metavar="[FORMAT]",
        ),
    ] = "",
    to: Annotated[str, typer.Option("--to", "-o", help="File to write; default: RUN.FORMAT here.")] = "",
) -> None:
    """Write the report of a run to a file: Markdown, Word, PDF, or JSON with ledger and evidence.

    A file that the run left is written by its name: `--to transcript.md`. Several of one name each get their
    task before it.
    """
    from adapters.cli.reported import write_exports

    async def work(built: Runtime) -> None:
        view = await built.views.of(await found(built, run_id))
        if view.history is None:
            raise BadRequest(f"The run {run_id} has no {view.kind.result} yet: it is {view.record.state}.")
        await write_exports(built, view, Path(to or f"{run_id}.{form or 'md'}"), form)

    with_runtime(work)
