"""`pestle eval protocol`: reports of articles, and the accessions that they name, against the articles."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.eval.figures import figures_table, share
from adapters.cli.session import JsonFile, console, write_json
from retrieval.errors import JudgementsError

if TYPE_CHECKING:
    from agents.protocol.evaluate import ArticleFigures

COLUMNS = ("steps", "tied", "accessions", "in the file")


def protocol_command(
    folder: Annotated[Path, typer.Argument(help="Folder with articles in XML (JATS, PubMed).")],
    articles: Annotated[int, typer.Option(help="Articles of which reports are made.", min=1)] = 10,
    json_file: JsonFile = None,
) -> None:
    """Make reports of articles and look up every step in its article; count accessions a second time.

    A step counts as tied if its paragraph exists and holds it word for word. Accessions are compared with a
    count over the words of the raw files.
    """
    from agents.protocol.evaluate import evaluate

    found = evaluate(folder, articles)
    if not found.articles:
        raise JudgementsError(f"No article of {folder} has methods or names a dataset.")
    table = figures_table(str(folder), ["article"], COLUMNS)
    for one in found.articles:
        table.add_row(one.article, *_cells(one))
    console.print(table)
    for one in found.articles:
        for what, names in (("untied", one.untied), ("missed", one.missed), ("too many", one.extra)):
            if names:
                console.print(f"{one.article}: {what} {', '.join(names)}", markup=False, highlight=False)
    figures = {
        "articles with a report": found.reported,
        "steps": found.steps,
        "tied": found.tied,
        "accessions precision": found.precision,
        "accessions recall": found.recall,
    }
    for name, value in figures.items():
        told = share(value) if isinstance(value, float) or value is None else str(value)
        console.print(f"{name}: {told}", highlight=False)
    write_json(json_file, {**figures, "articles": [asdict(one) for one in found.articles]})


def _cells(one: ArticleFigures) -> tuple[str, ...]:
    tied = str(one.steps - len(one.untied)) if one.steps else ""
    return (str(one.steps or ""), tied, str(len(one.found)), str(len(one.expected)))
