"""A program as a step of a run: files by their hash, done once, a refusal that says what to do."""

import pytest

from adapters.sandbox.refusing import RefusingSandbox
from agents.errors import StepFailed
from agents.programs.kept import Program, Ran, run_program
from agents.programs.values import Ended, Job
from agents.runs.artefacts import MemoryArtefacts
from agents.runs.pipeline import new_run
from agents.runs.run import Run
from tests.support.memory.ledger import MemoryLedger
from tests.support.scripted_sandbox import ScriptedSandbox

PICTURE = b"\x89PNG\0"


async def fold(job: Job) -> Ended:
    rows = job.files["counts.csv"].decode()
    return Ended(0, "done\n", files={"fold.csv": f"gene,fold\n{rows}".encode(), "plot.png": PICTURE})


async def lived(run: Run, sandbox: ScriptedSandbox | RefusingSandbox) -> Ran:
    counts = await run.artefact(b"TP53,2.31\n", "text/csv", "counts.csv")
    program = Program("fold.R", ("Rscript", "in/fold.R"), (("counts.csv", counts.sha256),))
    return await run_program(run, sandbox, program)


async def new(ledger: MemoryLedger) -> Run:
    record = new_run("fold", "x")
    await ledger.create(record)
    return Run(record, ledger, artefacts=MemoryArtefacts())


async def test_its_files_are_artefacts_and_its_texts_are_in_the_step() -> None:
    run = await new(MemoryLedger())
    ran = await lived(run, ScriptedSandbox({"Rscript": fold}))
    table, picture = ran.files
    assert ran.well
    assert (table.name, table.media_type, picture.media_type) == ("fold.csv", "text/csv", "image/png")
    assert await run.file(picture.sha256) == PICTURE
    assert ran.texts == (("fold.csv", "gene,fold\nTP53,2.31\n"),)


async def test_it_is_run_once_whatever_happens_to_the_process() -> None:
    ledger, sandbox = MemoryLedger(), ScriptedSandbox({"Rscript": fold})
    run = await new(ledger)
    first = await lived(run, sandbox)
    again = await lived(Run(run.record, ledger, artefacts=MemoryArtefacts()), sandbox)
    assert again == first
    assert len(sandbox.ran) == 1


async def test_input_that_is_not_kept_and_a_missing_sandbox_are_told() -> None:
    run = await new(MemoryLedger())
    unknown = Program("fold.R", ("Rscript",), (("counts.csv", "0" * 64),))
    with pytest.raises(StepFailed, match=r"counts\.csv of fold.R is not kept"):
        await run_program(run, ScriptedSandbox({"Rscript": fold}), unknown)
    with pytest.raises(StepFailed, match="apt-get install bubblewrap"):
        await lived(await new(MemoryLedger()), RefusingSandbox(["bwrap"]))


def test_hash_of_a_program_is_that_of_what_runs_on_what() -> None:
    one = Program("a.R", ("Rscript", "a.R"), (("a.R", "1" * 64),))
    assert one.sha256 == Program("b.R", ("Rscript", "a.R"), (("a.R", "1" * 64),)).sha256
    assert one.sha256 != Program("a.R", ("Rscript", "a.R"), (("a.R", "2" * 64),)).sha256
