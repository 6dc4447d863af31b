"""`pestle eval vigilance`: verdicts on drugs, classes and outcomes, against what experts judged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.eval.figures import figures_table, share
from adapters.cli.session import JsonFile, console, load, with_runtime, write, write_json
from bot.errors import BadRequest

if TYPE_CHECKING:
    from rich.table import Table

    from adapters.wiring import Runtime
    from agents.vigilance.evaluate.judge import Passages
    from agents.vigilance.evaluate.run import VigilanceScores
    from agents.vigilance.reading.calibration import Calibration


COLUMNS = ("ADE AUC", "F1", "effect AUC", "F1")


def vigilance_command(
    folder: Annotated[Path, typer.Argument(help="A folder with pairs.csv or classes.csv, or such a file.")],
    rules: Annotated[
        bool, typer.Option("--rules", help="Judge by rules although a language model is set.")
    ] = False,
    critics: Annotated[bool, typer.Option(help="Let critics review what the model's agents find.")] = False,
    retrieval: Annotated[bool, typer.Option(help="Let the model's agents read labels.")] = True,
    calibrate: Annotated[
        Path | None,
        typer.Option(help="Write the scales of the rules that these judgements teach to this file."),
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """Judge drugs or classes and outcomes by their loaded labels, and compare with what experts judged.

    AUC and F1 of adverse drug events and of any effect, over cells of which a label is loaded; simple
    baselines in the same table. Rules ask loaded files only, so that figures can be repeated. With a
    language model its agents judge.
    """
    from adapters.wiring import budget
    from agents.vigilance.evaluate.calibrate import learn_calibration
    from agents.vigilance.evaluate.gold import read_gold
    from agents.vigilance.evaluate.judge import Baselines
    from agents.vigilance.evaluate.model import RunJudge
    from agents.vigilance.evaluate.run import evaluate_vigilance
    from agents.vigilance.kind import KIND
    from agents.vigilance.reading.calibration import calibration
    from agents.vigilance.work import desk_of

    gold = read_gold(folder)
    by_model = bool(load().model.base_url) and not rules

    async def work(built: Runtime) -> tuple[VigilanceScores, Calibration | None]:
        passages = _passages(built)
        desk = desk_of(built.house)
        if not by_model:
            desk = replace(desk, finder=passages.finder, labels=passages.labels, minds=None)
        result = await evaluate_vigilance(
            gold,
            RunJudge(desk, critics, retrieval, budget(built.settings, KIND)),
            Baselines(passages),
            "" if by_model else calibration().learnt_on,
            without=[name for name, on in (("critics", critics), ("retrieval", retrieval)) if not on],
        )
        return result, await learn_calibration(gold, passages, folder.name) if calibrate else None

    result, learnt = with_runtime(work)
    if not result.covered:
        raise BadRequest(
            "No label of these drugs is loaded. `pestle sources load FILE` takes files of labels."
        )
    console.print(_figures(result))
    write_json(json_file, result.as_fields())
    if calibrate and learnt:
        write(calibrate, learnt.as_toml().encode())


def _passages(built: Runtime) -> Passages:
    """What is loaded; the network is not asked."""
    from adapters.sources.reach import bulk_folder
    from agents.databases.atc import Atc
    from agents.databases.ndc import Ndc
    from agents.databases.prescriptions import Prescriptions
    from agents.vigilance.evaluate.judge import Passages
    from agents.vigilance.finder.find import Finder

    bulk, labels = bulk_folder(built.settings), built.labels_over(None)
    return Passages(Finder(Ndc(bulk), Prescriptions(bulk), labels, atc=Atc(bulk)), labels)


def _figures(result: VigilanceScores) -> Table:
    told = result.as_fields()
    title = f"{told['covered']} of {told['scored']} cells covered by loaded labels"
    table = figures_table(title, [""], COLUMNS)
    table.add_row("labels read", *_cells(told["ade"]), *_cells(told["effect"]))
    table.add_row("… all cells", *_cells(told["all"]["ade"]), *_cells(told["all"]["effect"]))
    for name, one in told["baselines"].items():
        shares = [one[f"{kind}.{figure}"] for kind in ("ade", "effect") for figure in ("auc", "f1")]
        table.add_row(name, *map(share, shares))
    return table


def _cells(told: dict[str, float | None]) -> list[str]:
    return [share(told["auc"]), share(told["f1"])]
