"""`pestle eval programs`: the tested programs of protocols, on data with published answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adapters.cli.eval.figures import figures_table, share
from adapters.cli.session import JsonFile, console, load, run_to_end, write_json
from bot.errors import BadRequest
from retrieval.errors import ArchiveNotFound

if TYPE_CHECKING:
    from agents.protocol.lab.evaluate import CaseOutcome

WRONG = 7


def programs_command(
    folder: Annotated[Path, typer.Argument(help="A folder with tables of expression and survival.")],
    hgnc: Annotated[
        Path | None, typer.Option(help="The complete set of HGNC, for symbols of Ensembl ids.")
    ] = None,
    sets: Annotated[Path | None, typer.Option(help="Gene sets as a GMT file.")] = None,
    only: Annotated[str, typer.Option(help="Only cases whose name contains this.")] = "",
    json_file: JsonFile = None,
) -> None:
    """Run the programs of all assay families on data whose answers are published: does each run, and does it
    find them again? Exit code 7 if not.

    Data: airway, pasilla, Golub (runs, without an answer), GSE7390, GSE4581, GDS507 in the folder, and
    what R brings. It takes R (`pestle protocol setup`) and two minutes.
    """
    from adapters.sandbox import open_sandbox
    from agents.protocol.folder import FolderLiterature
    from agents.protocol.lab.evaluate import HGNC, evaluate, figures
    from agents.protocol.lab.machine import look

    if not folder.is_dir():
        raise ArchiveNotFound(f"There is no folder {folder}.")
    sandbox = open_sandbox(load().sandbox)
    if why := run_to_end(look(sandbox)).why:
        raise BadRequest(why)
    more = {HGNC: hgnc.read_bytes()} if hgnc else {}
    more |= {"sets.gmt": sets.read_bytes()} if sets else {}
    outcomes = run_to_end(evaluate(sandbox, FolderLiterature(folder), more, only))
    told = figures(outcomes)
    _tell(outcomes)
    rate = share(told["execution_success_rate"])
    console.print(
        f"{told['tasks']} tasks, execution success rate {rate}; {told['right']} of {told['checks']} answers "
        "found again",
        highlight=False,
    )
    write_json(json_file, {**told, "cases": [one.as_fields() for one in outcomes]})
    if told["right"] != told["checks"] or told["execution_success_rate"] != 1:
        raise typer.Exit(WRONG)


def _tell(outcomes: list[CaseOutcome]) -> None:
    table = figures_table("", ["case", "task", "state"], ["seconds"])
    for outcome in outcomes:
        for one in outcome.results:
            seconds = f"{one.ran.used.seconds:.1f}" if one.ran else ""
            table.add_row(outcome.case, one.task, one.state.value, seconds)
    console.print(table)
    for check in (check for outcome in outcomes for check in outcome.checks):
        line = f"{'right' if check.right else 'WRONG'}: {check.what}: {check.found} ({check.expected})"
        console.tell(line, "" if check.right else "red", wrap=True)
