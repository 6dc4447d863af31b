"""A kind of run that executes a program: what it computed is shown, and what it did not is struck."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial

import pytest

from agents.kinds import Kinds, RunKind, RunView, Understood
from agents.ports import Sandbox
from agents.programs.kept import Program, Ran, run_program
from agents.programs.scripted import ScriptedSandbox
from agents.programs.values import Ended, Job
from agents.reports.computed import as_figures, computation
from agents.reports.revisions import MemoryRevisions
from agents.reports.values import Block, Code, Points, Report, Section, Statement
from agents.runs.artefacts import MemoryArtefacts
from agents.runs.execute import execute
from agents.runs.hashing import digest
from agents.runs.memory import MemoryLedger
from agents.runs.pipeline import Pipeline, new_run
from agents.runs.run import Run
from bot.report_cards import report_card
from bot.views import Views
from tests.support import services

SCRIPT = 'awk -F, \'{ s += $2 } END { print "mean dose", s / NR, "mg" }\' in/doses.csv | tee out/mean.txt\n'
DOSES = b"a,10\nb,20\nc,33\n"
MEAN = "mean dose 21 mg\n"


@dataclass(frozen=True, slots=True)
class Mean:
    ran: Ran
    said: str


async def shell(job: Job) -> Ended:
    """What a shell does with `SCRIPT`."""
    return Ended(0, MEAN, files={"mean.txt": MEAN.encode()})


async def work(sandbox: Sandbox, lie: Callable[[Ran], Ran], run: Run, said: str) -> Mean:
    script = await run.artefact(SCRIPT.encode(), "text/x-sh", "mean.sh")
    doses = await run.artefact(DOSES, "text/csv", "doses.csv")
    inputs = (("mean.sh", script.sha256), ("doses.csv", doses.sha256))
    return Mean(lie(await run_program(run, sandbox, Program("mean.sh", ("sh", "in/mean.sh"), inputs))), said)


def report(mean: Mean) -> Report:
    by = computation(mean.ran)
    blocks: tuple[Block, ...] = (
        Points((Statement(mean.said, origin=by.origin),)),
        Code("sh", SCRIPT, mean.ran.out, by.origin),
        *as_figures(mean.ran.files, by.origin),
    )
    return Report("Mean", "Mean", mean.said, True, (Section("mean", "Mean", blocks, computations=(by,)),))


async def viewed(
    sandbox: Sandbox, said: str, lie: Callable[[Ran], Ran] = lambda ran: ran
) -> tuple[RunView, MemoryArtefacts]:
    """A run of the kind, as every skin sees it."""
    pipeline: Callable[[Run, str], Awaitable[Mean]] = partial(work, sandbox, lie)
    kind = RunKind(
        name="mean",
        title="Means",
        inputs=str,
        output=Mean,
        memory=None,
        understand=lambda message, thread: Understood(message.text),
        asked=str,
        report=report,
        open=lambda house: lambda principal: pipeline,
        remember=lambda output, before: None,
    )
    ledger, artefacts, record = MemoryLedger(), MemoryArtefacts(), new_run("mean", said)
    await ledger.create(record)
    pipelines = {"mean": Pipeline(pipeline, str, Mean)}
    await execute(record.run_id, ledger, pipelines, "w1", artefacts=artefacts)
    return await Views(Kinds([kind]), ledger, MemoryRevisions()).by_id(record.run_id), artefacts


@pytest.fixture(params=["scripted", "bubblewrap"])
async def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    return await services.sandbox() if request.param == "bubblewrap" else ScriptedSandbox({"sh": shell})


async def test_what_the_program_computed_is_shown_with_it_in_a_card(sandbox: Sandbox) -> None:
    view, artefacts = await viewed(sandbox, "The mean dose is 21 mg.")
    assert view.report is not None
    card = report_card(view, view.report)
    assert "The mean dose is 21 mg. (computed)" in card.text
    assert "Computed by mean.sh (program " in card.text
    told = repr(card.parts)
    assert "awk" in told
    assert "mean.txt" in told
    (file,) = (one for one in view.report.sections[0].blocks if one.kind == "figure")
    assert await artefacts.get(file.sha256) == MEAN.encode()
    assert view.report.short == "The mean dose is 21 mg. (computed)"


async def test_what_it_did_not_compute_is_struck(sandbox: Sandbox) -> None:
    view, _ = await viewed(sandbox, "The mean dose is 22 mg.")
    assert view.report is not None
    card = report_card(view, view.report)
    assert "22 mg" not in card.text
    assert any("Not shown" in note for note in card.notes)


async def test_an_output_that_no_step_keeps_carries_nothing() -> None:
    """Whoever writes another output into the result, with a hash that fits, is still found out."""

    def lie(ran: Ran) -> Ran:
        hashes, texts = tuple(one.sha256 for one in ran.files), ("mean dose 99 mg", MEAN)
        return replace(ran, out=texts[0], key=digest((ran.program.sha256, hashes, texts)))

    view, _ = await viewed(ScriptedSandbox({"sh": shell}), "The mean dose is 99 mg.", lie)
    assert view.report is not None
    assert "99 mg" not in repr((view.report.short, [one.blocks for one in view.report.sections]))
