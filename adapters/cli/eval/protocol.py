"""`pestle eval protocol`: reports of articles against these, and protocols beside their plainest peer."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import Field, TypeAdapter

from adapters.cli.eval.figures import figures_table
from adapters.cli.session import JsonFile, console, with_runtime, write_json
from bot.errors import BadRequest
from retrieval.errors import JudgementsError

if TYPE_CHECKING:
    from adapters.wiring import Runtime
    from agents.protocol.compare import Compared, Pair


def protocol_command(
    folder: Annotated[Path, typer.Argument(help="Folder with articles in XML (JATS, PubMed).")],
    articles: Annotated[int, typer.Option(help="Articles of which reports are made.", min=1)] = 10,
    objective: Annotated[
        list[str] | None,
        typer.Option(help="Compare protocols for this instead (with `; conditions: …`); repeatable."),
    ] = None,
    score: Annotated[
        Path | None,
        typer.Option(help="Score the protocols of such a file of --json again."),
    ] = None,
    judge: Annotated[
        list[str] | None,
        typer.Option(help="A model of the endpoint that scores, for that of the role `judge`; repeatable."),
    ] = None,
    verdicts: Annotated[
        Path | None,
        typer.Option(help="Rate articles against these instead: {objective: {article: true or false}}."),
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """Make reports of articles and look up every step in its article; count accessions a second time.

    A step counts as tied if its paragraph exists and holds it word for word. Accessions are compared with a
    count over the words of the raw files.

    With verdicts the filter of articles, by the model that is set or else by rules, is held against them:
    accuracy, precision and recall of what it keeps.

    With objectives the language model designs a protocol for each over the folder, and a peer writes one by
    one prompt over the same abstracts; the same judges score both by the five measures of BioResearcher
    (completeness, detail, correctness, logic, structure), 0 to 1 each, and their sum. The file of `--json`
    holds both protocols, what each judge found, and counts made without a judge (proxies).
    """
    if objective or score:
        kept = _read(score) if score else []
        write_json(json_file, _beside_peer(folder, objective or [], kept, judge or []))
        return
    from agents.protocol.evaluate import evaluate, figures, filtered
    from agents.protocol.folder import FolderLiterature

    details = []
    if verdicts:
        try:
            given = TypeAdapter(dict[str, dict[str, bool]]).validate_json(verdicts.read_bytes())
        except (OSError, ValueError) as error:
            raise JudgementsError(f"{verdicts} holds no verdicts: {error}") from error
        place = FolderLiterature(folder)
        shares = with_runtime(lambda built: filtered(place, built.house.model, given))
    else:
        details = evaluate(folder, articles)
        if not details:
            raise JudgementsError(f"No article of {folder} has methods or names a dataset.")
        shares = figures(details)
    for one in details:
        if wrong := {*one.untied, *({*one.expected} ^ {*one.found})}:
            console.tell(f"{one.article}: untied, missed or too many: {sorted(wrong)}", wrap=True)
    for name, value in shares.items():
        console.print(f"{name}: {value}", highlight=False)
    write_json(json_file, {**shares, "reports": [asdict(one) for one in details]})


def _beside_peer(folder: Path, objectives: list[str], kept: list[Pair], judges: list[str]) -> dict[str, Any]:
    """The mean measures of protocols and of the peer's, told and for a file; `kept` has more pairs."""
    from agents.minds.prompts import compose, load_prompt
    from agents.protocol.compare import Compared, compared, written
    from agents.protocol.folder import FolderLiterature
    from agents.protocol.minds import PROMPTS
    from agents.protocol.pipeline import Tools
    from agents.protocol.understand import ordered

    async def work(built: Runtime) -> list[Compared]:
        if (model := built.house.model) is None:
            raise BadRequest("That needs a language model: set PESTLE_MODEL_BASE_URL.")
        place = FolderLiterature(folder)
        tools = Tools((place,), place, sources=built.house.sources)
        pairs = [await written(tools, model, ordered(one).objective) for one in objectives]
        of_role = built.settings.model.roles.get("judge", model.name)
        named = map(built.model_named, dict.fromkeys(judges or [of_role]))
        return await compared([one for one in named if one], [*pairs, *kept])

    found = with_runtime(work)
    judged_by, names = ([*some] for some in (found[0].ours.judges, found[0].ours.measures))
    (prompt,) = compose(load_prompt("score", PROMPTS), {}).layers
    told = f"Objectives: {len(found)}, 0 to 1 and their sum, judged by {', '.join(judged_by)} ({prompt.mark})"
    table = figures_table(told, ["protocol by"], names)
    sides = {"pestle": [one.ours for one in found], "one prompt": [one.peer for one in found]}
    means = {
        who: {one: fmean(scored.measures[one] for scored in some) for one in names}
        for who, some in sides.items()
    }
    for who, of in means.items():
        table.add_row(who, *(f"{value:.3f}" for value in of.values()))
    console.print(table)
    for one in found:
        for name, judged in one.ours.judges.items():
            console.tell(f"{one.pair.objective.text}: {name}: {judged.reason}", wrap=True)
    compared_pairs = TypeAdapter(list[Compared]).dump_python(found)
    return {"judges": judged_by, "prompt": prompt.mark, "means": means, "compared": compared_pairs}


def _read(file: Path) -> list[Pair]:
    """The protocols of a file of `--json`. Raises `JudgementsError`."""
    from agents.protocol.compare import Pair

    try:
        kept = [one["pair"] for one in json.loads(file.read_bytes())["compared"]]
        return TypeAdapter(Annotated[list[Pair], Field(min_length=1)]).validate_python(kept)
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise JudgementsError(f"{file} holds no protocols that --json kept: {error}") from error
