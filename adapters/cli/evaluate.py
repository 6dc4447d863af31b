"""`pestle eval archive`: the questions of a gold set over its archive, scored as in the paper."""

import secrets
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.markup import escape
from rich.table import Table

from adapters.cli.eval_retrieval import retrieval_command
from adapters.cli.session import console, run_to_end, write
from adapters.sections import DatabaseSettings, ElasticsearchSettings
from adapters.settings import Settings, load
from adapters.wiring import runtime
from agents.archive.evaluate.run import Evaluation, evaluate
from agents.archive.kind import tools_of
from agents.archive.tools import ArchiveTools
from retrieval.ingest.folder import Folder

evaluations = typer.Typer(help="Score Pestle on documents with gold answers.", no_args_is_help=True)

SHARES = ("accuracy", "precision", "recall", "specificity", "F1")


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    evaluations.command("retrieval")(retrieval_command)
    app.add_typer(evaluations, name="eval")


@evaluations.command("archive")
def archive_command(
    folder: Annotated[
        Path, typer.Argument(help="Folder with molecules.json, questions.json, gold and documents.")
    ],
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write everything as JSON to this file.")
    ] = None,
    answers: Annotated[
        Path | None, typer.Option(help="Write the answers as JSON lines to this file.")
    ] = None,
) -> None:
    """Ask the questions of a gold set, score the answers, explain each miss, check each citation."""
    result = run_to_end(evaluate(folder, _tools_for(load())))
    console.print(_figures(result))
    for cell in result.cells:
        if cell.explanation:
            head = f"{cell.gold.molecule} {cell.gold.question_id} {cell.judged.outcome}"
            console.print(f"{head}: {cell.explanation}", markup=False, highlight=False)
    _print_citations(result)
    if json_file:
        write(json_file, result.as_json().encode())
    if answers:
        write(answers, result.answer_lines().encode())
    if result.verbatim.wrong:
        raise typer.Exit(7)


def _tools_for(settings: Settings) -> Callable[[Path], AbstractAsyncContextManager[ArchiveTools]]:
    """Tools over a fresh index of a folder, in a home of its own that is thrown away."""

    @asynccontextmanager
    async def opened(documents: Path) -> AsyncIterator[ArchiveTools]:
        with tempfile.TemporaryDirectory(prefix="pestle-eval-") as home:
            apart = settings.model_copy(
                update={
                    "home": Path(home),
                    "database": DatabaseSettings(),
                    "index": settings.index_elsewhere,
                    "elasticsearch": _under_another_name(settings),
                }
            )
            async with runtime(apart) as built:
                try:
                    report = await built.files.ingest(Folder(documents))
                    for skipped in report.skipped:
                        said = f"Skipped: {skipped.path}: {skipped.reason}"
                        console.print(said, style="yellow", markup=False)
                    yield tools_of(built.house)
                finally:
                    await built.drop_index()

    return opened


def _under_another_name(settings: Settings) -> ElasticsearchSettings:
    """The server that is set, with an index for this evaluation only."""
    return settings.elasticsearch.model_copy(update={"alias": f"pestle-eval-{secrets.token_hex(6)}"})


def _figures(result: Evaluation) -> Table:
    """The figures of every group."""
    table = Table(title=escape(result.folder), title_justify="left", box=box.SIMPLE_HEAD, padding=0)
    table.add_column("")
    for column in ("cells", "TP", "TN", "FP", "FN", *SHARES):
        table.add_column(column, justify="right", no_wrap=True)
    for name, found in result.groups.items():
        counts = (found.cells, found.tp, found.tn, found.fp, found.fn)
        shares = (found.accuracy, found.precision, found.recall, found.specificity, found.f1)
        table.add_row(name, *map(str, counts), *map(_share, shares))
    return table


def _share(value: float | None) -> str:
    """A figure, or that its denominator is empty."""
    return "empty" if value is None else f"{value:.3f}"


def _print_citations(result: Evaluation) -> None:
    """How many citations are verbatim, and each that is not."""
    checked = result.verbatim
    console.print(
        f"{checked.citations} citations of {checked.answers} answers: {len(checked.wrong)} not verbatim",
        highlight=False,
    )
    for line in checked.wrong:
        console.print(line, style="red", markup=False, highlight=False)
