"""`pestle eval questions`: natural questions over a folder of documents, asked and scored."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.eval.figures import figures_table, share
from adapters.cli.session import JsonFile, console, load, run_to_end, write_json
from bot.errors import BadRequest

if TYPE_CHECKING:
    from rich.table import Table

    from agents.archive.evaluate.natural import NaturalEvaluation, QuestionFigures

COLUMNS = ("n", "right", "helped", "wrong", "nothing", "made up", "calls", "tokens", "p95 s")


class Baseline(StrEnum):
    """What the pipeline is compared with."""

    PLAIN = "plain"


def questions_command(
    folder: Annotated[Path, typer.Argument(help="Folder with questions.jsonl and docs.")],
    baseline: Annotated[
        Baseline | None,
        typer.Option(help="Also ask a model with one prompt over the first ten chunks of the search."),
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """Ask natural questions, score the answers by kind of question, explain each miss.

    Without a folder `docs` beside the questions, the archive that is set is asked.
    """
    from adapters.cli.eval.tools import tools_as_set, tools_for
    from agents.archive.evaluate.natural import DOCUMENTS, evaluate_questions

    settings = load()
    if baseline and not settings.model.base_url:
        raise BadRequest("--baseline needs a language model: set PESTLE_MODEL_BASE_URL.")
    tools = tools_for(settings) if (folder / DOCUMENTS).is_dir() else tools_as_set(settings)
    result = run_to_end(evaluate_questions(folder, tools, plain=baseline is not None))
    console.print(_figures(result))
    for one in result.results:
        if one.explanation:
            line = f"{one.id} ({one.by}, {one.kind}) {one.question} -> {one.explanation}"
            console.tell(line, wrap=True)
    write_json(json_file, result)


def _figures(result: NaturalEvaluation) -> Table:
    """A row for each kind of question, and one for all, by who answered."""
    table = figures_table(result.folder, [""], COLUMNS)
    for by, kinds in result.figures.items():
        for kind, found in kinds.items():
            table.add_row(f"{by}: {kind}", *_cells(found))
    return table


def _cells(found: QuestionFigures) -> list[str]:
    shares = (found.right, found.helped, found.stated_wrong, found.nothing, found.made_up)
    return [
        str(found.questions),
        *map(share, shares),
        f"{found.calls:g}",
        f"{found.tokens:g}",
        f"{found.slow:.2f}",
    ]
