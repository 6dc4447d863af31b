"""`pestle eval support`: is every value that is shown carried by its citation?"""

from pathlib import Path
from typing import Annotated

import typer

from adapters.cli.eval_tools import tools_as_set, tools_for
from adapters.cli.runs import found
from adapters.cli.session import console, run_to_end, with_runtime
from adapters.settings import load
from adapters.wiring import Runtime
from agents.archive.evaluate.natural import DOCUMENTS
from agents.archive.evaluate.questions import QUESTIONS
from agents.archive.evaluate.support import SupportReport, evaluate_support, support_of
from bot.errors import BadRequest
from retrieval.values import Document


def support_command(
    target: Annotated[
        str,
        typer.Argument(metavar="RUN|DIR", help="Id of a run, or folder of a question set in either form."),
    ],
) -> None:
    """Check each value shown against the stored text of its citation: of one run, or of every answer to a
    question set.

    Numbers with units, frequencies, dates, counts, identifiers and names are counted. Exit code 7 if any is
    not carried.
    """
    folder = Path(target)
    result = _of_folder(folder) if folder.is_dir() else _of_run(target)
    console.print(
        f"{result.values} values and {result.citations} citations of {result.reports} reports: "
        f"{len(result.wrong)} not carried",
        highlight=False,
    )
    if result.statements:
        console.print(
            f"{result.cut} of {result.statements} judged statements cut or struck by the gate",
            highlight=False,
        )
    for line in result.wrong:
        console.print(line, style="red", markup=False, highlight=False)
    if result.wrong:
        raise typer.Exit(7)


def _of_folder(folder: Path) -> SupportReport:
    settings = load()
    natural = (folder / QUESTIONS).is_file() and not (folder / DOCUMENTS).is_dir()
    tools = tools_as_set(settings) if natural else tools_for(settings)
    return run_to_end(evaluate_support(folder, tools))


def _of_run(run_id: str) -> SupportReport:
    async def work(built: Runtime) -> SupportReport:
        async def text(key: str) -> Document | None:
            if document := await built.house.index.document(key):
                return document
            source = await built.house.sources.get(key)
            return source.document if source else None

        view = await built.views.of(await found(built, run_id))
        if view.history is None:
            raise BadRequest(f"The run {run_id} has no {view.kind.result} yet.")
        return await support_of(view.history.written, text)

    return with_runtime(work)
