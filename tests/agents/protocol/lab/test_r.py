"""The R programs themselves, on small made-up data with known answers; one run of R for each family."""

import csv
import io
import random
import re
import zipfile
from pathlib import Path

import pytest

from agents.ports import Sandbox
from agents.programs.values import Job
from agents.protocol.lab.families import COMMON, FAMILIES
from agents.protocol.lab.machine import NEEDED
from agents.protocol.lab.repeat import notebook, repeatable
from agents.protocol.lab.results import State, TaskResult
from agents.protocol.lab.shown import computations, task_blocks
from agents.protocol.values import DryTask
from agents.reports.gate import audit, gated
from agents.reports.values import Report, Section
from agents.runs.pipeline import new_run
from agents.runs.run import Run
from tests.agents.protocol.lab.made import SHEET, Bench, counts, task
from tests.support import services
from tests.support.drills import in_drills

CHANGED = {f"g{number}" for number in range(10)}


def groups(size: int) -> tuple[list[str], str]:
    """Names of samples, and their table: every second one is a case."""
    names = [f"s{number}" for number in range(size)]
    rows = "".join(f"{one},{'case' if place % 2 else 'control'}\n" for place, one in enumerate(names))
    return names, f"sample,group\n{rows}"


def expression(names: list[str], genes: list[str], raised: dict[str, float]) -> str:
    """Logarithms around 8; genes of `raised` are so much higher in every second sample."""
    draw = random.Random(3)
    lines = [",".join(("gene", *names))]
    for gene in genes:
        values = (draw.gauss(8, 0.5) + raised.get(gene, 0) * (place % 2) for place in range(len(names)))
        lines.append(",".join((gene, *(f"{one:.3f}" for one in values))))
    return "\n".join(lines) + "\n"


GENES = [f"g{number}" for number in range(200)]
TWENTY, SHEET_20 = groups(20)
ARRAY = {"array.csv": expression(TWENTY, GENES, dict.fromkeys(CHANGED, 3.0)), "array_sheet.csv": SHEET_20}
MARKED = ["CD19", "MS4A1", "BLK", "CD3D", "CD3E", "CD3G", *GENES]
IMMUNE = {
    "immune.csv": expression(TWENTY, MARKED, {"CD19": 3, "MS4A1": 3, "BLK": 3}),
    "immune_sheet.csv": SHEET_20,
}
SURVIVAL = "id,months,status,arm\n" + "".join(
    f"p{n},{(n % 25 + 1) * (3 if n % 2 else 1)},{0 if n % 7 == 0 else 1},{'new' if n % 2 else 'old'}\n"
    for n in range(80)
)
CELLS = expression([f"c{number}" for number in range(80)], GENES, dict.fromkeys(CHANGED, 3.0))
SETS = (
    "changed\tx\t" + "\t".join(f"g{n}" for n in range(12)) + "\nothers\tx\t" + "\t".join(GENES[50:70]) + "\n"
)
FILES = {
    "counts.csv": counts(),
    "sheet.csv": SHEET,
    **ARRAY,
    **IMMUNE,
    "times.csv": SURVIVAL,
    "cells.csv": CELLS,
    "sets.gmt": SETS,
}
BULK = ("counts.csv", "sheet.csv")
TASKS: dict[str, tuple[DryTask, ...]] = {
    "bulk_rnaseq": (
        task("de", "bulk_rnaseq", *BULK),
        task("sets", "pathway", "sets.gmt", after=("de",)),
    ),
    "edger": (task("de", "bulk_rnaseq", *BULK, parameters={"method": "edger"}),),
    "limma-voom": (
        task("de", "bulk_rnaseq", *BULK, parameters={"method": "limma-voom"}),
        task("sets", "pathway", "sets.gmt", after=("de",), parameters={"method": "gsea"}),
    ),
    "microarray": (
        task("de", "microarray", *ARRAY, parameters={"published": "g1, g2, G3, and g150, TP53."}),
    ),
    "survival": (task("km", "survival", "times.csv", description="new against old arm"),),
    "infiltration": (task("immune", "infiltration", *IMMUNE),),
    "single_cell": (task("cells", "single_cell", "cells.csv"),),
    "signature": (task("model", "signature", *ARRAY),),
}


async def done(sandbox: Sandbox, name: str) -> tuple[Bench, list[TaskResult], list[list[dict[str, str]]]]:
    """The results of tasks that all ended well, and their result tables."""
    services.r(*NEEDED)
    bench = Bench(sandbox)
    results = list(await bench.run(TASKS[name], FILES))
    assert [(one.state, one.reason) for one in results] == [(State.DONE, "")] * len(results)
    tables = [await bench.artefacts.get(one.file("results.csv")) or b"" for one in results]
    return bench, results, [list(csv.DictReader(io.StringIO(one.decode()))) for one in tables]


@pytest.fixture
async def sandbox() -> Sandbox:
    return await services.sandbox()


@pytest.mark.parametrize("name", in_drills(["limma-voom", "microarray", "edger", "bulk_rnaseq"], 2))
async def test_genes_that_were_changed_are_found_and_their_set_is(sandbox: Sandbox, name: str) -> None:
    _, results, tables = await done(sandbox, name)
    found = {row["gene"] for row in tables[0] if float(row["padj"]) < 0.05 and float(row["log2fc"]) > 1}
    assert found == CHANGED
    assert "10 are higher" in (told := results[0].text("summary.txt"))
    if name == "microarray":
        overlap = "Of 5 published genes, 4 were tested and 3 differ here as well; chance would give 0.200"
        assert f"{overlap} (hypergeometric p 0.00036)." in told
        assert "Of those, not found again: g150, TP53." in told
    assert name == "microarray" or "published" not in told
    for table in tables[1:]:
        assert table[0]["set"] == "changed"
        assert float(table[0]["padj"]) < 0.05 < float(table[1]["padj"])


async def test_survival_in_an_arm_is_longer(sandbox: Sandbox) -> None:
    _, results, [rows] = await done(sandbox, "survival")
    assert rows[0]["variable"] == "armold"
    assert float(rows[0]["lower"]) > 1.5
    assert "Log-rank test between the groups of arm" in results[0].text("summary.txt")


async def test_cells_of_the_immune_system_are_scored(sandbox: Sandbox) -> None:
    _, _, [rows] = await done(sandbox, "infiltration")
    assert [(one["cell_type"], float(one["padj"]) < 0.05) for one in rows] == [
        ("B cells", True),
        ("T cells", False),
    ]


async def test_cells_fall_into_clusters_with_their_markers(sandbox: Sandbox) -> None:
    bench, results, [rows] = await done(sandbox, "single_cell")
    cells = await bench.artefacts.get(results[0].file("cells.csv")) or b""
    told = {row["cell"]: row["cluster"] for row in csv.DictReader(io.StringIO(cells.decode()))}
    assert (
        len({told[f"c{number}"] for number in range(0, 80, 2)} & {told[f"c{n}"] for n in range(1, 80, 2)})
        == 0
    )
    assert {row["gene"] for row in rows if float(row["padj"]) < 1e-6} == CHANGED


async def test_a_signature_tells_the_groups_apart_in_samples_that_it_has_not_seen(sandbox: Sandbox) -> None:
    _, results, [rows] = await done(sandbox, "signature")
    assert "20 of 20 samples" in results[0].text("summary.txt")
    assert {row["gene"] for row in rows} <= CHANGED


async def test_what_was_found_passes_the_gate_and_a_bundle_repeats_it(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    bench, results, _ = await done(sandbox, "limma-voom")
    blocks = tuple(block for one in results for block in task_blocks(one))
    section = Section("programs", "Programs", blocks, computations=computations(results))
    report = Report("Programs", "Programs", "Programs ran.", True, (section,))
    assert gated(report).sections[0].blocks == blocks, audit(report).wrong
    assert audit(report).computed > 20
    again = Run(new_run("again", "x"), bench.ledger, artefacts=bench.artefacts)
    written, bundle = await repeatable(again, results[::-1])
    assert notebook(results).encode() == await bench.artefacts.get(written.sha256)
    with zipfile.ZipFile(io.BytesIO(await bench.artefacts.get(bundle.sha256) or b"")) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    assert {"run.sh", "notebook.qmd", "de/in/counts.csv", "sets/out/results.csv", "inputs.sha256"} <= set(
        files
    )
    await runs_as_notebook(sandbox, files)
    given = {name: data for name, data in files.items() if "/out/" not in name}
    ended = await sandbox.run(Job(("sh", "-c", "cp -r in/. tmp/ && sh tmp/run.sh"), given))
    assert ended.well, ended.err
    assert "sets/out/results.csv: OK" in ended.out


async def runs_as_notebook(sandbox: Sandbox, files: dict[str, bytes]) -> None:
    """The chunks of the notebook in one session of R, each begun in its folder, as knitr runs them."""
    chunks = re.findall(r"^```\{r\}\n(.*?)^```", files["notebook.qmd"].decode(), re.DOTALL | re.MULTILINE)
    assert len(chunks) == 2
    code = "\n".join(f'setwd("/tmp/book")\n{one}' for one in chunks)
    start = (
        "cp -r in /tmp/book && mkdir -p /tmp/book/de/out /tmp/book/sets/out && Rscript --vanilla in/book.R"
    )
    show = "cat /tmp/book/sets/out/results.csv"
    given = {name: data for name, data in files.items() if "/out/" not in name}
    given["sets/in/ranked.csv"] = files["de/out/results.csv"]
    ended = await sandbox.run(
        Job(("sh", "-c", f"{start} > /dev/null && {show}"), {**given, "book.R": code.encode()})
    )
    assert ended.well, ended.err
    assert ended.out == files["sets/out/results.csv"].decode()


def test_every_family_has_its_program_and_promises_what_it_writes() -> None:
    folder = Path(__file__).parents[4] / "agents/protocol/lab/templates"
    assert {path.name for path in folder.glob("*.R")} == {COMMON, *(one.program for one in FAMILIES.values())}
    common = (folder / COMMON).read_text()
    for family in FAMILIES.values():
        code = (folder / family.program).read_text() + common
        assert [name for name in family.promised if name not in code] == []
