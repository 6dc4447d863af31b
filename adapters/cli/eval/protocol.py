"""`pestle eval protocol`: reports of articles against these, and protocols beside their plainest peer."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import TypeAdapter

from adapters.cli.eval.figures import figures_table, share
from adapters.cli.session import JsonFile, console, with_runtime, write_json
from bot.errors import BadRequest
from retrieval.errors import JudgementsError

if TYPE_CHECKING:
    from adapters.wiring import Runtime
    from agents.protocol.compare import Compared, Pair
    from agents.protocol.evaluate import ArticleFigures

COLUMNS = ("steps", "tied", "accessions", "in the file")


def protocol_command(
    folder: Annotated[Path, typer.Argument(help="Folder with articles in XML (JATS, PubMed).")],
    articles: Annotated[int, typer.Option(help="Articles of which reports are made.", min=1)] = 10,
    objective: Annotated[
        list[str] | None,
        typer.Option(help="Compare protocols for this instead (with `; conditions: …`); repeatable."),
    ] = None,
    score: Annotated[
        Path | None,
        typer.Option(help="Score the protocols of such a file of --json again, with the model that is set."),
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """Make reports of articles and look up every step in its article; count accessions a second time.

    A step counts as tied if its paragraph exists and holds it word for word. Accessions are compared with a
    count over the words of the raw files.

    With objectives the language model designs a protocol for each over the folder, and a peer writes one by
    one prompt over the same abstracts; the same judge (the role `judge` of the model) scores both, 1 to 5.
    The file of `--json` holds both protocols and what cost them most; `--score` has another model judge them.
    """
    if objective or score:
        write_json(json_file, _beside_peer(folder, objective or [], _read(score) if score else []))
        return
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
                console.tell(f"{one.article}: {what} {', '.join(names)}", wrap=True)
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


def _beside_peer(folder: Path, objectives: list[str], kept: list[Pair]) -> dict[str, Any]:
    """The mean scores of protocols and of the peer's, told and for a file; `kept` has some to score anew."""
    from agents.protocol.compare import Compared, compared, written
    from agents.protocol.folder import FolderLiterature
    from agents.protocol.pipeline import Tools
    from agents.protocol.understand import ordered

    async def work(built: Runtime) -> list[Compared]:
        if (model := built.house.model) is None:
            raise BadRequest("That needs a language model: set PESTLE_MODEL_BASE_URL.")
        place = FolderLiterature(folder)
        tools = Tools((place,), place, sources=built.house.sources)
        pairs = [await written(tools, model, ordered(one).objective) for one in objectives]
        return await compared(model, [*pairs, *kept])

    found = with_runtime(work)
    criteria = ("completeness", "detail", "correctness", "logic", "overall")
    table = figures_table(f"Objectives: {len(found)}, mean of 1 to 5", ["protocol by"], criteria)
    means = {
        who: {one: fmean(getattr(scores, one) for scores in some) for one in criteria}
        for who, some in (
            ("pestle", [one.ours for one in found]),
            ("one prompt", [one.peer for one in found]),
        )
    }
    for who, of in means.items():
        table.add_row(who, *(f"{value:.2f}" for value in of.values()))
    console.print(table)
    for one in found:
        console.tell(f"{one.pair.objective.text}: {one.ours.reason}", wrap=True)
    return {"means": means, "compared": TypeAdapter(list[Compared]).dump_python(found)}


def _read(file: Path) -> list[Pair]:
    """The protocols of a file of `--json`. Raises `JudgementsError`."""
    from agents.protocol.compare import Compared

    try:
        kept = TypeAdapter(list[Compared]).validate_python(json.loads(file.read_bytes())["compared"])
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise JudgementsError(f"{file} holds no protocols that --json kept: {error}") from error
    return [one.pair for one in kept]
