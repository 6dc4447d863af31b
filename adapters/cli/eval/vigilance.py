"""`pestle eval vigilance`: verdicts on drugs, classes and outcomes, against what experts judged."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.eval.figures import figures_table, share
from adapters.cli.session import JsonFile, console, load, with_runtime, write, write_json
from bot.errors import BadRequest

if TYPE_CHECKING:
    from rich.table import Table

    from adapters.wiring import Runtime
    from agents.vigilance.evaluate.gold import Gold
    from agents.vigilance.evaluate.judge import Passages
    from agents.vigilance.evaluate.run import VigilanceScores
    from agents.vigilance.reading.calibration import Calibration
    from agents.vigilance.reading.extracts import Switches


COLUMNS = ("ADE AUC", "F1", "effect AUC", "F1")


def vigilance_command(
    folder: Annotated[Path, typer.Argument(help="A folder with pairs.csv or classes.csv, or such a file.")],
    without: Annotated[
        list[str] | None,
        typer.Option(help="What reading does without; may be given again."),
    ] = None,
    rules: Annotated[
        bool, typer.Option("--rules", help="Judge by rules although a language model is set.")
    ] = False,
    critics: Annotated[bool, typer.Option(help="Let critics review what the model's agents find.")] = True,
    retrieval: Annotated[bool, typer.Option(help="Let the model's agents read labels.")] = True,
    ablations: Annotated[
        bool, typer.Option("--ablations", help="Also the figures without each of these in turn.")
    ] = False,
    calibrate: Annotated[
        Path | None,
        typer.Option(help="Write the scales of the rules that these judgements teach to this file."),
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """Judge drugs or classes and outcomes by their loaded labels, and compare with what experts judged.

    AUC and F1 of adverse drug events and of any effect, over cells of which a label is loaded; simple
    baselines in the same table. Rules ask loaded files only, so that figures can be repeated. With a
    language model its agents and critics judge.
    """
    from agents.vigilance.evaluate.calibrate import learn_calibration
    from agents.vigilance.evaluate.gold import read_gold
    from agents.vigilance.evaluate.judge import RuleJudge
    from agents.vigilance.reading.extracts import ALL_ON

    gold = read_gold(folder)
    switches = replace(ALL_ON, **dict.fromkeys(_known(without or []), False))
    by_model = bool(load().model.base_url) and not rules

    async def work(built: Runtime) -> tuple[VigilanceScores, dict[str, VigilanceScores], Calibration | None]:
        passages = _passages(built)
        if by_model:
            result = await _by_model(built, gold, passages, critics, retrieval)
        else:
            result = await _by_rules(gold, passages, switches)
        each = {name: replace(switches, **{name: False}) for name in names_of(switches) if ablations}
        without_one = {name: await _by_rules(gold, passages, one) for name, one in each.items()}
        if not calibrate:
            return result, without_one, None
        learnt = await learn_calibration(gold, RuleJudge(passages, switches), folder.name)
        return result, without_one, learnt

    result, without_one, learnt = with_runtime(work)
    if not result.covered:
        raise BadRequest(
            "No label of these drugs is loaded. `pestle sources load FILE` takes files of labels."
        )
    console.print(_figures(result))
    content = result.as_fields()
    if ablations:
        content["ablations"] = _ablations(without_one)
    write_json(json_file, content)
    if calibrate and learnt:
        write(calibrate, learnt.as_toml().encode())


def _known(names: list[str]) -> list[str]:
    from agents.vigilance.reading.extracts import ALL_ON

    known = names_of(ALL_ON)
    if wrong := [name for name in names if name not in known]:
        raise BadRequest(f"{wrong[0]} cannot be left out. Choose from: {', '.join(known)}.")
    return names


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


def names_of(switches: Switches) -> list[str]:
    """What can be switched off."""
    return [one.name for one in fields(switches)]


async def _by_rules(gold: list[Gold], passages: Passages, switches: Switches) -> VigilanceScores:
    from agents.vigilance.evaluate.judge import Baselines, RuleJudge
    from agents.vigilance.evaluate.run import evaluate_vigilance

    judge = RuleJudge(passages, switches)
    off = [name for name in names_of(switches) if not getattr(switches, name)]
    return await evaluate_vigilance(gold, judge, Baselines(passages), judge.scales.learnt_on, off)


async def _by_model(
    built: Runtime, gold: list[Gold], passages: Passages, critics: bool, retrieval: bool
) -> VigilanceScores:
    """By the model that is set."""
    from agents.vigilance.evaluate.judge import Baselines
    from agents.vigilance.evaluate.model import RunJudge
    from agents.vigilance.evaluate.run import evaluate_vigilance
    from agents.vigilance.work import desk_of

    off = [name for name, on in (("critics", critics), ("retrieval", retrieval)) if not on]
    judge = RunJudge(desk_of(built.house), critics, retrieval)
    return await evaluate_vigilance(gold, judge, Baselines(passages), without=off)


def _ablations(without_one: dict[str, VigilanceScores]) -> dict[str, object]:
    """The figures without each switch, printed and by name."""
    table = figures_table("without", [""], COLUMNS)
    found: dict[str, object] = {}
    for name, one in without_one.items():
        told = one.as_fields()
        found[name] = {kind: told[kind] for kind in ("ade", "effect")}
        table.add_row(name, *_cells(told["ade"]), *_cells(told["effect"]))
    console.print(table)
    return found


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
