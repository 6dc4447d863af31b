"""A kind of run that executes a program: what it computed is shown, and what it did not is struck."""

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from adapters.kinds import KINDS
from agents.kinds import Kinds, RunView
from agents.ports import Sandbox
from agents.programs.kept import Ran
from agents.programs.values import Ended, Job
from agents.runs.artefacts import MemoryArtefacts
from agents.runs.execute import execute
from agents.runs.hashing import digest
from agents.runs.pipeline import Pipeline, new_run
from bot.report_cards import report_card
from bot.views import Views
from tests.kinds.computing import KIND, SCRIPT, Lie, Mean, Order, compute, honest
from tests.kinds.skins import LOOK_S, PATIENCE_S, SKINS, PageSkin, Skin, SlackSkin, reads
from tests.support import services
from tests.support.memory.ledger import MemoryLedger
from tests.support.memory.revisions import MemoryRevisions
from tests.support.scripted_sandbox import ScriptedSandbox

MEAN = "mean dose 21 mg\n"
DOSES = ("10", "20", "33")


async def shell(job: Job) -> Ended:
    """What a shell does with `SCRIPT`."""
    return Ended(0, MEAN, files={"mean.txt": MEAN.encode()})


async def viewed(sandbox: Sandbox, said: str, lie: Lie = honest) -> tuple[RunView, MemoryArtefacts]:
    """A run of the kind that was approved, as every skin sees it."""
    ledger, artefacts, record = MemoryLedger(), MemoryArtefacts(), new_run("compute", Order(DOSES, said))
    await ledger.create(record)
    pipelines = {"compute": Pipeline(partial(compute, sandbox, lie), Order, Mean)}
    await execute(record.run_id, ledger, pipelines, "w1", artefacts=artefacts)
    [asked] = await ledger.open_requests(record.run_id)
    await ledger.decide(record.run_id, asked.name, "approve", "ana")
    await execute(record.run_id, ledger, pipelines, "w1", artefacts=artefacts)
    return await Views(Kinds([KIND]), ledger, MemoryRevisions()).by_id(record.run_id), artefacts


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
    file = next(one for one in view.report.sections[0].blocks if one.kind == "figure")
    assert await artefacts.get(file.sha256) == MEAN.encode()
    assert view.report.short == "The mean dose is 21 mg. (computed)"
    assert view.report.notes == (), "a mark of its origin takes nothing from the short answer"


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


async def choose(skin: Skin, label: str) -> None:
    """Press a button, or write its word where there is none."""
    if isinstance(skin, PageSkin | SlackSkin):
        await skin.press(label)
    else:
        await skin.say(label)


@pytest.mark.parametrize("name", SKINS)
async def test_a_program_is_shown_whole_approved_and_run_in_its_thread(name: str, tmp_path: Path) -> None:
    await services.sandbox()
    async with SKINS[name](tmp_path, (*KINDS, KIND)) as skin:
        await skin.say("compute 10 20 33")
        await reads(skin, "May mean.sh run?", "It touches out/mean.txt.", "It touches out/plot.png.")
        await reads(skin, "Proposed by the example.", "mean.sh", "doses.csv")
        await choose(skin, "approve")
        read = await reads(
            skin, "mean dose 21 mg", "(computed)", "Computed by mean.sh (program ", "from mean.sh, doses.csv"
        )
        if isinstance(skin, SlackSkin):
            await uploaded(skin, SCRIPT.encode(), b"dose1,10\ndose2,20\ndose3,33\n", MEAN.encode())
        else:
            assert "the last line" in read
        await reads(skin, "plot.png", "mean.txt")


async def uploaded(skin: SlackSkin, *contents: bytes) -> None:
    """Wait until files with these contents are in the thread."""
    async with asyncio.timeout(PATIENCE_S):
        while not {*contents} <= {*skin.files()}:  # noqa: ASYNC110 - they come one after the other
            await asyncio.sleep(LOOK_S)


@pytest.mark.parametrize("name", SKINS)
async def test_a_program_that_is_rejected_does_not_run(name: str, tmp_path: Path) -> None:
    async with SKINS[name](tmp_path, (*KINDS, KIND)) as skin:
        await skin.say("compute 10 20 33")
        await reads(skin, "May mean.sh run?")
        await choose(skin, "reject")
        read = await reads(skin, "rejected the program")
        assert "mean dose 21" not in read
