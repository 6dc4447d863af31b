"""`pestle ingest`, `watch`, `documents`, `remove`: what is in the archive."""

from __future__ import annotations

import json
import math
import re
import shlex
import signal
import sys
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from adapters.cli.exits import say
from adapters.cli.progress import progress
from adapters.cli.screen import one_line
from adapters.cli.session import console, person, with_runtime
from agents.counts import number_of
from retrieval.errors import ArchiveNotFound, EditRefused, RetrievalError

if TYPE_CHECKING:
    from adapters.wiring import Runtime
    from retrieval.values import DocumentRecord, IngestReport, Molecule

STEERING = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters that JSON does not escape, and that steer a terminal or turn its text around."""
MEANING_S = 60.0
"""Seconds of the encoder in an ingest, after which documents are found by words and meaning follows."""
SHOWN = 3
"""Documents that are named where many are told."""
FOLLOWS = "`pestle up` and workers go on with it; `pestle ingest --wait` ends when it is done."


def ingest_command(
    place: Annotated[
        str,
        typer.Argument(
            help="Folder of documents, with all its subfolders; one document; or a bucket, "
            "s3://bucket/folder."
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
    delete: Annotated[
        bool,
        typer.Option(
            "--delete", help="Take out also many vanished documents at once, and those of empty folders."
        ),
    ] = False,
    wait: Annotated[
        bool, typer.Option("--wait", help="End only when all that may be is found by meaning, too.")
    ] = False,
) -> None:
    """Bring the archive up to date with a folder or bucket.

    New documents are read, changed ones again, vanished ones leave the archive. Where that would be many at
    once, or a folder is empty as one that is not mounted, they stay until you agree or say --delete. It ends
    when every document is found by words, and tells what is not found by meaning yet: that goes on in `pestle
    up` and in workers. Safe to interrupt and repeat.
    """
    report = _ingested(place, delete, wait)
    if as_json:
        print(as_json_text(asdict(report)))
    else:
        show_report(report, place)
        if report.kept and sys.stdin.isatty() and typer.confirm(f"Take these {len(report.kept)} out?"):
            report = _ingested(place, True, wait)
            show_report(report, place)
    if not (report.added or report.updated or report.unchanged or report.deleted):
        raise ArchiveNotFound(f"Nothing in {place} could be read. Name a folder of documents, or one.")


def _ingested(place: str, delete: bool, wait: bool) -> IngestReport:
    seconds = math.inf if wait else MEANING_S
    with progress(console) as shown:
        return with_runtime(
            lambda built: built.files.ingest(built.source(place), shown, delete, seconds, by=person())
        )


def watch_command(
    place: Annotated[str, typer.Argument(help="Folder or bucket, as for `pestle ingest`.")],
    every: Annotated[float, typer.Option(help="Seconds between two looks.", min=0.1)] = 5.0,
) -> None:
    """Follow a folder or bucket: what is new, changed or gone there is soon so in the archive.

    A file is read once it has stayed the same for two looks. Many that vanish at once stay in the archive, as
    with `pestle ingest`. Ctrl-C ends it; what was stored is kept.
    """
    import asyncio

    from adapters.sources.watch import watch

    async def work(built: Runtime) -> None:
        task = asyncio.current_task()
        with suppress(NotImplementedError):  # Windows has no handlers; there Ctrl-C ends the program
            for end in (signal.SIGINT, signal.SIGTERM):
                asyncio.get_running_loop().add_signal_handler(end, task.cancel if task else lambda: None)
        console.tell(f"Watching {place}. Ctrl-C ends it.")
        with suppress(asyncio.CancelledError):
            take_in = partial(built.files.ingest, seconds=MEANING_S, by=person())
            async with built.embedding():
                async for news in watch(built.source(place, by_stat=True), take_in, every):
                    if isinstance(news, RetrievalError):
                        say(f"{news} Watching goes on.")
                    else:
                        show_report(news, place)

    with_runtime(work)


def show_report(report: IngestReport, place: str = "") -> None:
    """What an ingest of `place` did, and what it could not read and why."""
    console.print(
        f"{len(report.added)} added, {len(report.updated)} updated, {report.unchanged} unchanged, "
        f"{len(report.deleted)} deleted; {report.chunks} chunks in {report.seconds:.1f} s",
        highlight=False,
    )
    for title, lines in (("Skipped", report.skipped), ("Read, but", report.warnings)):
        for line in lines:
            name = PurePath(line.path).name
            named = line.reason.startswith(name)
            told = line.path.removesuffix(name) if named else f"{line.path}: "
            console.tell(f"{title}: {one_line(told + line.reason)}", "yellow")
    if report.waiting:
        waiting = number_of(report.waiting, "document")
        told = f"{waiting} found by words, and by meaning not yet or in part. {FOLLOWS}"
        console.tell(told)
    if report.kept:
        console.tell(_kept(report, place), "yellow")


def _kept(report: IngestReport, place: str) -> str:
    """What is not deleted unasked, and how to ask for it."""
    count = len(report.kept)
    named = ", ".join(map(one_line, report.kept[:SHOWN])) + (", …" if count > SHOWN else "")
    return (
        f"Kept: {number_of(count, 'document')} whose files are not there any more ({named}). Is "
        f"everything connected? If they are meant to go: `pestle ingest --delete {place}`."
    )


documents_commands = typer.Typer(invoke_without_command=True)


@documents_commands.callback(
    help="List the documents and molecules of the archive; `edit` sets a record right."
)
def documents_command(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print the records as JSON.")] = False,
) -> None:
    """List the documents and molecules of the archive."""
    if context.invoked_subcommand:
        return

    async def work(built: Runtime) -> tuple[list[DocumentRecord], list[Molecule]]:
        return await built.index.records(), await built.index.molecules()

    records, molecules = with_runtime(work)
    if as_json:
        content = {"documents": [asdict(r) for r in records], "molecules": [asdict(m) for m in molecules]}
        print(as_json_text(content))
        return
    if not records:
        console.print("The archive holds no documents yet. Add some with `pestle ingest FOLDER`.")
        return
    console.print(_records(records))
    console.print()
    console.print(_molecules(molecules))


@documents_commands.command("edit")
def edit_command(
    doc_id: Annotated[str, typer.Argument(help="Id as `pestle documents` shows it.")],
    title: Annotated[str | None, typer.Option(help="The title.")] = None,
    document_type: Annotated[str | None, typer.Option("--type", help="The type of document.")] = None,
    study: Annotated[str | None, typer.Option(help="The number of the study.")] = None,
    molecule: Annotated[
        list[str] | None, typer.Option(help="A molecule that it is about; again for several.")
    ] = None,
    date: Annotated[str | None, typer.Option(help="2009, 2009-12 or 2009-12-04.")] = None,
    phase: Annotated[str | None, typer.Option(help='The phase, such as "Phase 2".')] = None,
    status: Annotated[str | None, typer.Option(help="The status of the study.")] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Take the field set last back.")] = False,
    as_read: Annotated[bool, typer.Option("--reset", help="Take all edits back.")] = False,
) -> None:
    """Set the record of a document right; it stays so when the file is read again."""
    from retrieval.ingest.edit import edited, reset, undone

    given = {
        "title": title,
        "document_type": document_type,
        "study_id": study,
        "molecules": "; ".join(molecule) if molecule else None,
        "date": date,
        "phase": phase,
        "status": status,
    }
    changes = {field: value for field, value in given.items() if value is not None}

    def change(record: DocumentRecord) -> DocumentRecord:
        before = reset(record) if as_read else undone(record) if undo else record
        return edited(before, changes)

    if not (changes or undo or as_read):
        raise EditRefused("Say what to set, such as --title or --molecule; --undo and --reset take back.")
    record = with_runtime(lambda built: built.files.edit(doc_id, change, person()))
    console.print(_records([record]))


def _records(records: list[DocumentRecord]) -> Table:
    """The documents as a table."""
    table = Table("Document", "Date", "Molecules", "Title", box=box.SIMPLE_HEAD, show_edge=False)
    table.columns[0].overflow = "fold"
    for record in records:
        older = f" (an older version of {record.newest_version})" if record.newest_version else ""
        older += f" (a copy of {record.copy_of})" if record.copy_of else ""
        cells = (record.doc_id, record.date, ", ".join(record.molecules), f"{record.title}{older}")
        table.add_row(*(Text(cell) for cell in cells))
    return table


def _molecules(molecules: list[Molecule]) -> Table:
    """The molecules as a table."""
    table = Table("Molecule", "Also called", "Documents", box=box.SIMPLE_HEAD, show_edge=False)
    for molecule in molecules:
        cells = (molecule.name, ", ".join(molecule.aliases), str(molecule.documents))
        table.add_row(*(Text(cell) for cell in cells))
    return table


def as_json_text(content: object) -> str:
    """JSON that no terminal obeys: the standard leaves controls from U+007F to U+009F as they are."""
    text = json.dumps(content, ensure_ascii=False, indent=1)
    return STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def remove_command(doc_id: Annotated[str, typer.Argument(help="Id as `pestle documents` shows it.")]) -> None:
    """Take one document out of the archive.

    The file itself is not touched: what is printed brings the document back.
    """

    async def take_out(built: Runtime) -> str:
        document = await built.index.document(doc_id)
        if document is None or not await built.files.remove(doc_id, person()):
            raise ArchiveNotFound(f"The archive has no document {doc_id!r}. `pestle documents` lists them.")
        return document.record.path

    path = with_runtime(take_out)
    console.tell(f"{doc_id} is out of the archive. Undo: pestle ingest {shlex.quote(one_line(path))}")
