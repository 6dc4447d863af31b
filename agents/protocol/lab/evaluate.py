"""The tested programs on data with published answers: does each run, and does it find them again?

Data: the expression and survival tables of a folder (airway, GSE52778; pasilla, GSE18508; Golub 1999;
GSE7390; GSE4581; GDS507), and what R's package survival brings (lung, ovarian, veteran).
"""

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from agents.ports import Sandbox
from agents.programs.values import Job
from agents.protocol.folder import FolderLiterature
from agents.protocol.lab.approve import APPROVAL, APPROVE
from agents.protocol.lab.results import State, TaskResult
from agents.protocol.lab.shown import success_rate
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
HIMES = ("CCDC69", "C7", "CRISPLD2", "DUSP1", "KLF15", "PER1", "TSC22D3")
"""Genes that the abstract of Himes 2014 (PLoS ONE 9:e99625) names as changed by dexamethasone."""
KNOWN = ("DUSP1", "FKBP5", "PER1")
TOP = 316
"""So many genes are different in Himes 2014."""
Rows = Sequence[Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Check:
    """A published answer, what was found, and whether they agree."""

    what: str
    expected: str
    found: str
    right: bool


@dataclass(frozen=True, slots=True)
class Case:
    """Tasks on files, one after the other, and what the last one's results are looked at for."""

    name: str
    tasks: tuple[DryTask, ...]
    files: tuple[str, ...]
    checks: Callable[[Rows], Iterator[Check]] = lambda rows: iter(())


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
    for case in (one for one in CASES if only in one.name):
        files = {name: others.get(name) or await folder.content(name) for name in case.files}
        known = {name: data for name, data in files.items() if data is not None}
        if len(known) == len(files):
            outcomes.append(await _outcome(sandbox, case, known))
    return outcomes


async def _outcome(sandbox: Sandbox, case: Case, files: Mapping[str, bytes]) -> CaseOutcome:
    """A case as a run whose programs are approved at once."""
    ledger, artefacts, record = MemoryLedger(), MemoryArtefacts(), new_run("lab", case.name)

    async def carried(run: Run, inputs: str) -> tuple[TaskResult, ...]:
        kept = [(name, (await run.artefact(data, "text/csv", name)).sha256) for name, data in files.items()]
        return await run_tasks(run, sandbox, case.tasks, kept)

    await ledger.create(record)
    pipelines = {"lab": Pipeline(carried, str, tuple[TaskResult, ...])}
    await execute(record.run_id, ledger, pipelines, "evaluation", artefacts=artefacts)
    for asked in await ledger.open_requests(record.run_id):
        await ledger.decide(record.run_id, asked.name, APPROVE, "evaluation")
        await execute(record.run_id, ledger, pipelines, "evaluation", artefacts=artefacts)
    ended = await ledger.run(record.run_id)
    results: tuple[TaskResult, ...] = decode(tuple[TaskResult, ...], ended.result if ended else "", APPROVAL)
    table = await artefacts.get(results[-1].file("results.csv")) or b""
    return CaseOutcome(
        case.name, results, tuple(case.checks(list(csv.DictReader(io.StringIO(table.decode())))))
    )


def _task(family: str, files: Sequence[str], text: str = "", after: str = "", **asked: str) -> DryTask:
    inputs = tuple(TaskFile(name, "csv") for name in files)
    name = f"{family}-{asked['method']}" if "method" in asked else family
    depends_on = (after,) if after else ()
    return DryTask(name, text, family, inputs, depends_on, parameters=tuple(asked.items()))


def _case(
    name: str,
    family: str,
    *files: str,
    text: str = "",
    check: Callable[[Rows], Iterator[Check]] | None = None,
    **asked: str,
) -> Case:
    case = Case(name, (_task(family, files, text, **asked),), files)
    return replace(case, checks=check) if check else case


def _rank(rows: Rows, column: str, name: str) -> tuple[int, Mapping[str, str]]:
    """The place of a row, from 1, and the row; 0 for none."""
    return next(((place, row) for place, row in enumerate(rows, 1) if row[column] == name), (0, {}))


def _airway(rows: Rows) -> Iterator[Check]:
    for name in KNOWN:
        place, row = _rank(rows, "symbol", name)
        rises = float(row.get("log2fc", 0)) > 0
        found = f"place {place}, log2 fold change {row.get('log2fc')}"
        yield Check(
            f"{name} rises with dexamethasone",
            f"among the first {TOP}, higher",
            found,
            0 < place <= TOP and rises,
        )
    again = [name for name in HIMES if _differs(_rank(rows, "symbol", name)[1])]
    yield Check(
        "genes of the abstract of Himes 2014 found again",
        f"{len(HIMES)} of {len(HIMES)}",
        f"{len(again)} of {len(HIMES)}",
        len(again) == len(HIMES),
    )


def _differs(row: Mapping[str, str]) -> bool:
    return float(row.get("padj") or 1) < 0.05


def _pasilla(rows: Rows) -> Iterator[Check]:
    place, row = _rank(rows, "gene", "FBgn0261552")
    found = f"place {place}, log2 fold change {row.get('log2fc')}, adjusted p {row.get('padj')}"
    falls = float(row.get("log2fc", 0)) < -1 and _differs(row)
    yield Check(
        "pasilla (FBgn0261552) falls when it is knocked down", "lower, adjusted p below 0.05", found, falls
    )


def _glucocorticoid(rows: Rows) -> Iterator[Check]:
    found = [row["set"] for row in rows if _differs(row)]
    yield Check("gene sets are enriched", "1 or more", str(len(found)), bool(found))


def _hazard(published: Mapping[str, str]) -> Callable[[Rows], Iterator[Check]]:
    """Hazard ratios of the model of all variables, as published to two digits."""

    def checks(rows: Rows) -> Iterator[Check]:
        together = {row["variable"]: row for row in rows if row["model"] == "together"}
        for variable, expected in published.items():
            found = f"{float(together[variable]['hazard_ratio']):.2f}" if variable in together else "none"
            yield Check(f"hazard ratio of {variable}", expected, found, found == expected)

    return checks


LUNG = {"sex": "0.59", "age": "1.02", "wt.loss": "1.00"}
"""Vignette "survival" of the package (3.5-3), page 44."""
VETERAN = {"trt": "1.20", "prior": "0.99", "karno": "0.97"}
"""Vignette "timedep" of the package (3.5-3), page 16."""
HGNC = "hgnc_complete_set.tsv.gz"
AIRWAY = ("airway_rawcounts.csv.gz", "airway_metadata.csv", HGNC)
PASILLA = ("pasilla_gene_counts.tsv.gz", "pasilla_sample_annotation.csv")
GOLUB = ("golub_leukemia.csv.gz",)
GDS = ("GDS507_expression.csv", "GDS507_samples.csv", "symbols_GDS507.csv")
METHODS = ("deseq2", "edger", "limma-voom")


def _pathways(method: str) -> Case:
    first = _task("bulk_rnaseq", AIRWAY[:2], method="deseq2")
    then = _task("pathway", (), after=first.id, method=method)
    return Case(f"airway, pathways, {method}", (first, then), (*AIRWAY, "sets.gmt"), _glucocorticoid)


CASES = (
    *(_case(f"airway, {one}", "bulk_rnaseq", *AIRWAY, check=_airway, method=one) for one in METHODS),
    *(_case(f"pasilla, {one}", "bulk_rnaseq", *PASILLA, check=_pasilla, method=one) for one in METHODS),
    _case("golub, limma", "microarray", *GOLUB),
    _case("golub, signature", "signature", *GOLUB),
    _case("lung", "survival", "lung.csv", text="by sex", check=_hazard(LUNG), covariates="age, wt.loss"),
    _case("ovarian", "survival", "ovarian.csv", group="rx", covariates="age"),
    _case(
        "veteran", "survival", "veteran.csv", group="trt", check=_hazard(VETERAN), covariates="prior, karno"
    ),
    _case("GSE7390", "survival", "breast_cancer_GSE7390_survival.csv", group="er", covariates="age, size"),
    _case("GSE4581", "survival", "survminer_myeloma.csv.gz", group="molecular_group"),
    _pathways("ora"),
    _pathways("gsea"),
    _case("airway, immune cells", "infiltration", *AIRWAY),
    _case("GDS507, limma", "microarray", *GDS),
    _case("GDS507, immune cells", "infiltration", *GDS),
)
