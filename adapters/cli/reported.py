"""What the commands of kinds with reports share: asking for one, and writing it to files."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adapters.cli.exits import check_done
from adapters.cli.session import ask, console, thread_named, user, with_runtime, write
from agents.kinds import RunView
from bot.errors import BadRequest
from retrieval.errors import ArchiveNotFound

if TYPE_CHECKING:
    from adapters.wiring import Runtime
    from agents.reports.values import Report

JsonFile = Annotated[Path | None, typer.Option("--json", help="Write the report as JSON to this file.")]
Exports = Annotated[
    list[Path] | None,
    typer.Option(
        help="Write the report (.docx, .pdf, .html, .md), its molecules (.sdf, .csv, .smi) or a file that "
        "the run left, by its name, to this file; repeatable."
    ),
]


def report_on(
    kind: str,
    order: object,
    asked: str,
    *,
    options: Callable[[Any], object] | None = None,
    thread: str = "",
    json_file: Path | None = None,
    export: Sequence[Path] | None = None,
    full: bool | None = None,
) -> None:
    """Ask a kind for a report, show it, and write it to files.

    `full` shows all sections with their tables, False the first alone. With `options` the order is what is
    asked, read by what the thread knows, and changed by them; `order` is then left aside. Raises
    `WrongOrder`, and as `check_done` and `check_answered`.
    """
    from adapters.cli.terminal import Terminal
    from adapters.export import report_json
    from agents.reports.values import Figure
    from bot.routing import Routed
    from bot.values import Incoming

    files = [path for path in export or () if format_of(path.suffix)]
    terminal = Terminal(console, thread_named(thread), more=bool(full), first=full is False)

    async def work(built: Runtime) -> RunView | None:
        routed = Routed(built.views.kinds[kind], order)
        if options is not None:
            incoming = Incoming(secrets.token_hex(8), terminal.thread, user(), asked)
            read = await built.intake.read_as(incoming, kind)
            routed = Routed(routed.kind, options(read.inputs if read else order))
        record = await ask(built, terminal, asked, routed)
        view = await built.views.of(record) if record else None
        if view is None or view.history is None:
            if record and (json_file or files):
                later = f"`pestle run export {record.run_id} --to FILE` writes it once it is done."
                console.tell(f"Nothing is written, as the run is {record.state}. {later}", wrap=True)
            return view
        if json_file:
            write(json_file, report_json(view))
        for path in files:
            await write_exports(built, view, path)
        blocks = view.report.blocks if view.report and not files else ()
        if left := [one.title for one in blocks if isinstance(one, Figure) and one.noun == "File"]:
            command = f"`pestle run export {record.run_id} --to {left[0]}`" if record else ""
            console.tell(f"Files of this run: {', '.join(left)}. {command} writes one.", wrap=True)
        return view

    view = with_runtime(work)
    if view:
        check_done(view.record)
        if view.report:
            check_answered(view.report)


def check_answered(report: Report) -> None:
    """Raises `BadRequest` for a question back, and `ArchiveNotFound` where nothing could be said."""
    if report.ask_back:
        raise BadRequest("Not answered: one thing has to be clear first, see above.")
    if not report.found:
        raise ArchiveNotFound("Not answered: the reason stands above.")


async def write_exports(built: Runtime, view: RunView, path: Path, form: str = "") -> None:
    """Write the files of this name that a run left, or its report, by its format or as the file ends.

    Raises `BadRequest` for another format and where nothing can be written.
    """
    from adapters.export import exported, left

    files = left(view, path.name)
    form = path.suffix[1:] if files else format_of(form or path.suffix or "md")
    for name, sha256 in (files or {path.name: ""}).items():
        to = path.with_name(name)
        write(to, await exported(view, form, built.ledger, built.storage.artefacts, f"cli:{user()}", sha256))
        console.tell(f"Written to {to}")


def format_of(ending: str) -> str:
    """The format that a file's ending names. Raises `BadRequest` for another one."""
    from adapters.export import FORMATS

    form = ending.lower().lstrip(".")
    if form not in FORMATS:
        raise BadRequest(f"{form!r} is no format of an export. Choose one of {', '.join(FORMATS)}.")
    return form
