"""The tested programs on data with published answers: does each run, and does it find them again?

Data: the expression and survival tables of a folder (airway, GSE52778; pasilla, GSE18508; Golub 1999;
GSE7390; GSE4581; GDS507), and what R's package survival brings (lung, ovarian, veteran).
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import reduce
from pathlib import Path
from typing import Any

from agents.ports import Sandbox
from agents.programs.values import Job
from agents.protocol.folder import FolderLiterature
from agents.protocol.lab.approve import APPROVAL, APPROVE
from agents.protocol.lab.results import State, TaskResult
from agents.protocol.lab.shown import success_rate
from agents.protocol.lab.tables import Table, read_table, rows_with
from agents.protocol.programs import run_tasks
from agents.protocol.values import DryTask, TaskFile
from agents.runs.artefacts import MemoryArtefacts
from agents.runs.encoding import decode
from agents.runs.execute import execute
from agents.runs.memory import MemoryLedger
from agents.runs.pipeline import Pipeline, new_run
from agents.runs.run import Run

SHIPPED = ("lung", "ovarian", "veteran")
"""Tables of R's package survival."""
EXPORT = "; ".join(f'write.csv(survival::{one}, "out/{one}.csv", row.names = FALSE)' for one in SHIPPED)
HGNC = "hgnc_complete_set.tsv.gz"
PUBLISHED = tomllib.loads(Path(__file__).with_name("published.toml").read_text(encoding="utf-8"))
"""The cases, and their answers by name; the head of the file explains both."""


@dataclass(frozen=True, slots=True)
class Check:
    """A published answer, what was found, and whether they agree."""

    what: str
    expected: str
    found: str
    right: bool


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """What came of a case."""

    case: str
    results: tuple[TaskResult, ...]
    checks: tuple[Check, ...]

    def as_fields(self) -> dict[str, object]:
        """For a file."""
        return {
            "case": self.case,
            "tasks": [
                {
                    "task": one.task,
                    "state": one.state.value,
                    "level": one.level,
                    "reason": one.reason,
                    "seconds": round(one.ran.used.seconds, 2) if one.ran else None,
                    "memory_mb": round(one.ran.used.memory / 1e6) if one.ran else None,
                    "found": one.text("summary.txt").splitlines(),
                }
                for one in self.results
            ],
            "checks": [asdict(one) for one in self.checks],
        }


def figures(outcomes: Sequence[CaseOutcome]) -> dict[str, Any]:
    """Execution success rate over all tasks, failed ones by level of their error, and answers found again."""
    results = [one for outcome in outcomes for one in outcome.results]
    checks = [one for outcome in outcomes for one in outcome.checks]
    return {
        "tasks": len(results),
        "execution_success_rate": round(success_rate(results), 4),
        "errors_by_level": {str(level): sum(one.level == level for one in results) for level in range(1, 5)},
        "not_run": sum(one.state is State.NOT_RUN for one in results),
        "checks": len(checks),
        "right": sum(one.right for one in checks),
    }


async def evaluate(
    sandbox: Sandbox, folder: FolderLiterature, more: Mapping[str, bytes], only: str = ""
) -> list[CaseOutcome]:
    """Run the cases whose name contains `only` and whose files are there. `more` are files beside the
    folder's, by name ("sets.gmt").
    """
    shipped = await sandbox.run(Job(("Rscript", "--vanilla", "-e", EXPORT)))
    others, outcomes = {**shipped.files, **more}, []
    for case in (one for one in PUBLISHED["case"] if only in one["name"]):
        names = [name for task in case["tasks"] for name in task["files"]]
        files = {name: others.get(name) or await folder.content(name) for name in names}
        known = {name: data for name, data in files.items() if data is not None}
        if len(known) == len(files):
            outcomes.append(await _outcome(sandbox, case, known))
    return outcomes


async def _outcome(sandbox: Sandbox, case: Mapping[str, Any], files: Mapping[str, bytes]) -> CaseOutcome:
    """A case as a run whose programs are approved at once."""
    ledger, artefacts, record = MemoryLedger(), MemoryArtefacts(), new_run("lab", case["name"])
    tasks: list[DryTask] = []
    for one in case["tasks"]:
        tasks.append(_task(**one, after=tuple(each.id for each in tasks)))

    async def carried(run: Run, inputs: str) -> tuple[TaskResult, ...]:
        kept = [(name, (await run.artefact(data, "text/csv", name)).sha256) for name, data in files.items()]
        return await run_tasks(run, sandbox, tasks, kept)

    await ledger.create(record)
    pipelines = {"lab": Pipeline(carried, str, tuple[TaskResult, ...])}
    await execute(record.run_id, ledger, pipelines, "evaluation", artefacts=artefacts)
    for asked in await ledger.open_requests(record.run_id):
        await ledger.decide(record.run_id, asked.name, APPROVE, "evaluation")
        await execute(record.run_id, ledger, pipelines, "evaluation", artefacts=artefacts)
    ended = await ledger.run(record.run_id)
    results: tuple[TaskResult, ...] = decode(tuple[TaskResult, ...], ended.result if ended else "", APPROVAL)
    found = await artefacts.get(results[-1].file("results.csv"))
    answers = PUBLISHED["answer"][case["answers"]] if found and "answers" in case else ()
    checks = tuple(answered(read_table("results.csv", found), **one) for one in answers) if found else ()
    return CaseOutcome(case["name"], results, checks)


def _task(family: str, files: Sequence[str], after: tuple[str, ...], text: str = "", **asked: str) -> DryTask:
    inputs = tuple(TaskFile(name, "csv") for name in files)
    return DryTask(family, text, family, inputs, after, parameters=tuple(asked.items()))


def answered(table: Table, what: str, holds: Sequence[str], by: str = "", names: Sequence[str] = ()) -> Check:
    """A published answer in a table of results, as the head of `published.toml` tells."""
    rows = tuple((str(place), *row) for place, row in enumerate(table.rows, start=1))
    placed = Table(table.name, ("place", *table.columns), rows)
    right = reduce(rows_with, holds, placed)
    found = {*names} & {*right.column(by)} if names else {*right.rows}
    told = next((", ".join(row) for row in rows if {*names} & {*row}), "")
    needed = len(names) or 1
    expected = f"{needed} with {', '.join(holds)}"
    return Check(what, expected, f"{len(found)}; {told}", len(found) >= needed)
