"""`pestle ingest`, `watch`, `documents`, `remove`: what is in the archive."""

import asyncio
import json
import signal
from contextlib import suppress
from dataclasses import asdict
from typing import Annotated

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from adapters.cli.exits import say
from adapters.cli.progress import ingest_progress
from adapters.cli.session import console, with_runtime
from adapters.sources.watch import watch
from adapters.wiring import Runtime
from retrieval.errors import ArchiveNotFound, RetrievalError
from retrieval.values import DocumentRecord, IngestReport, Molecule


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("ingest")(ingest_command)
    app.command("watch")(watch_command)
    app.command("documents")(documents_command)
    app.command("remove")(remove_command)


def ingest_command(
    place: Annotated[
        str,
        typer.Argument(
            help="Folder of documents, with all its subfolders; one document; or a bucket, "
            "s3://bucket/folder."
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Bring the archive up to date with a folder or bucket.

    New documents are read, changed ones again, vanished ones leave the archive. Safe to interrupt and repeat.
    """
    with ingest_progress(console) as shown:
        report = with_runtime(lambda built: built.files.ingest(built.source(place), shown))
    if as_json:
        print(json.dumps(asdict(report), ensure_ascii=False, indent=1))
    else:
        show_report(report)
    if not (report.added or report.updated or report.unchanged or report.deleted):
        raise ArchiveNotFound(f"Nothing in {place} could be read. Name a folder of documents, or one.")


def watch_command(
    place: Annotated[str, typer.Argument(help="Folder or bucket, as for `pestle ingest`.")],
    every: Annotated[float, typer.Option(help="Seconds between two looks.", min=0.1)] = 5.0,
) -> None:
    """Follow a folder or bucket: what is new, changed or gone there is soon so in the archive.

    A file is read once it has stayed the same for two looks. Ctrl-C ends it; what was stored is kept.
    """

    async def work(built: Runtime) -> None:
        task = asyncio.current_task()
        with suppress(NotImplementedError):  # Windows has no handlers; there Ctrl-C ends the program
            for end in (signal.SIGINT, signal.SIGTERM):
                asyncio.get_running_loop().add_signal_handler(end, task.cancel if task else lambda: None)
        console.print(f"Watching {place}. Ctrl-C ends it.", markup=False, highlight=False, soft_wrap=True)
        with suppress(asyncio.CancelledError):
            async for news in watch(built.source(place, by_stat=True), built.files.ingest, every):
                if isinstance(news, RetrievalError):
                    say(f"{news} Watching goes on.")
                else:
                    show_report(news)

    with_runtime(work)


def show_report(report: IngestReport) -> None:
    """What an ingest did, and what it could not read and why."""
    read = len(report.added) + len(report.updated)
    rate = f", {read / report.seconds:.1f} documents/s" if read else ""
    console.print(
        f"{len(report.added)} added, {len(report.updated)} updated, {report.unchanged} unchanged, "
        f"{len(report.deleted)} deleted; {report.chunks} chunks in {report.seconds:.1f} s{rate}",
        highlight=False,
    )
    for title, lines in (("Skipped", report.skipped), ("Read, but", report.warnings)):
        for line in lines:
            text = f"{title}: {line.path}: {line.reason}"
            console.print(text, style="yellow", markup=False, highlight=False, soft_wrap=True)


def documents_command(
    as_json: Annotated[bool, typer.Option("--json", help="Print the records as JSON.")] = False,
) -> None:
    """List the documents and molecules of the archive."""

    async def work(built: Runtime) -> tuple[list[DocumentRecord], list[Molecule]]:
        return await built.index.records(), await built.index.molecules()

    records, molecules = with_runtime(work)
    if as_json:
        content = {"documents": [asdict(r) for r in records], "molecules": [asdict(m) for m in molecules]}
        print(json.dumps(content, ensure_ascii=False, indent=1))
        return
    if not records:
        console.print("The archive holds no documents yet. Add some with `pestle ingest FOLDER`.")
        return
    console.print(_records(records))
    console.print()
    console.print(_molecules(molecules))


def _records(records: list[DocumentRecord]) -> Table:
    """The documents as a table."""
    table = Table("Document", "Date", "Molecules", "Title", box=box.SIMPLE_HEAD, show_edge=False)
    table.columns[0].overflow = "fold"
    for record in records:
        older = f" (an older version of {record.newest_version})" if record.newest_version else ""
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


def remove_command(doc_id: Annotated[str, typer.Argument(help="Id as `pestle documents` shows it.")]) -> None:
    """Take one document out of the archive.

    The file itself is not touched; ingest its folder to bring the document back.
    """

    async def work(built: Runtime) -> bool:
        return await built.files.remove(doc_id)

    if not with_runtime(work):
        raise ArchiveNotFound(f"The archive has no document {doc_id!r}. `pestle documents` lists them.")
    console.print(f"{doc_id} is out of the archive.", markup=False)
